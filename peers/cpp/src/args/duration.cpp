#include "args/duration.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "args/number.hpp"

namespace peer {
namespace {

struct unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};

// Longer names first: "ms" is no "m".
constexpr std::array<unit, 7> units{{
    {"ns", 1},
    {"us", 1'000},
    {"\u00b5s", 1'000}, // with the micro sign
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
}};

constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool is_digit(std::string_view text) noexcept {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// A number with an optional fraction, in units that are not known yet.
struct amount {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  double scale = 1; // fraction is of this
};

std::optional<amount> take_amount(std::string_view &text) {
  amount taken;
  bool any = false;
  for (; is_digit(text); text.remove_prefix(1), any = true) {
    const auto digit = static_cast<std::uint64_t>(text.front() - '0');
    if (taken.whole > (most - digit) / 10) {
      return std::nullopt;
    }
    taken.whole = taken.whole * 10 + digit;
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    for (; is_digit(text); text.remove_prefix(1), any = true) {
      if (taken.fraction < most / 100) { // what comes behind is below a nanosecond
        taken.fraction = taken.fraction * 10 + static_cast<std::uint64_t>(text.front() - '0');
        taken.scale *= 10;
      }
    }
  }
  return any ? std::optional(taken) : std::nullopt;
}

std::optional<std::uint64_t> take_unit(std::string_view &text) {
  for (const auto &u : units) {
    if (text.starts_with(u.name)) {
      text.remove_prefix(u.name.size());
      return u.nanoseconds;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> sum_of(std::string_view text) {
  std::uint64_t sum = 0;
  do {
    const auto number = take_amount(text);
    if (!number) {
      return std::nullopt;
    }
    const auto each = take_unit(text);
    if (!each || number->whole > (most - sum) / *each) {
      return std::nullopt;
    }
    // In this order, for 0.29 alone is not exact.
    const auto part = static_cast<std::uint64_t>(
        static_cast<double>(number->fraction) * (static_cast<double>(*each) / number->scale));
    sum += number->whole * *each;
    if (part > most - sum) {
      return std::nullopt;
    }
    sum += part;
  } while (!text.empty());
  return sum;
}

// A count of thousandths, such as 1.5, without zeros at its end.
std::string decimal(std::uint64_t value, std::uint64_t one) {
  std::string out = std::to_string(value / one);
  if (value % one != 0) {
    out += '.' + std::to_string(one + value % one).substr(1); // keeps leading zeros
    out.erase(out.find_last_not_of('0') + 1);
  }
  return out;
}

} // namespace

result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  if (text == "0") {
    return std::chrono::nanoseconds::zero();
  }
  const auto sum = sum_of(text);
  if (!sum) {
    return failure(
        quoted(text) + " is not a duration such as 500ms, 30s or 1m30s, or is too large");
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(*sum));
}

std::string show(std::chrono::nanoseconds duration) {
  constexpr std::uint64_t us = 1'000, ms = 1'000'000, s = 1'000'000'000;
  const auto value = static_cast<std::uint64_t>(duration.count());
  if (value == 0) {
    return "0s";
  }
  if (value < s) {
    return value < us   ? std::to_string(value) + "ns"
           : value < ms ? decimal(value, us) + "\u00b5s"
                        : decimal(value, ms) + "ms";
  }
  const std::uint64_t minutes = value / (60 * s);
  std::string out;
  if (minutes >= 60) {
    out += std::to_string(minutes / 60) + "h";
  }
  if (minutes != 0) {
    out += std::to_string(minutes % 60) + "m";
  }
  return out + decimal(value % (60 * s), s) + "s";
}

} // namespace peer
