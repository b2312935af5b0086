// What is UTF-8 and what is not.
#pragma once

#include <cstddef>
#include <string_view>

namespace peer {

/// The bytes of the character at the start of a text; 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text) noexcept;

[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

} // namespace peer
