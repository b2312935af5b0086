// The rounds of a row, and what they come to.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace peer::bench {

/// One row. Microseconds are rounded down.
struct row_result {
  std::string channel;
  std::uint64_t rounds = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p90_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t max_ns = 0;
  std::uint64_t slept = 0; // rounds in which the consumer gave up its processor
  std::uint64_t unobserved = 0; // rounds of which there is no latency

  /// The line for people.
  [[nodiscard]] std::string text() const;

  /// The line for programs.
  [[nodiscard]] std::string json() const;
};

class tally {
public:
  void add(std::chrono::nanoseconds latency) {
    latencies_.push_back(latency.count() > 0 ? latency.count() : 0);
  }

  void add_slept() noexcept {
    slept_++;
  }

  /// The exact percentiles by nearest rank. It sorts.
  [[nodiscard]] row_result finish(std::string_view channel, std::uint64_t rounds);

private:
  [[nodiscard]] std::int64_t at(unsigned percent) const noexcept;

  std::vector<std::int64_t> latencies_; // in ns
  std::uint64_t slept_ = 0;
};

} // namespace peer::bench
