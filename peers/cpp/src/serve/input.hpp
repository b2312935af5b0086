// Lines of standard input as updates.
#pragma once

#include "serve/publisher.hpp"
#include "support/failure.hpp"
#include "support/stop_signals.hpp"

namespace peer {

/// Publishes each line key=value as it comes, until the input ends or a signal
/// comes. A line that does not fit is never cut: it is told on standard error with
/// its number, skipped, and makes the result an error at the end.
[[nodiscard]] result<void> serve_input(publisher &page, stop_signals &signals);

} // namespace peer
