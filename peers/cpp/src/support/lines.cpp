#include "support/lines.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "support/poll.hpp"

namespace peer {

result<void> lines::write(std::string_view line, const interruption &over) const {
  while (!line.empty()) {
    if (auto free = ready(over); !free) {
      return free;
    }
    const ssize_t n = ::write(fd_, line.data(), line.size());
    if (n >= 0) {
      line.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR && errno != EAGAIN) {
      return system_failure("write " + name_);
    }
  }
  return {};
}

// Waits until a write of up to PIPE_BUF (4096) bytes will not block.
result<void> lines::ready(const interruption &over) const {
  using namespace std::chrono_literals;
  for (;;) {
    pollfd fd = polled(fd_, POLLOUT);
    auto free = poll({&fd, 1}, 100ms);
    if (!free) {
      return free.error();
    }
    if (*free) {
      return {}; // or an error condition, which the write will name
    }
    if (over()) {
      return cancelled();
    }
  }
}

bool lines::has_reader() const noexcept {
  struct stat st {};
  return ::fstat(fd_, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

bool lines::reader_left() const {
  pollfd fd = polled(fd_, 0); // what is always reported suffices
  const auto told = poll({&fd, 1}, std::chrono::nanoseconds::zero());
  return told && *told && (fd.revents & (POLLERR | POLLHUP)) != 0;
}

shmkv::error lines::closed() const {
  return system_failure("write " + name_, EPIPE);
}

} // namespace peer
