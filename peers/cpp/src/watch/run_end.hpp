// When a run of watch is over before it is complete.
#pragma once

#include "args/options.hpp"
#include "support/deadline.hpp"
#include "support/lines.hpp"
#include "watch/monitor.hpp"

namespace peer {

/// Asks the monitor and the clock.
class run_end {
public:
  run_end(const monitor &watched, const watch_options &options)
      : watched_(watched),
        until_(options.timeout ? deadline::after(*options.timeout) : deadline::never()) {
  }

  [[nodiscard]] bool over() const noexcept {
    return watched_.seen() != cause::none || until_.over();
  }

  /// over(), for those who wait.
  [[nodiscard]] interruption asked() const {
    return [this] {
      return over();
    };
  }

  [[nodiscard]] cause why() const noexcept {
    return watched_.seen();
  }

  /// What is left of the time; nanoseconds::max() without a limit.
  [[nodiscard]] std::chrono::nanoseconds left() const noexcept {
    return until_.left();
  }

private:
  const monitor &watched_;
  deadline until_;
};

} // namespace peer
