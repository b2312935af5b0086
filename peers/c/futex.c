// The channels futex and futex-parked: the page's own futex word.
#include "consumer.h"
#include "page.h"

#include <errno.h>

bool futex_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f) {
  (void)e;
  (void)id;
  (void)f;
  (void)shkv2_wake(writer); // W7, pairs with F3
  return true;
}

// The loop F1 to F4 for one known update. With an armed word it says so before
// each sleep.
static bool wait_for(consumer *c, uint64_t round, uint64_t id, bool arm, failure *f) {
  const shmkv_segment *page = &c->reader.segment;
  const void *word = shmkv_at(page->page, SHKV2_WAKE_OFFSET);
  control *shared = c->row->control;
  shkv2_slot slot;
  bool there = false;
  c->woken = false;
  for (;;) {
    uint32_t expected = shkv2_get_wake(page->page); // F1, pairs with W6
    if (!consumer_read(c, id, &there, &slot, f)) { // F2
      return false;
    }
    if (there) {
      return true;
    }
    if (arm) {
      control_post(shared, &shared->armed, (uint32_t)round);
    }
    if (shmkv_os_futex_wait(word, expected, 2 * SHMKV_SECOND) == 0) { // F3, pairs with W7
      c->woken = true;
    } else if (errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT) {
      int number = errno;
      if (!page_whole(page, f)) { // most often the reason
        return false;
      }
      errno = number;
      return fail_errno(f, "futex");
    }
  } // F4
}

bool futex_wait(consumer *c, uint64_t round, uint64_t id, failure *f) {
  return wait_for(c, round, id, false, f);
}

bool futex_wait_parked(consumer *c, uint64_t round, uint64_t id, failure *f) {
  return wait_for(c, round, id, true, f);
}
