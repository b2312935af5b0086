// A row of the table: one kind of kernel object.
#pragma once

#include <cstdint>
#include <string_view>

#include "shmkv/shkv2.hpp"
#include "support/failure.hpp"

namespace peer::bench {

class consumer_page;
struct control;

/// What one round's wait is for, and what it was like.
struct awaited {
  std::uint64_t round;
  std::uint64_t id; // of the update
  bool woken = false; // where a channel sees it: a wake ended a sleep
};

/// Made before the fork, and used by both processes. A consumer never destroys it.
class channel {
public:
  channel() = default;
  channel(const channel &) = delete;
  channel &operator=(const channel &) = delete;
  virtual ~channel() = default;

  /// Makes the kernel object.
  [[nodiscard]] virtual result<void> open() {
    return {};
  }

  /// After the fork: gives up what only the other process needs.
  virtual void become_producer() noexcept {
  }
  virtual void become_consumer() noexcept {
  }

  /// Removes, in a consumer whose producer was killed, what would stay in the system.
  /// Called inside a signal handler.
  virtual void abandon() noexcept {
  }

  /// The producer's part: publishes a record, W1 to W6, and signals it.
  [[nodiscard]] virtual result<void> publish(shkv2::writer &writer, const shkv2::slot &record) = 0;

  /// The consumer's part: blocks until the channel says that an update is there.
  [[nodiscard]] virtual result<void> wait(
      consumer_page &page, control &answers, awaited &update) = 0;

  /// Whether it publishes only to a consumer that is asleep, and counts no other round.
  [[nodiscard]] virtual bool is_parked() const noexcept {
    return false;
  }
};

/// W1 to W6, for a channel whose signal comes instead of W7. Returns the id.
inline std::uint64_t publish_quietly(shkv2::writer &writer, const shkv2::slot &record) noexcept {
  return shmkv_publish(writer.view().data(), &shkv2::seqlock_, &record);
}

[[nodiscard]] inline shmkv::error consumer_gone() {
  return failure("the consumer is gone");
}

[[nodiscard]] inline shmkv::error producer_gone() {
  return failure("the producer is gone");
}

} // namespace peer::bench
