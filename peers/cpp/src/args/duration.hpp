// Durations with units, as --timeout takes them and messages show them.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "support/failure.hpp"

namespace peer {

/// Reads 500ms, 30s, 1.5h or 1m30s; 0 needs no unit. Signs are refused.
[[nodiscard]] result<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Shows 50ms, 1.5s, 1m0s or 1h0m0s.
[[nodiscard]] std::string show(std::chrono::nanoseconds duration);

} // namespace peer
