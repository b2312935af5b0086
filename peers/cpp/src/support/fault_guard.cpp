#include "support/fault_guard.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

namespace peer {
namespace {

// Lock-free, so that a signal handler may use them.
constinit std::atomic<std::byte *> guarded{nullptr};
constinit std::atomic<std::size_t> guarded_size{0};
constinit std::atomic<bool> lost{false};
static_assert(std::atomic<std::byte *>::is_always_lock_free);

bool is_guarded(const void *address) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(guarded.load());
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return begin != 0 && at >= begin && at - begin < guarded_size.load();
}

// Puts zeros where the file was: the access is then repeated and ends. Any other
// fault is a defect, and kills the process when it is repeated.
extern "C" void on_fault(int, siginfo_t *info, void *) {
  const int number = errno;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (!is_guarded(info->si_addr) || ::mmap(guarded.load(), guarded_size.load(),
                                        PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) {
    std::signal(SIGBUS, SIG_DFL);
  } else {
    lost.store(true);
  }
  errno = number;
}

} // namespace

fault_guard::fault_guard(std::span<std::byte> mapping) noexcept {
  guarded.store(mapping.data());
  guarded_size.store(mapping.size());
  lost.store(false);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, &before_);
}

fault_guard::~fault_guard() {
  ::sigaction(SIGBUS, &before_, nullptr);
  guarded.store(nullptr);
}

bool fault_guard::hit() const noexcept {
  return lost.load();
}

} // namespace peer
