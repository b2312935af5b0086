#include "bench/pipe_channel.hpp"

#include <array>
#include <fcntl.h>
#include <unistd.h>

namespace peer::bench {

result<void> pipe_channel::open() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_failure("pipe2");
  }
  set_ends(ends[1], ends[0]);
  return {};
}

} // namespace peer::bench
