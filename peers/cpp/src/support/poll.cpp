#include "support/poll.hpp"

#include <algorithm>
#include <ctime>

namespace peer {

result<bool> poll(std::span<pollfd> fds, std::chrono::nanoseconds timeout) {
  using namespace std::chrono;
  // The seconds of a 32-bit time_t are fewer than those of a duration.
  const nanoseconds part = std::min<nanoseconds>(timeout, 1h);
  const auto whole = duration_cast<seconds>(part);
  timespec time{};
  time.tv_sec = static_cast<time_t>(whole.count());
  time.tv_nsec = static_cast<decltype(time.tv_nsec)>((part - whole).count());
  const int n = ::ppoll(fds.data(), fds.size(), &time, nullptr);
  if (n < 0 && errno != EINTR) {
    return system_failure("poll");
  }
  return n > 0;
}

} // namespace peer
