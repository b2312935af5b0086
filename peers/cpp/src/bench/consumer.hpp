// The process that is woken.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

#include "bench/channel.hpp"
#include "bench/control.hpp"

namespace peer::bench {

/// What a consumer is to do.
struct consumer_task {
  std::string path;
  std::uint64_t rounds;
  std::uint64_t after; // the counter of the page before the first round
};

/// Answers the rounds of a producer and ends the process, the child of a fork. It ends
/// with its producer, however that ends. Its words are left in the control.
[[noreturn]] void consume(
    const consumer_task &task, channel &through, control &answers, pid_t producer);

} // namespace peer::bench
