// How long it takes to wake another process, by one kind of kernel object after the
// other.
//
// A row has two processes. The consumer, a fork, blocks on the row's channel. The
// producer publishes round i into the page, and signals, only after the consumer has
// answered round i-1: so the wake-up is measured, and not the depth of a queue. The
// latency of a round runs from the stamp inside the published slot to the moment when
// the consumer holds a consistent copy of that slot.
//
// A channel's signal takes the place of W7, the futex wake: every other step of a
// publish is the same in each row.
#pragma once

#include <vector>

#include "args/options.hpp"
#include "support/failure.hpp"

namespace peer::bench {

/// Measures the channels in turn and prints a line for each. It is the page's writer
/// meanwhile. A channel that can not be measured does not keep the others from it.
[[nodiscard]] std::vector<shmkv::error> run(const bench_options &options);

} // namespace peer::bench
