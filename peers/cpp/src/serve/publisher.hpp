// A writer whose file may be cut short.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shmkv/shkv2.hpp"
#include "support/failure.hpp"
#include "support/fault_guard.hpp"

namespace peer {

class publisher {
public:
  /// The writer must outlive it.
  publisher(std::string path, shkv2::writer &writer);

  /// The id of the newest update; 0 if there is none.
  [[nodiscard]] std::uint64_t newest() const noexcept;

  /// Publishes, wakes all sleepers and returns the id.
  [[nodiscard]] result<std::uint64_t> publish(std::string_view key, std::string_view value);

private:
  std::string path_;
  shkv2::writer &writer_;
  fault_guard guard_;
};

} // namespace peer
