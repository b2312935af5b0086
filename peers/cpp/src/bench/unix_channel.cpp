#include "bench/unix_channel.hpp"

#include <array>
#include <sys/socket.h>

namespace peer::bench {

result<void> unix_channel::open() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return system_failure("socketpair");
  }
  set_ends(ends[0], ends[1]);
  return {};
}

} // namespace peer::bench
