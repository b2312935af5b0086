#define _GNU_SOURCE // MAP_ANONYMOUS
#include "fault.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

static char *volatile guarded;
static volatile size_t guarded_size;
static volatile sig_atomic_t seen;

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)guarded;
  // mmap(2) is not in POSIX's list for handlers, but on Linux it is a bare system
  // call, and the fault is of this very thread.
  if (guarded == NULL || offset >= guarded_size ||
      mmap(guarded, guarded_size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS,
          -1, 0) == MAP_FAILED) {
    (void)signal(number, SIG_DFL); // the access is tried again, and ends the program
    return;
  }
  seen = 1;
}

void fault_guard(void *page, size_t size) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  guarded = page;
  guarded_size = size;
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(SIGBUS, &action, NULL);
}

bool fault_seen(void) {
  atomic_signal_fence(memory_order_seq_cst); // after the accesses that may have faulted
  return seen != 0;
}
