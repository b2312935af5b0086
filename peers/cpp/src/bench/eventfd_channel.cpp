#include "bench/eventfd_channel.hpp"

#include <sys/eventfd.h>

#include "bench/stream.hpp"

namespace peer::bench {

result<void> eventfd_channel::open() {
  counter_ = unique_fd(::eventfd(0, EFD_CLOEXEC));
  if (!counter_) {
    return system_failure("eventfd");
  }
  return {};
}

result<void> eventfd_channel::publish(shkv2::writer &writer, const shkv2::slot &record) {
  (void)publish_quietly(writer, record);
  return send_message(counter_, 1);
}

result<void> eventfd_channel::wait(consumer_page &, control &, awaited &) {
  return receive_message(counter_);
}

} // namespace peer::bench
