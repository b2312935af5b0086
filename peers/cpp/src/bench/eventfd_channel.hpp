// A counter in the kernel: it has one end, and counts signals instead of carrying ids.
#pragma once

#include "bench/channel.hpp"
#include "support/unique_fd.hpp"

namespace peer::bench {

class eventfd_channel final : public channel {
public:
  [[nodiscard]] result<void> open() override;
  [[nodiscard]] result<void> publish(shkv2::writer &writer, const shkv2::slot &record) override;
  [[nodiscard]] result<void> wait(consumer_page &page, control &answers, awaited &update) override;

private:
  unique_fd counter_;
};

} // namespace peer::bench
