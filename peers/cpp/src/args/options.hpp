// What the command line asks for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace peer {

struct serve_options {
  std::string file;
  std::uint64_t updates = 0; // 0: until stopped
  std::chrono::nanoseconds interval = std::chrono::seconds(1);
  bool from_input = false;
  unsigned mode = 0600;
};

struct watch_options {
  std::string file;
  std::uint64_t events = 0; // 0: until stopped
  std::optional<std::chrono::nanoseconds> timeout; // none: for ever
  bool json = false;
  bool wait = false;
};

struct bench_options {
  std::string file;
  std::uint64_t rounds = 2000;
  std::vector<std::string> channels{"futex"};
  bool json = false;
};

} // namespace peer
