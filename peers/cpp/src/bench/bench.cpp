#include "bench/bench.hpp"

#include <unistd.h>

#include "bench/left_queues.hpp"
#include "bench/row.hpp"

namespace peer::bench {
namespace {

// Names the row in an error; a closed pipe stays what it is.
shmkv::error of_row(const std::string &channel, const shmkv::error &why) {
  return {why.code(), why.number(), "bench: " + channel + ": " + why.message()};
}

result<void> print(const bench_options &options, const bench_page &page, const row_result &row) {
  const interruption over = [&page] {
    return page.signals.taken().has_value();
  };
  if (options.json) {
    return page.out.write(row.json(), over);
  }
  auto printed = page.out.write(row.text(), over);
  if (printed && ::isatty(STDERR_FILENO) != 0) { // a person reads it
    const lines notes(STDERR_FILENO, "/dev/stderr");
    (void)notes.write("       slept in " + std::to_string(row.slept) + " rounds, " +
                          std::to_string(row.unobserved) + " unobserved\n",
        over);
  }
  return printed;
}

} // namespace

std::vector<shmkv::error> run(const bench_options &options) {
  auto signals = stop_signals::block();
  if (!signals) {
    return {signals.error()};
  }
  remove_left_queues();
  auto writer = shkv2::writer::create(options.file);
  if (!writer) {
    return {writer.error()};
  }
  const fault_guard guard({writer->view().data(), shkv2::size});
  const lines out(STDOUT_FILENO, "/dev/stdout");
  const bench_page page{options.file, *writer, guard, *signals, out};
  std::vector<shmkv::error> failures;
  for (const auto &name : options.channels) {
    const auto row = measure(page, name, options.rounds);
    if (!row.figures) {
      failures.push_back(of_row(name, row.figures.error()));
    } else if (auto printed = print(options, page, *row.figures); !printed) {
      failures.push_back(printed.error());
      break;
    }
    if (row.interrupted) {
      break;
    }
  }
  return failures;
}

} // namespace peer::bench
