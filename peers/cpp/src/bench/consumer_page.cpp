#include "bench/consumer_page.hpp"

#include <cerrno>
#include <charconv>

namespace peer::bench {

consumer_page::consumer_page(std::string path, shmkv::mapping page)
    : path_(std::move(path)), page_(std::move(page)), guard_({page_.page(), shkv2::size}) {
}

std::uint32_t consumer_page::word() const noexcept {
  return shkv2::view(page_.page()).wake().load(std::memory_order_acquire); // pairs with W6
}

// Copies the record of an update and returns the counter at that time.
result<std::uint64_t> consumer_page::read(std::uint64_t id, shkv2::slot &record) const {
  const auto index = static_cast<std::size_t>((id - 1) % shkv2::slots_count);
  std::uint64_t newest = 0;
  const auto code = shmkv_read_slot(page_.page(), &shkv2::seqlock_, index, &record, &newest);
  if (guard_.hit()) {
    return page_.failure(SHMKV_TRUNCATED);
  }
  if (code != SHMKV_OK) {
    return page_.failure(code);
  }
  return newest;
}

result<bool> consumer_page::reached(std::uint64_t id) const {
  shkv2::slot record;
  const auto newest = read(id, record);
  if (!newest) {
    return newest.error();
  }
  return *newest == id || !shmkv_went_back(id, *newest);
}

// Of the reasons why a sleep ended, only a wake means that it had begun.
result<bool> consumer_page::sleep(std::uint32_t word) const {
  using namespace std::chrono_literals;
  const std::byte *at = page_.page() + shkv2::wake_offset;
  const auto most = std::chrono::nanoseconds(2s).count();
  if (shmkv_os_futex_wait(at, word, most) == 0) {
    return true;
  }
  const int number = errno;
  if (number == EAGAIN || number == EINTR || number == ETIMEDOUT) {
    return false;
  }
  if (shmkv_is_truncated(&page_.segment())) {
    return page_.failure(SHMKV_TRUNCATED);
  }
  return system_failure(path_ + ": futex", number);
}

result<std::chrono::nanoseconds> consumer_page::observe(std::uint64_t id) const {
  shkv2::slot record;
  const auto newest = read(id, record);
  const std::chrono::nanoseconds at = now();
  if (!newest) {
    return newest.error();
  }
  if (*newest != id) {
    return failure(path_ + ": update " + std::to_string(*newest) + " is the newest, want " +
                   std::to_string(id));
  }
  const std::string_view text = record.value();
  std::int64_t stamp = 0;
  const auto read_to = std::from_chars(text.data(), text.data() + text.size(), stamp);
  if (read_to.ec != std::errc{} || read_to.ptr != text.data() + text.size()) {
    return failure(path_ + ": update " + std::to_string(id) + " has no stamp");
  }
  return at - std::chrono::nanoseconds(stamp);
}

} // namespace peer::bench
