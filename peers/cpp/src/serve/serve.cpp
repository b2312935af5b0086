#include "serve/serve.hpp"

#include "serve/input.hpp"
#include "serve/publisher.hpp"
#include "serve/schedule.hpp"
#include "support/stop_signals.hpp"

namespace peer {
namespace {

// A clean end only where there was no number to reach.
result<void> stopped(const serve_options &o, const stop_signals &signals, std::uint64_t done) {
  if (o.updates == 0) {
    return {};
  }
  return failure(o.file + ": " + signals.words() + ": " + std::to_string(done) + " of " +
                 std::to_string(o.updates) + " updates published");
}

// Publishes k<id>=value-<id>, the first after one interval.
result<void> serve_updates(const serve_options &o, publisher &page, stop_signals &signals) {
  schedule due(o.interval);
  std::uint64_t next = page.newest() + 1;
  for (std::uint64_t done = 0; o.updates == 0 || done < o.updates; done++) {
    const auto went_on = due.wait(signals);
    if (!went_on) {
      return went_on.error();
    }
    if (!*went_on) {
      return stopped(o, signals, done);
    }
    const std::string id = std::to_string(next);
    const auto published = page.publish("k" + id, "value-" + id);
    if (!published) {
      return published.error();
    }
    next = *published + 1;
  }
  return {};
}

} // namespace

result<void> serve(const serve_options &options) {
  auto signals = stop_signals::block();
  if (!signals) {
    return signals.error();
  }
  auto writer = shkv2::writer::create(options.file, options.mode);
  if (!writer) {
    return writer.error();
  }
  publisher page(options.file, *writer);
  return options.from_input ? serve_input(page, *signals) : serve_updates(options, page, *signals);
}

} // namespace peer
