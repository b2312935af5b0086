#include "watch/watch.hpp"

#include <memory>
#include <unistd.h>

#include "args/duration.hpp"
#include "support/stop_signals.hpp"
#include "watch/follower.hpp"
#include "watch/json_printer.hpp"
#include "watch/monitor.hpp"
#include "watch/opening.hpp"
#include "watch/run_end.hpp"
#include "watch/text_printer.hpp"

namespace peer {
namespace {

// One run, from the first look for the file to the last line.
class run {
public:
  run(const watch_options &options, monitor &events, const lines &out)
      : o_(options), events_(events), end_(events, options), out_(out) {
  }

  result<void> go() {
    auto page = open_page(o_, end_);
    if (!page) {
      return page.error() == shmkv::errc::cancelled ? gave_up(page.error()) : page.error();
    }
    events_.watch_file(page->fd());
    auto done = follow(*page);
    if (!done && done.error() == shmkv::errc::cancelled) {
      return ended(*page);
    }
    return done;
  }

private:
  [[nodiscard]] std::unique_ptr<printer> make_printer() const {
    printing to{out_, lines(STDERR_FILENO, "/dev/stderr"), end_.asked()};
    if (o_.json) {
      return std::make_unique<json_printer>(std::move(to));
    }
    return std::make_unique<text_printer>(std::move(to), o_.file, o_.events);
  }

  result<void> follow(follower &page) {
    const auto print = make_printer();
    if (auto started = print->start(); !started) {
      return started;
    }
    for (;;) {
      const auto batch = page.next(end_);
      if (!batch) {
        return batch.error();
      }
      for (const auto &update : *batch) {
        if (auto printed = print->print(update); !printed) {
          return printed;
        }
        if (++told_ == o_.events) {
          return print->complete();
        }
      }
      if (end_.over()) { // a fast writer never lets the page wait, where that is asked
        return cancelled();
      }
    }
  }

  // What ended the run early, in words.
  [[nodiscard]] std::string reason() const {
    if (end_.why() == cause::stopped) {
      return events_.signal_words();
    }
    return "timed out after " + show(o_.timeout.value_or(std::chrono::nanoseconds::zero()));
  }

  // There is no page. An endless run that is stopped has not failed.
  [[nodiscard]] result<void> gave_up(const shmkv::error &why) const {
    if (end_.why() == cause::reader_left) {
      return out_.closed();
    }
    if (o_.events == 0 && end_.why() == cause::stopped) {
      return {};
    }
    return failure(o_.file + ": " + reason() + " while waiting for the file: " + why.message());
  }

  // The run is over before it was complete.
  [[nodiscard]] result<void> ended(const follower &page) const {
    switch (end_.why()) {
    case cause::reader_left:
      return out_.closed();
    case cause::truncated:
      return truncated(o_.file);
    case cause::none: // the time is up
    case cause::stopped:
      break;
    }
    if (o_.events == 0) {
      return {};
    }
    return failure(o_.file + ": " + reason() + ": " + std::to_string(told_) + " of " +
                   std::to_string(o_.events) + " updates seen" +
                   (page.has_writer() ? "" : "; no writer is alive"));
  }

  const watch_options &o_;
  monitor &events_;
  run_end end_;
  const lines &out_;
  std::uint64_t told_ = 0;
};

} // namespace

result<void> watch(const watch_options &options) {
  auto signals = stop_signals::block();
  if (!signals) {
    return signals.error();
  }
  const lines out(STDOUT_FILENO, "/dev/stdout");
  const auto events = monitor::start(std::move(*signals), out);
  if (!events) {
    return events.error();
  }
  return run(options, **events, out).go();
}

} // namespace peer
