// Numbers of the command line, read strictly: plain digits that fit, and nothing
// that only looks like a number.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/failure.hpp"

namespace peer {

/// Decimal digits, at most 2^64-1.
[[nodiscard]] result<std::uint64_t> parse_count(std::string_view text);

/// Whole milliseconds, as many as 63 bits of nanoseconds hold.
[[nodiscard]] result<std::chrono::nanoseconds> parse_millis(std::string_view text);

/// Permission bits in octal, such as 600 or 0644.
[[nodiscard]] result<unsigned> parse_mode(std::string_view text);

/// Text in quotes, on one line whatever it holds.
[[nodiscard]] std::string quoted(std::string_view text);

} // namespace peer
