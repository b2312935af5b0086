#include "watch/follower.hpp"

#include <cstddef>

namespace peer {

result<follower> follower::open(const std::string &path) {
  auto page = shmkv::mapping::open(path, shkv2::layout_);
  if (!page) {
    return page.error();
  }
  return follower(std::move(*page));
}

follower::follower(shmkv::mapping page)
    : page_(std::move(page)),
      guard_(std::make_unique<fault_guard>(std::span(page_.page(), shkv2::size))) {
}

result<shkv2::batch> follower::next(const run_end &end) {
  const shkv2::view words(page_.page());
  shmkv_deadline until = shmkv::deadline(end.left());
  shkv2::batch got;
  for (;;) {
    std::uint32_t n = 0;
    std::uint64_t newest = 0;
    if (shmkv_is_truncated(&page_.segment())) {
      return page_.failure(SHMKV_TRUNCATED);
    }
    const std::uint32_t word = words.wake().load(std::memory_order_acquire); // F1, before F2
    shmkv_code code = look(got, end, n, newest); // F2
    if (guard_->hit()) {
      return page_.failure(SHMKV_TRUNCATED); // what was copied is not the page
    }
    if (code == SHMKV_OK && shmkv_went_back(last_, newest)) {
      last_ = newest; // the file was reset: nothing old to report
    }
    if (code == SHMKV_OK && n != 0) {
      last_ = newest;
      got.resize(n);
      return got;
    }
    if (code == SHMKV_CANCELLED || end.over()) {
      return cancelled();
    }
    if (code == SHMKV_OK) {
      code = shmkv_sleep(&page_.segment(), word, &until); // F3
    }
    if (code == SHMKV_TIMED_OUT) {
      return cancelled();
    }
    if (code != SHMKV_OK) {
      return page_.failure(code);
    }
  } // F4
}

// Copies what is new: n updates, and the newest id. With back-off while the writer is
// in the way, which the end of the run cuts short.
shmkv_code follower::look(
    shkv2::batch &into, const run_end &end, std::uint32_t &n, std::uint64_t &newest) const {
  const shmkv_updates room{
      into.updates().data(), sizeof(shkv2::update), offsetof(shkv2::update, slot)};
  shmkv_backoff backoff{};
  shmkv_deadline none = shmkv::deadline(std::chrono::nanoseconds::max());
  while (!shmkv_try_updates(page_.page(), &shkv2::seqlock_, last_, room, &n, &newest)) {
    if (const shmkv_code code = shmkv_back_off(&backoff, &none); code != SHMKV_OK) {
      return code;
    }
    if (end.over()) {
      return SHMKV_CANCELLED;
    }
  }
  return SHMKV_OK;
}

} // namespace peer
