#include "bench/channels.hpp"

#include <array>

#include "bench/eventfd_channel.hpp"
#include "bench/futex_channel.hpp"
#include "bench/mq_channel.hpp"
#include "bench/pipe_channel.hpp"
#include "bench/poll_channel.hpp"
#include "bench/unix_channel.hpp"

namespace peer::bench {
namespace {

struct entry {
  std::string_view name;
  std::unique_ptr<channel> (*make)();
};

template <class Channel>
std::unique_ptr<channel> make() {
  return std::make_unique<Channel>();
}

constexpr std::array table{
    entry{"futex", make<futex_channel>},
    entry{"futex-parked", make<parked_futex_channel>},
    entry{"pipe", make<pipe_channel>},
    entry{"eventfd", make<eventfd_channel>},
    entry{"mq", make<mq_channel>},
    entry{"unix", make<unix_channel>},
    entry{"poll", make<poll_channel>},
};

constexpr auto names = [] {
  std::array<std::string_view, table.size()> all;
  for (std::size_t i = 0; i < table.size(); i++) {
    all[i] = table[i].name;
  }
  return all;
}();

} // namespace

std::span<const std::string_view> channel_names() noexcept {
  return names;
}

std::unique_ptr<channel> make_channel(std::string_view name) {
  for (const auto &e : table) {
    if (e.name == name) {
      return e.make();
    }
  }
  return nullptr;
}

} // namespace peer::bench
