// The channel mq: a POSIX message queue that carries the update's id.
#define _GNU_SOURCE
#include "queue.h"

#include "consumer.h"
#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// mqd_t is a descriptor on Linux.
_Static_assert(sizeof(mqd_t) == sizeof(int), "mqd_t fits into ends");

// With its slash; empty: there is none.
static char queue_name[sizeof "/" QUEUE_PREFIX + 20];

void queue_remove(void) {
  if (queue_name[0] != '\0') {
    (void)mq_unlink(queue_name);
  }
}

bool queue_open(ends *e, failure *f) {
  struct mq_attr attr = {.mq_maxmsg = 8, .mq_msgsize = 8};
  (void)snprintf(queue_name, sizeof queue_name, "/" QUEUE_PREFIX "%ld", (long)getpid());
  for (int attempt = 0;; attempt++) {
    e->queue = mq_open(queue_name, O_RDWR | O_CREAT | O_EXCL, (mode_t)0600, &attr);
    if (e->queue != (mqd_t)-1) {
      return true;
    }
    // One that is there already was left by a dead process that had the same id,
    // and may hold its messages.
    if (errno != EEXIST || attempt > 0 || mq_unlink(queue_name) != 0) {
      break;
    }
  }
  (void)limits_explain(queue_name + 1, errno, &attr, f);
  queue_name[0] = '\0';
  return false;
}

void queue_close(ends *e) {
  queue_remove(); // before the close: the name is what must not stay
  queue_name[0] = '\0';
  (void)mq_close(e->queue);
}

// One send or receive blocks for a second at most.
static struct timespec deadline(void) {
  struct timespec at;
  (void)clock_gettime(CLOCK_REALTIME, &at);
  at.tv_sec++;
  return at;
}

bool queue_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f) {
  char message[8];
  struct timespec until = deadline();
  (void)writer;
  memcpy(message, &id, sizeof message);
  int rc;
  do { // the deadline is absolute: a repeat does not stretch it
    rc = mq_timedsend(e->queue, message, sizeof message, 0, &until);
  } while (rc != 0 && errno == EINTR);
  if (rc == 0) {
    return true;
  }
  if (errno == ETIMEDOUT) { // with one round in flight the queue is never full
    return fail(f, "the consumer has not answered");
  }
  return fail_errno(f, "mq_timedsend");
}

bool queue_wait(consumer *c, uint64_t round, uint64_t id, failure *f) {
  char message[8];
  uint64_t found = 0;
  unsigned priority;
  (void)round;
  for (;;) {
    struct timespec until = deadline();
    if (mq_timedreceive(c->row->ends.queue, message, sizeof message, &priority, &until) >= 0) {
      break;
    }
    // A producer that is gone ends this process; one that is stopped does not.
    if (errno != ETIMEDOUT && errno != EINTR) {
      return fail_errno(f, "mq_timedreceive");
    }
  }
  memcpy(&found, message, sizeof found);
  return found == id ||
         fail(f, "%s: message %" PRIu64 ", want %" PRIu64, queue_name + 1, found, id);
}
