// The writer's side of the command.
#pragma once

#include "args/options.hpp"
#include "support/failure.hpp"

namespace peer {

/// Publishes on a schedule, or what it reads line by line, until there is no more
/// to publish or a signal comes.
[[nodiscard]] result<void> serve(const serve_options &options);

} // namespace peer
