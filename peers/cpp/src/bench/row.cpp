#include "bench/row.hpp"

#include "bench/channels.hpp"
#include "bench/shared_object.hpp"

namespace peer::bench {
namespace {

// The rounds of a row whose consumer has just been started.
result<row_result> play_rounds(producer &plays, const control &answers, bool parked,
    const std::string &name, std::uint64_t rounds) {
  tally all;
  if (auto ready = plays.await_ready(); !ready) {
    return ready.error();
  }
  for (std::uint64_t round = 1; round <= rounds; round++) {
    if (auto played = plays.play(round); !played) {
      if (plays.interrupted() && !is_closed_pipe(played.error())) {
        return failure(played.error().message() + ": " + std::to_string(round - 1) + " of " +
                       std::to_string(rounds) + " rounds");
      }
      return played.error();
    }
    if (!parked || answers.woken) {
      all.add(std::chrono::nanoseconds(answers.latency));
    }
    if (answers.slept) {
      all.add_slept();
    }
  }
  row_result figures = all.finish(name, rounds);
  // Fewer than 99 in 100 rounds parked: the figure would be of something else.
  if (parked && figures.unobserved > rounds / 100) {
    return failure("only " + std::to_string(rounds - figures.unobserved) + " of " +
                   std::to_string(rounds) + " rounds found the consumer asleep: no figure");
  }
  return figures;
}

} // namespace

row_outcome measure(const bench_page &page, const std::string &name, std::uint64_t rounds) {
  const auto through = make_channel(name);
  if (auto opened = through->open(); !opened) {
    return {opened.error(), false};
  }
  const auto answers = shared_object<control>::make();
  if (!answers) {
    return {answers.error(), false};
  }
  const std::uint64_t after = page.writer.snapshot().counter;
  auto consumer = consumer_process::start({page.path, rounds, after}, *through, **answers);
  if (!consumer) {
    return {consumer.error(), false};
  }
  producer plays(page, *through, **answers, *consumer, after);
  auto figures = play_rounds(plays, **answers, through->is_parked(), name, rounds);
  // Whoever else watches the page missed the wakes of a channel that has its own.
  (void)page.writer.wake();
  if (figures) {
    if (auto ended = consumer->end(**answers); !ended) {
      return {ended.error(), false};
    }
  }
  return {std::move(figures), plays.interrupted()};
}

} // namespace peer::bench
