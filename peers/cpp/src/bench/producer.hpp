// The process that wakes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "bench/channel.hpp"
#include "bench/consumer_process.hpp"
#include "bench/control.hpp"
#include "support/failure.hpp"
#include "support/fault_guard.hpp"
#include "support/lines.hpp"
#include "support/stop_signals.hpp"

namespace peer::bench {

/// What stays the same in all rows of a run.
struct bench_page {
  const std::string &path;
  shkv2::writer &writer;
  const fault_guard &guard;
  stop_signals &signals;
  const lines &out;
};

/// Plays the rounds of one row.
class producer {
public:
  producer(const bench_page &page, channel &through, control &answers, consumer_process &consumer,
      std::uint64_t after);

  /// Waits until the consumer is ready for the first round.
  [[nodiscard]] result<void> await_ready();

  /// Publishes, wakes, and waits for the answer, which is in the control then.
  [[nodiscard]] result<void> play(std::uint64_t round);

  /// Whether a signal or a reader who left has ended the run.
  [[nodiscard]] bool interrupted() const noexcept {
    return interrupted_;
  }

private:
  [[nodiscard]] result<void> alive();
  [[nodiscard]] result<void> alive_now_and_then();
  [[nodiscard]] result<void> stamp();
  [[nodiscard]] result<void> await_parked(std::uint64_t round);

  template <class Done>
  [[nodiscard]] result<void> await(const Done &done);

  const bench_page &page_;
  channel &through_;
  control &answers_;
  consumer_process &consumer_;
  std::uint64_t id_; // of the last update
  shkv2::slot record_;
  std::chrono::nanoseconds looked_{0}; // when alive() was asked
  bool interrupted_ = false;
};

} // namespace peer::bench
