#define _GNU_SOURCE // MAP_ANONYMOUS
#include "control.h"

#include <shmkv/shkv2.h>
#include <sys/mman.h>

control *control_make(failure *f) {
  void *memory =
      mmap(NULL, sizeof(control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    (void)fail_errno(f, "mmap");
    return NULL;
  }
  return memory; // zero, as the kernel gives it
}

void control_free(control *c) {
  (void)munmap(c, sizeof *c);
}

void control_post(control *c, _Atomic uint32_t *word, uint32_t value) {
  // Both sides store, then load what the other stored, each sequentially
  // consistent: either the producer sees the word or this sees it waiting.
  atomic_store(word, value);
  if (atomic_load(&c->waiting) != 0) {
    (void)shmkv_os_futex_wake(word); // at worst the producer's slice ends by itself
  }
}

void control_answer(control *c, uint64_t round) {
  control_post(c, &c->ack, (uint32_t)round + 1);
}
