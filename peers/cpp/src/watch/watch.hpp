// The reader's side of the command.
#pragma once

#include "args/options.hpp"
#include "support/failure.hpp"

namespace peer {

/// Prints each update of a page as it comes, until the events asked for are told,
/// the time is up or a signal comes. The last two are failures only where there
/// was a number to reach.
[[nodiscard]] result<void> watch(const watch_options &options);

} // namespace peer
