// A running consumer, as its producer sees it.
#pragma once

#include <sys/types.h>
#include <utility>

#include "bench/channel.hpp"
#include "bench/consumer.hpp"
#include "bench/control.hpp"
#include "support/failure.hpp"
#include "support/unique_fd.hpp"

namespace peer::bench {

/// Destroying it leaves nothing of the process, whatever it was doing.
class consumer_process {
public:
  /// Forks. The program must have no other thread.
  [[nodiscard]] static result<consumer_process> start(
      const consumer_task &task, channel &through, control &answers);

  consumer_process(consumer_process &&other) noexcept
      : id_(std::exchange(other.id_, -1)), status_(other.status_), stat_(std::move(other.stat_)) {
  }

  consumer_process &operator=(consumer_process &&) = delete;
  ~consumer_process();

  /// Tells whether it has ended.
  [[nodiscard]] bool ended() noexcept;

  /// Waits for one that has answered its last round.
  [[nodiscard]] result<void> end(const control &answers);

  /// Why it has ended: its own words, or else its state.
  [[nodiscard]] shmkv::error reason(const control &answers) const;

  /// Tells whether it is in an interruptible sleep.
  [[nodiscard]] result<bool> asleep();

private:
  explicit consumer_process(pid_t id) noexcept : id_(id) {
  }

  pid_t id_; // -1: it has been waited for
  int status_ = 0;
  unique_fd stat_; // of the process in /proc
};

} // namespace peer::bench
