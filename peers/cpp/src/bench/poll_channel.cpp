#include "bench/poll_channel.hpp"

#include <chrono>
#include <thread>

#include "bench/consumer_page.hpp"

namespace peer::bench {

result<void> poll_channel::publish(shkv2::writer &writer, const shkv2::slot &record) {
  (void)publish_quietly(writer, record);
  return {};
}

// It sleeps before it looks: an update never comes at the very moment of the answer to
// the one before.
result<void> poll_channel::wait(consumer_page &page, control &, awaited &update) {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto there = page.reached(update.id);
    if (!there) {
      return there.error();
    }
    if (*there) {
      return {};
    }
  }
}

} // namespace peer::bench
