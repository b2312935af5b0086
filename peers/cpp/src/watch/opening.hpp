// Opening a page that may not be there yet.
#pragma once

#include "args/options.hpp"
#include "support/failure.hpp"
#include "watch/follower.hpp"
#include "watch/run_end.hpp"

namespace peer {

/// Opens the page, and where the options say so waits for it to appear. When the
/// run is over first, the error is errc::cancelled with what was in the way.
[[nodiscard]] result<follower> open_page(const watch_options &options, const run_end &end);

} // namespace peer
