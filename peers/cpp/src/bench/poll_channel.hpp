// No kernel object: the consumer looks every millisecond.
#pragma once

#include "bench/channel.hpp"

namespace peer::bench {

class poll_channel final : public channel {
public:
  [[nodiscard]] result<void> publish(shkv2::writer &writer, const shkv2::slot &record) override;
  [[nodiscard]] result<void> wait(consumer_page &page, control &answers, awaited &update) override;
};

} // namespace peer::bench
