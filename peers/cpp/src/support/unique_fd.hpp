// A file descriptor that closes itself.
#pragma once

#include <unistd.h>
#include <utility>

namespace peer {

class unique_fd {
public:
  unique_fd() = default;

  explicit unique_fd(int fd) noexcept : fd_(fd) {
  }

  unique_fd(unique_fd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {
  }

  unique_fd &operator=(unique_fd &&other) noexcept {
    std::swap(fd_, other.fd_); // the old one closes with other
    return *this;
  }

  ~unique_fd() {
    reset();
  }

  [[nodiscard]] int get() const noexcept {
    return fd_;
  }

  [[nodiscard]] explicit operator bool() const noexcept {
    return fd_ >= 0;
  }

  void reset() noexcept {
    if (fd_ >= 0) {
      ::close(std::exchange(fd_, -1));
    }
  }

private:
  int fd_ = -1;
};

} // namespace peer
