// How long a producer waits, and for what.
#pragma once

#include <chrono>

#include "support/failure.hpp"

namespace peer::bench {

using namespace std::chrono_literals;

/// It spins for an answer before it sleeps: for more than a wake-up takes, so that the
/// next publish follows the answer at once.
inline constexpr std::chrono::nanoseconds spin_for = 300us;

/// One sleep for an answer. Signals and a reader who leaves are seen in between.
inline constexpr std::chrono::nanoseconds slice = 100ms;

/// After so many slices the consumer has not been waiting but is lost. Slices count only
/// while this process runs.
inline constexpr int most_slices = 100;

inline constexpr std::chrono::nanoseconds answer_patience = most_slices * slice;

/// Lets a consumer that is asleep settle: a processor that has just gone idle wakes
/// faster than one that has been so for a while.
inline constexpr std::chrono::nanoseconds settle_for = 20us;

[[nodiscard]] inline shmkv::error too_slow() {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(answer_patience);
  return failure("the consumer has not answered for " + std::to_string(seconds.count()) + "s");
}

} // namespace peer::bench
