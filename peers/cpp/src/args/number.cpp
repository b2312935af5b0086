#include "args/number.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace peer {
namespace {

bool is_decimal(std::string_view text) noexcept {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return c >= '0' && c <= '9';
  });
}

shmkv::error too_large(std::string_view text, std::uint64_t most) {
  return failure(std::string(text) + " is too large, want at most " + std::to_string(most));
}

} // namespace

// from_chars alone would also take a minus sign, and stop at what follows.
result<std::uint64_t> parse_count(std::string_view text) {
  if (!is_decimal(text)) {
    return failure(quoted(text) + " is not a decimal number");
  }
  std::uint64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{}) {
    return too_large(text, std::numeric_limits<std::uint64_t>::max());
  }
  return value;
}

result<std::chrono::nanoseconds> parse_millis(std::string_view text) {
  using std::chrono::milliseconds;
  const auto most = std::chrono::floor<milliseconds>(std::chrono::nanoseconds::max()).count();
  const auto count = parse_count(text);
  if (!count) {
    return count.error();
  }
  if (*count > static_cast<std::uint64_t>(most)) {
    return too_large(text, static_cast<std::uint64_t>(most));
  }
  return std::chrono::nanoseconds(milliseconds(static_cast<milliseconds::rep>(*count)));
}

result<unsigned> parse_mode(std::string_view text) {
  constexpr unsigned all = 0777;
  unsigned value = 0;
  const char *end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, 8);
  if (!is_decimal(text) || read.ec != std::errc{} || read.ptr != end || value > all) {
    return failure(quoted(text) + " is not a file mode such as 600 or 0644");
  }
  return value;
}

std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

} // namespace peer
