// When the next update is due.
#pragma once

#include <chrono>

#include "support/failure.hpp"
#include "support/stop_signals.hpp"

namespace peer {

/// Ticks once an interval. A program that was held up, stopped by SIGSTOP say,
/// goes on with the next interval and does not catch up in a burst.
class schedule {
public:
  /// An interval of 0 ticks as fast as it goes.
  explicit schedule(std::chrono::nanoseconds interval);

  /// Waits for the next tick. False: a signal came first.
  [[nodiscard]] result<bool> wait(stop_signals &signals);

private:
  using clock = std::chrono::steady_clock;

  void advance() noexcept;

  std::chrono::nanoseconds interval_;
  clock::time_point next_;
};

} // namespace peer
