// The page's own way: the futex word.
#pragma once

#include "bench/channel.hpp"

namespace peer::bench {

class futex_channel : public channel {
public:
  [[nodiscard]] result<void> publish(shkv2::writer &writer, const shkv2::slot &record) override;
  [[nodiscard]] result<void> wait(consumer_page &page, control &answers, awaited &update) override;
};

/// The same, and each sleep is announced, so that the producer can wait for it.
class parked_futex_channel final : public futex_channel {
public:
  [[nodiscard]] bool is_parked() const noexcept override {
    return true;
  }
};

} // namespace peer::bench
