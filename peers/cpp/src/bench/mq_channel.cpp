#include "bench/mq_channel.hpp"

namespace peer::bench {

result<void> mq_channel::open() {
  auto made = message_queue::create();
  if (!made) {
    return made.error();
  }
  queue_.emplace(std::move(*made));
  return {};
}

void mq_channel::abandon() noexcept {
  unlink_queue(queue_->slashed_name().c_str());
}

result<void> mq_channel::publish(shkv2::writer &writer, const shkv2::slot &record) {
  return queue_->send(publish_quietly(writer, record));
}

result<void> mq_channel::wait(consumer_page &, control &, awaited &update) {
  const auto id = queue_->receive();
  if (!id) {
    return id.error();
  }
  if (*id != update.id) {
    return failure(queue_->slashed_name().substr(1) + ": message " + std::to_string(*id) +
                   ", want " + std::to_string(update.id));
  }
  return {};
}

} // namespace peer::bench
