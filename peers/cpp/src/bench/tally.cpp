#include "bench/tally.hpp"

#include <algorithm>

namespace peer::bench {

row_result tally::finish(std::string_view channel, std::uint64_t rounds) {
  std::ranges::sort(latencies_);
  row_result r;
  r.channel = channel;
  r.rounds = rounds;
  r.p50_ns = at(50);
  r.p90_ns = at(90);
  r.p99_ns = at(99);
  r.max_ns = at(100);
  r.slept = slept_;
  r.unobserved = rounds - latencies_.size();
  return r;
}

// The smallest latency that so many percent of all do not exceed.
std::int64_t tally::at(unsigned percent) const noexcept {
  if (latencies_.empty()) {
    return 0;
  }
  const std::uint64_t n = latencies_.size();
  const std::uint64_t rank = (n * percent + 99) / 100; // from 1, as percent is above 0
  return latencies_[static_cast<std::size_t>(rank - 1)];
}

std::string row_result::text() const {
  return "bench: channel=" + channel + " rounds=" + std::to_string(rounds) +
         " p50_us=" + std::to_string(p50_ns / 1000) + " p99_us=" + std::to_string(p99_ns / 1000) +
         '\n';
}

std::string row_result::json() const {
  const auto member = [](const char *name, auto value) {
    return std::string(",\"") + name + "\":" + std::to_string(value);
  };
  return "{\"channel\":\"" + channel + '"' + member("rounds", rounds) +
         member("p50_us", p50_ns / 1000) + member("p99_us", p99_ns / 1000) +
         member("p50_ns", p50_ns) + member("p90_ns", p90_ns) + member("p99_ns", p99_ns) +
         member("max_ns", max_ns) + member("slept", slept) + member("unobserved", unobserved) +
         "}\n";
}

} // namespace peer::bench
