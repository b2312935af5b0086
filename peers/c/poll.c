// The channel poll: no kernel object, the consumer looks every millisecond.
#define _GNU_SOURCE // nanosleep
#include "consumer.h"

#include <errno.h>
#include <time.h>

bool poll_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f) {
  (void)e;
  (void)writer;
  (void)id;
  (void)f;
  return true;
}

bool poll_wait(consumer *c, uint64_t round, uint64_t id, failure *f) {
  const struct timespec period = {0, 1000 * 1000};
  shkv2_slot slot;
  bool there = false;
  (void)round;
  while (!there) {
    // Sleeps before it looks: an update never comes at the very moment of the
    // answer to the one before.
    if (nanosleep(&period, NULL) != 0 && errno != EINTR) {
      return fail_errno(f, "nanosleep");
    }
    if (!consumer_read(c, id, &there, &slot, f)) {
      return false;
    }
  }
  return true;
}
