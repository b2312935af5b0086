#include "watch/json_string.hpp"

#include "watch/utf8.hpp"

namespace peer {
namespace {

std::string escaped(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  switch (c) {
  case '"':
    return "\\\"";
  case '\\':
    return "\\\\";
  case '\b':
    return "\\b";
  case '\f':
    return "\\f";
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    break;
  }
  if (byte < 0x20) {
    return std::string("\\u00") + digits[byte >> 4U] + digits[byte & 15U];
  }
  return {c};
}

} // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t size = utf8_length(text);
    const std::string_view character = text.substr(0, size);
    if (size == 0) {
      out += "\\ufffd";
    } else if (size == 1) {
      out += escaped(text.front());
    } else if (character == "\u2028" || character == "\u2029") {
      out += character == "\u2028" ? "\\u2028" : "\\u2029"; // line ends to JavaScript
    } else {
      out += character;
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out + '"';
}

} // namespace peer
