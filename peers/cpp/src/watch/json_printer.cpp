#include "watch/json_printer.hpp"

#include "watch/json_string.hpp"
#include "watch/utf8.hpp"

namespace peer {
namespace {

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {digits[byte >> 4U], digits[byte & 15U]};
  }
  return out;
}

// A text as a member. One that is not UTF-8 stands there twice: with replacement
// characters, and exactly.
std::string member(const std::string &name, std::string_view text) {
  std::string out = ",\"" + name + "\":" + json_string(text);
  if (!is_utf8(text)) {
    out += ",\"" + name + "_hex\":\"" + hex(text) + '"';
  }
  return out;
}

} // namespace

result<void> json_printer::print(const shkv2::update &update) {
  tell_gap(to_, update);
  return to_.out.write(
      "{\"id\":" + std::to_string(update.id) + ",\"lost\":" + std::to_string(update.missed) +
          member("key", update.slot.key()) + member("value", update.slot.value()) + "}\n",
      to_.over);
}

} // namespace peer
