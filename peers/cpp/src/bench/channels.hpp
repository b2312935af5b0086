// The table of channels.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "bench/channel.hpp"

namespace peer::bench {

/// All names, in the order of --channel all.
[[nodiscard]] std::span<const std::string_view> channel_names() noexcept;

/// The channel of a name of the table.
[[nodiscard]] std::unique_ptr<channel> make_channel(std::string_view name);

} // namespace peer::bench
