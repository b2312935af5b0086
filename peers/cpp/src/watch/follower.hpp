// A page that is followed, update by update.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "shmkv/shkv2.hpp"
#include "support/failure.hpp"
#include "support/fault_guard.hpp"
#include "watch/run_end.hpp"

namespace peer {

/// The wait of shkv2::reader can not be ended from outside, and so this one takes the
/// steps of the generated code one by one, with a look at the end before each sleep.
class follower {
public:
  [[nodiscard]] static result<follower> open(const std::string &path);

  /// Waits for updates after those that were given before, and gives what the ring
  /// still keeps of them. errc::cancelled when the run is over.
  [[nodiscard]] result<shkv2::batch> next(const run_end &end);

  /// Tells whether a writer holds the lock. If the kernel does not say: yes.
  [[nodiscard]] bool has_writer() const noexcept {
    return shmkv_segment_alive(&page_.segment()) != 0;
  }

  [[nodiscard]] int fd() const noexcept {
    return page_.segment().fd;
  }

private:
  explicit follower(shmkv::mapping page);

  [[nodiscard]] shmkv_code look(
      shkv2::batch &into, const run_end &end, std::uint32_t &n, std::uint64_t &newest) const;

  shmkv::mapping page_;
  std::unique_ptr<fault_guard> guard_;
  std::uint64_t last_ = 0;
};

} // namespace peer
