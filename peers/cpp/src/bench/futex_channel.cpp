#include "bench/futex_channel.hpp"

#include "bench/consumer_page.hpp"
#include "bench/control.hpp"

namespace peer::bench {

result<void> futex_channel::publish(shkv2::writer &writer, const shkv2::slot &record) {
  (void)writer.publish(record); // W1 to W7
  return {};
}

// The watch loop F1 to F4 for one known update.
result<void> futex_channel::wait(consumer_page &page, control &answers, awaited &update) {
  for (;;) {
    const std::uint32_t word = page.word(); // F1
    const auto there = page.reached(update.id); // F2
    if (!there) {
      return there.error();
    }
    if (*there) {
      return {};
    }
    if (is_parked()) {
      answers.armed.store(static_cast<std::uint32_t>(update.round));
    }
    const auto woken = page.sleep(word); // F3, pairs with W7
    if (!woken) {
      return woken.error();
    }
    update.woken = update.woken || *woken;
  } // F4
}

} // namespace peer::bench
