#include "serve/schedule.hpp"

#include <algorithm>

#include "support/poll.hpp"

namespace peer {

schedule::schedule(std::chrono::nanoseconds interval) : interval_(interval), next_(clock::now()) {
  advance();
}

// One tick later. The clock can not count past its end, in 292 years.
void schedule::advance() noexcept {
  next_ =
      interval_ < clock::time_point::max() - next_ ? next_ + interval_ : clock::time_point::max();
}

result<bool> schedule::wait(stop_signals &signals) {
  for (;;) {
    const auto now = clock::now();
    const auto left = std::max<std::chrono::nanoseconds>(next_ - now, interval_.zero());
    pollfd signal = polled(signals.fd(), POLLIN);
    const auto came = poll({&signal, 1}, left); // at 0 it only looks
    if (!came) {
      return came.error();
    }
    if (*came && signals.taken()) {
      return false;
    }
    if (clock::now() < next_) {
      continue; // a signal that is none of ours
    }
    if (now - next_ > interval_) {
      next_ = now;
    }
    advance();
    return true;
  }
}

} // namespace peer
