// The page as a consumer sees it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "shmkv/shkv2.hpp"
#include "support/failure.hpp"
#include "support/fault_guard.hpp"

namespace peer::bench {

class consumer_page {
public:
  /// Binds to an open page, which it keeps.
  consumer_page(std::string path, shmkv::mapping page);

  /// The futex word, F1.
  [[nodiscard]] std::uint32_t word() const noexcept;

  /// Tells whether the page has come to an update, F2.
  [[nodiscard]] result<bool> reached(std::uint64_t id) const;

  /// Sleeps while the futex word is the one given, 2 s at most, F3. Tells whether a
  /// wake ended it.
  [[nodiscard]] result<bool> sleep(std::uint32_t word) const;

  /// Copies an update, which must be the newest, and returns how old it is then.
  [[nodiscard]] result<std::chrono::nanoseconds> observe(std::uint64_t id) const;

private:
  [[nodiscard]] result<std::uint64_t> read(std::uint64_t id, shkv2::slot &record) const;

  std::string path_;
  shmkv::mapping page_;
  fault_guard guard_;
};

/// The time as a record carries it: the same in both processes.
[[nodiscard]] inline std::chrono::nanoseconds now() noexcept {
  return std::chrono::steady_clock::now().time_since_epoch();
}

} // namespace peer::bench
