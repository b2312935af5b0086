// Output, line by line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "support/failure.hpp"

namespace peer {

/// Tells whether a wait is to end. Asked at least ten times a second.
using interruption = std::function<bool()>;

/// Writes whole lines to a descriptor, one write(2) each, so that whoever reads
/// them gets each at once. A reader who does not read keeps nobody from ending.
class lines {
public:
  /// The descriptor stays the caller's.
  lines(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  }

  /// Writes one line, its newline included. While the reader of a full pipe does
  /// not read, it waits until over() and is then errc::cancelled.
  [[nodiscard]] result<void> write(std::string_view line, const interruption &over) const;

  /// Tells whether the descriptor is a pipe or socket, whose reader can leave.
  [[nodiscard]] bool has_reader() const noexcept;

  /// Tells whether the reader of a pipe or socket has left.
  [[nodiscard]] bool reader_left() const;

  /// The error of a write to a reader who has left.
  [[nodiscard]] shmkv::error closed() const;

  [[nodiscard]] int fd() const noexcept {
    return fd_;
  }

private:
  [[nodiscard]] result<void> ready(const interruption &over) const;

  int fd_;
  std::string name_;
};

} // namespace peer
