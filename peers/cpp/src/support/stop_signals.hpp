// The signals that end a program, as something to wait for.
#pragma once

#include <optional>
#include <string>

#include "support/failure.hpp"
#include "support/unique_fd.hpp"

namespace peer {

/// SIGINT, SIGTERM, SIGQUIT and SIGHUP no longer interrupt the program but make a
/// descriptor readable, so that every way out passes the destructors. A hang-up
/// that was ignored when the program started, as nohup does, stays ignored.
///
/// The signals stay blocked when this is gone: a second Ctrl-C must not kill the
/// program between its last line and its exit code.
class stop_signals {
public:
  /// To be called before the first thread starts. From then on a write to a closed
  /// pipe is an EPIPE to handle.
  [[nodiscard]] static result<stop_signals> block();

  /// Readable when a signal came that nobody has taken.
  [[nodiscard]] int fd() const noexcept {
    return fd_.get();
  }

  /// The first signal that came, if one did. For one thread at a time.
  [[nodiscard]] std::optional<int> taken() noexcept;

  /// "stopped by SIGINT", of the signal that was taken.
  [[nodiscard]] std::string words() const;

private:
  unique_fd fd_;
  std::optional<int> taken_;
};

} // namespace peer
