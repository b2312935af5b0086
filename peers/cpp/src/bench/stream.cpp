#include "bench/stream.hpp"

#include <array>
#include <bit>
#include <span>
#include <unistd.h>

namespace peer::bench {

result<void> send_message(const unique_fd &to, std::uint64_t message) {
  while (::write(to.get(), &message, sizeof message) < 0) {
    if (errno == EPIPE || errno == ECONNRESET) {
      return consumer_gone(); // EPIPE itself would mean the program's own output
    }
    if (errno != EINTR) {
      return system_failure("write");
    }
  }
  return {};
}

result<void> receive_message(const unique_fd &from) {
  std::array<std::byte, sizeof(std::uint64_t)> message;
  std::span<std::byte> rest = message;
  while (!rest.empty()) {
    const ssize_t n = ::read(from.get(), rest.data(), rest.size());
    if (n == 0) {
      return producer_gone();
    }
    if (n > 0) {
      rest = rest.subspan(static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return system_failure("read");
    }
  }
  return {};
}

} // namespace peer::bench
