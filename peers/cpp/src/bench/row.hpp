// One row of the table.
#pragma once

#include <cstdint>
#include <string>

#include "bench/producer.hpp"
#include "bench/tally.hpp"
#include "support/failure.hpp"

namespace peer::bench {

/// A row's figures, or why there are none.
struct row_outcome {
  result<row_result> figures;
  bool interrupted; // the whole run is over
};

/// Measures a channel: sets it up, starts the consumer, and leaves neither behind.
[[nodiscard]] row_outcome measure(
    const bench_page &page, const std::string &name, std::uint64_t rounds);

} // namespace peer::bench
