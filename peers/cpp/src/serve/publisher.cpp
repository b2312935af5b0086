#include "serve/publisher.hpp"

namespace peer {

publisher::publisher(std::string path, shkv2::writer &writer)
    : path_(std::move(path)), writer_(writer), guard_({writer.view().data(), shkv2::size}) {
}

std::uint64_t publisher::newest() const noexcept {
  return writer_.snapshot().counter;
}

result<std::uint64_t> publisher::publish(std::string_view key, std::string_view value) {
  auto id = writer_.publish(key, value);
  if (guard_.hit()) {
    return truncated(path_);
  }
  return id;
}

} // namespace peer
