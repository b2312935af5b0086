// A POSIX message queue that carries the update's id.
#pragma once

#include <optional>

#include "bench/channel.hpp"
#include "bench/message_queue.hpp"

namespace peer::bench {

class mq_channel final : public channel {
public:
  [[nodiscard]] result<void> open() override;
  void abandon() noexcept override;
  [[nodiscard]] result<void> publish(shkv2::writer &writer, const shkv2::slot &record) override;
  [[nodiscard]] result<void> wait(consumer_page &page, control &answers, awaited &update) override;

private:
  std::optional<message_queue> queue_;
};

} // namespace peer::bench
