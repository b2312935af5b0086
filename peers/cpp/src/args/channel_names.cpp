#include "args/channel_names.hpp"

#include <algorithm>

#include "args/number.hpp"
#include "bench/channels.hpp"

namespace peer {

result<std::vector<std::string>> parse_channels(std::string_view text) {
  const auto known = bench::channel_names();
  std::vector<std::string> names;
  if (text == "all") {
    names.assign(known.begin(), known.end());
    return names;
  }
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : text.size());
    if (std::ranges::find(known, name) == known.end()) {
      std::string list;
      for (const auto each : known) {
        list += list.empty() ? "" : ",";
        list += each;
      }
      return failure(quoted(name) + " is not a channel, want all or some of " + list);
    }
    if (std::ranges::find(names, name) != names.end()) {
      return failure(std::string(name) + " is given twice");
    }
    names.emplace_back(name);
  }
  return names;
}

} // namespace peer
