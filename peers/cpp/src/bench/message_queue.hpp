// A POSIX message queue of this program.
#pragma once

#include <cstdint>
#include <mqueue.h>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

#include "support/failure.hpp"

namespace peer::bench {

/// The names of all queues start so; the producer's process id follows.
inline constexpr std::string_view queue_prefix = "shmkv-bench-";

[[nodiscard]] inline std::string queue_name(pid_t producer) {
  return std::string(queue_prefix) + std::to_string(producer);
}

/// Removes a queue by its name. To be called in signal handlers too.
void unlink_queue(const char *slashed_name) noexcept;

/// A queue that goes, with its name, when this is destroyed.
class message_queue {
public:
  /// Makes the queue of this process. One that is there already was left by a dead
  /// process that had the same id, and may hold its messages.
  [[nodiscard]] static result<message_queue> create();

  message_queue(message_queue &&other) noexcept
      : queue_(std::exchange(other.queue_, -1)), name_(std::move(other.name_)) {
  }

  message_queue &operator=(message_queue &&) = delete;
  ~message_queue();

  /// Sends a message. With a full queue it waits for a second at most.
  [[nodiscard]] result<void> send(std::uint64_t message) const;

  /// Blocks until there is a message, which it returns.
  [[nodiscard]] result<std::uint64_t> receive() const;

  /// With the slash that the C library wants.
  [[nodiscard]] const std::string &slashed_name() const noexcept {
    return name_;
  }

private:
  message_queue(mqd_t queue, std::string name) : queue_(queue), name_(std::move(name)) {
  }

  mqd_t queue_;
  std::string name_;
};

} // namespace peer::bench
