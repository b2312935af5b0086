// Text as a string of JSON.
#pragma once

#include <string>
#include <string_view>

namespace peer {

/// Quotes a text. Bytes that are not UTF-8 become replacement characters.
[[nodiscard]] std::string json_string(std::string_view text);

} // namespace peer
