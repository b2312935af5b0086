// ppoll(2) with the clock's types.
#pragma once

#include <chrono>
#include <poll.h>
#include <span>

#include "support/failure.hpp"

namespace peer {

/// Waits until something is there. False: the time is up, or a signal came, or a
/// very long wait is to be begun again: look, and call again.
[[nodiscard]] result<bool> poll(std::span<pollfd> fds, std::chrono::nanoseconds timeout);

/// A descriptor to wait for. -1 is skipped; events of 0 still tell of its end.
[[nodiscard]] inline pollfd polled(int fd, short events) noexcept {
  return {fd, events, 0};
}

} // namespace peer
