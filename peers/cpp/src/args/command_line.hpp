// The command line: commands, flags, help.
#pragma once

#include <string>
#include <variant>

#include "args/options.hpp"

namespace peer {

/// There is nothing to run: --help, --version, or wrong usage.
struct no_command {
  int exit_code = 0;
  std::string out; // for standard output
  std::string err; // for standard error
};

using command = std::variant<no_command, serve_options, watch_options, bench_options>;

/// Reads the arguments.
[[nodiscard]] command parse_command_line(int argc, const char *const *argv);

} // namespace peer
