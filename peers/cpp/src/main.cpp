// The command shmkv in C++20: it serves a page, watches one, and measures what
// waking a watcher costs.
#include <exception>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "args/command_line.hpp"
#include "bench/bench.hpp"
#include "serve/serve.hpp"
#include "support/lines.hpp"
#include "watch/watch.hpp"

namespace {

// A message that nobody takes is no failure, and nothing waits for it.
void say(int fd, const std::string &text) {
  const peer::lines out(fd, "");
  (void)out.write(text, [] {
    return true;
  });
}

int report(const std::vector<shmkv::error> &errors) {
  for (const auto &error : errors) {
    if (!peer::is_closed_pipe(error)) {
      say(STDERR_FILENO, "shmkv: " + error.message() + '\n');
    }
  }
  return errors.empty() ? 0 : 1;
}

int report(const peer::result<void> &done) {
  return done ? 0 : report(std::vector{done.error()});
}

// What each command ends with, as an exit code.
struct runner {
  int operator()(const peer::no_command &none) const {
    say(STDOUT_FILENO, none.out);
    say(STDERR_FILENO, none.err);
    return none.exit_code;
  }

  int operator()(const peer::serve_options &options) const {
    return report(peer::serve(options));
  }

  int operator()(const peer::watch_options &options) const {
    return report(peer::watch(options));
  }

  int operator()(const peer::bench_options &options) const {
    return report(peer::bench::run(options));
  }
};

} // namespace

int main(int argc, char **argv) {
  try {
    return std::visit(runner{}, peer::parse_command_line(argc, argv));
  } catch (const std::exception &lack) { // of memory: nothing here throws else
    return report(peer::result<void>(peer::failure(lack.what())));
  }
}
