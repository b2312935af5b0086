// A moment on the steady clock, or never.
#pragma once

#include <algorithm>
#include <chrono>

namespace peer {

class deadline {
public:
  using clock = std::chrono::steady_clock;
  using nanoseconds = std::chrono::nanoseconds;

  [[nodiscard]] static deadline never() noexcept {
    return {};
  }

  /// So long from now. What the clock can not count to is never.
  [[nodiscard]] static deadline after(nanoseconds timeout) noexcept {
    deadline made;
    const auto now = clock::now();
    if (timeout < clock::time_point::max() - now) {
      made.at_ = now + timeout;
    }
    return made;
  }

  [[nodiscard]] bool over() const noexcept {
    return at_ != clock::time_point::max() && clock::now() >= at_;
  }

  /// What is left, not below 0; nanoseconds::max() for never.
  [[nodiscard]] nanoseconds left() const noexcept {
    if (at_ == clock::time_point::max()) {
      return nanoseconds::max();
    }
    return std::max<nanoseconds>(at_ - clock::now(), nanoseconds::zero());
  }

private:
  clock::time_point at_ = clock::time_point::max();
};

} // namespace peer
