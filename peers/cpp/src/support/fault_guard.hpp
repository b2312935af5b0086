// A file that is cut short under its mapping must not kill the program.
#pragma once

#include <csignal>
#include <cstddef>
#include <span>

namespace peer {

/// While it lives, an access to a page whose file became too short finds zeros in
/// a private page instead of ending the process by SIGBUS. Whoever copies from or
/// stores to the page asks afterwards whether that happened.
///
/// One at a time: signal handlers know nothing but what is static.
class fault_guard {
public:
  /// Guards a mapping that starts at a multiple of the machine's page size.
  explicit fault_guard(std::span<std::byte> mapping) noexcept;
  fault_guard(const fault_guard &) = delete;
  fault_guard &operator=(const fault_guard &) = delete;
  ~fault_guard();

  /// Tells whether the page was lost since the guard began.
  [[nodiscard]] bool hit() const noexcept;

private:
  struct sigaction before_ {};
};

} // namespace peer
