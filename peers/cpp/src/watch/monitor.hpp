// Events that must end a watcher while it sleeps on a futex, which nothing but a
// wake or a signal ends.
#pragma once

#include <atomic>
#include <csignal>
#include <memory>
#include <pthread.h>
#include <stop_token>
#include <string>
#include <thread>

#include "support/failure.hpp"
#include "support/lines.hpp"
#include "support/stop_signals.hpp"
#include "support/unique_fd.hpp"

namespace peer {

enum class cause {
  none,
  stopped, // by a signal
  reader_left, // of standard output
  truncated, // the page's file
};

/// A thread that waits for those events, keeps the first, and then interrupts the
/// thread that started it again and again: it may have been about to fall asleep.
class monitor {
public:
  /// Starts for the calling thread.
  [[nodiscard]] static result<std::unique_ptr<monitor>> start(
      stop_signals signals, const lines &out);

  monitor(const monitor &) = delete;
  monitor &operator=(const monitor &) = delete;
  ~monitor();

  /// What happened first. Any thread may ask.
  [[nodiscard]] cause seen() const noexcept {
    return cause_.load();
  }

  /// Also sees when the file behind a descriptor becomes shorter than the page. Once
  /// at most. Without inotify(7) nothing is seen: the watcher looks between sleeps.
  void watch_file(int fd);

  /// "stopped by SIGINT". Once the cause is a signal.
  [[nodiscard]] std::string signal_words() const {
    return signals_.words();
  }

private:
  monitor(stop_signals signals, unique_fd end, const lines &out);

  void run();
  [[nodiscard]] cause wait_for_cause();
  [[nodiscard]] bool file_is_short();
  void interrupt_until_end();

  stop_signals signals_; // the thread's, until it has stored the cause
  unique_fd end_; // readable: the thread is to end
  unique_fd changes_; // inotify
  unique_fd file_; // the page's, once file_known_
  std::atomic<bool> file_known_{false};
  int output_; // -1: nobody can leave
  pthread_t sleeper_;
  struct sigaction before_ {};
  std::atomic<cause> cause_{cause::none};
  std::jthread thread_; // the last: it uses all others
};

} // namespace peer
