// The value of --channel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/failure.hpp"

namespace peer {

/// Reads names with commas between them, or all.
[[nodiscard]] result<std::vector<std::string>> parse_channels(std::string_view text);

} // namespace peer
