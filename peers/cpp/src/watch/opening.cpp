#include "watch/opening.hpp"

#include <chrono>
#include <thread>

#include "support/deadline.hpp"

namespace peer {
namespace {

using namespace std::chrono_literals;

// How often a file that is waited for is looked for.
constexpr auto look_every = 25ms;

// How long a file of the wrong size or without the magic may be one whose writer
// has not finished it. Creating a page of this project shows no such file, but
// other writers may open, resize and format in place.
constexpr auto half_made = 2s;

bool may_be_half_made(const shmkv::error &why) noexcept {
  return why == shmkv::errc::wrong_size || why == shmkv::errc::bad_magic;
}

} // namespace

result<follower> open_page(const watch_options &options, const run_end &end) {
  bool seen_half_made = false;
  deadline patience; // since the file was first seen half made
  for (;;) {
    auto page = follower::open(options.file);
    if (page || !options.wait) {
      return page;
    }
    const shmkv::error &why = page.error();
    if (why == shmkv::errc::not_found) {
      seen_half_made = false;
    } else if (!may_be_half_made(why) || (seen_half_made && patience.over())) {
      return page;
    } else if (!seen_half_made) {
      seen_half_made = true;
      patience = deadline::after(half_made);
    }
    // Not after the last look: with a timeout there is always one.
    if (end.over()) {
      return shmkv::error(shmkv::errc::cancelled, 0, why.message());
    }
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(look_every, end.left()));
  }
}

} // namespace peer
