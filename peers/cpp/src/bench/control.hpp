// What the two processes of a row share beside the page: the consumer's answers.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "shmkv/segment.hpp"

namespace peer::bench {

/// Plain fields belong to the consumer until it stores ack, and to the producer from
/// then until its next publish.
struct control {
  // A cache line each, for the side that spins must not slow the other one down.
  alignas(64) std::atomic<std::uint32_t> ack{0}; // the round answered + 1; 0: not yet
  std::atomic<std::uint32_t> sleeping{0}; // the producer sleeps on ack
  std::int64_t latency = 0; // of the round answered, in ns
  bool slept = false; // the consumer gave up its processor
  bool woken = false; // it was a wake that ended the consumer's FUTEX_WAIT

  // The round before whose publish the consumer is about to sleep.
  alignas(64) std::atomic<std::uint32_t> armed{0};

  // Why the consumer has ended, once it has.
  alignas(64) std::array<char, 512> reason{};

  /// The consumer tells that a round is done; 0: ready for the first.
  void answer(std::uint64_t round) noexcept {
    ack.store(static_cast<std::uint32_t>(round) + 1); // pairs with the load in answered
    // Both sides store, then load what the other stored, each sequentially consistent:
    // either the producer sees the answer or this sees it sleeping.
    if (sleeping.load() != 0) {
      (void)shmkv_os_futex_wake(&ack);
    }
  }

  [[nodiscard]] bool answered(std::uint64_t round) const noexcept {
    return ack.load() == static_cast<std::uint32_t>(round) + 1;
  }

  /// Sleeps until ack is no longer what it was, or something else ends the sleep.
  void sleep(std::uint32_t was, std::chrono::nanoseconds most) noexcept {
    (void)shmkv_os_futex_wait(&ack, was, most.count());
  }

  void set_reason(std::string_view words) noexcept {
    words.copy(reason.data(), reason.size() - 1);
  }
};

static_assert(sizeof(std::atomic<std::uint32_t>) == 4);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

} // namespace peer::bench
