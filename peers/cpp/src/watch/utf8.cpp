#include "watch/utf8.hpp"

namespace peer {
namespace {

struct range {
  unsigned char from, to;

  [[nodiscard]] bool has(char c) const noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= from && byte <= to;
  }
};

// Which second byte a first byte takes: the Unicode Standard's table of well-formed
// sequences. The narrow ones keep out overlong forms, surrogates, and what is past
// U+10FFFF.
struct sequence {
  range first, second;
  std::size_t length;
};

constexpr sequence sequences[] = {
    {{0xc2, 0xdf}, {0x80, 0xbf}, 2},
    {{0xe0, 0xe0}, {0xa0, 0xbf}, 3},
    {{0xe1, 0xec}, {0x80, 0xbf}, 3},
    {{0xed, 0xed}, {0x80, 0x9f}, 3},
    {{0xee, 0xef}, {0x80, 0xbf}, 3},
    {{0xf0, 0xf0}, {0x90, 0xbf}, 4},
    {{0xf1, 0xf3}, {0x80, 0xbf}, 4},
    {{0xf4, 0xf4}, {0x80, 0x8f}, 4},
};

} // namespace

std::size_t utf8_length(std::string_view text) noexcept {
  constexpr range ascii{0x00, 0x7f};
  constexpr range tail{0x80, 0xbf};
  if (text.empty()) {
    return 0;
  }
  if (ascii.has(text.front())) {
    return 1;
  }
  for (const auto &s : sequences) {
    if (!s.first.has(text.front()) || text.size() < s.length || !s.second.has(text[1])) {
      continue;
    }
    for (const char c : text.substr(2, s.length - 2)) {
      if (!tail.has(c)) {
        return 0;
      }
    }
    return s.length;
  }
  return 0;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::size_t size = utf8_length(text);
    if (size == 0) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

} // namespace peer
