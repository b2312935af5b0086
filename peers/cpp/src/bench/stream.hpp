// Messages of 8 bytes over a descriptor.
#pragma once

#include <cstdint>

#include "bench/channel.hpp"
#include "support/failure.hpp"
#include "support/unique_fd.hpp"

namespace peer::bench {

/// Sends a message. It goes whole or not at all, and there is always room for it.
[[nodiscard]] result<void> send_message(const unique_fd &to, std::uint64_t message);

/// Blocks until there is a message. The end of the stream is an error.
[[nodiscard]] result<void> receive_message(const unique_fd &from);

/// A channel over the two ends of a stream, which carries the update's id.
class stream_channel : public channel {
public:
  void become_producer() noexcept override {
    consumers_.reset(); // so that its death is an error for a write
  }

  void become_consumer() noexcept override {
    producers_.reset(); // so that the other's death is an end for a read
  }

  [[nodiscard]] result<void> publish(shkv2::writer &writer, const shkv2::slot &record) override {
    return send_message(producers_, publish_quietly(writer, record));
  }

  [[nodiscard]] result<void> wait(consumer_page &, control &, awaited &) override {
    return receive_message(consumers_);
  }

protected:
  void set_ends(int producers, int consumers) noexcept {
    producers_ = unique_fd(producers);
    consumers_ = unique_fd(consumers);
  }

private:
  unique_fd producers_;
  unique_fd consumers_;
};

} // namespace peer::bench
