#include "producer.h"

#include "fault.h"
#include "page.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

// How long the producer spins for an answer before it sleeps: more than a wake-up
// takes, so that the next publish follows the answer at once.
#define SPIN_FOR (300 * SHMKV_SECOND / 1000000)

// One sleep for an answer. After so many the consumer has not been waiting but is
// lost. They count only while this process runs.
#define SLICE (SHMKV_SECOND / 10)
#define MOST_SLICES 100

// Lets a consumer that is asleep settle: a processor that has just gone idle wakes
// faster than one that has been so for a while.
#define GAP (20 * SHMKV_SECOND / 1000000)

// Fails when there is nobody to wait for, or a reason to stop.
static bool alive(producer *p) {
  if (stop_why() == STOP_CUT) {
    return page_cut(&p->writer->segment, p->f);
  }
  if (stop_why() == STOP_SIGNAL) {
    return fail(p->f, "%s: %" PRIu64 " of %" PRIu64 " rounds", stop_text(), p->id - p->row->after,
        p->row->rounds);
  }
  if (stop_why() == STOP_READER) {
    return fail_quietly(p->f);
  }
  return !process_ended(p->child) || fail(p->f, "%s", channel_other_gone);
}

// Sleeps until a word of the control is what it should be.
static bool await_asleep(producer *p, _Atomic uint32_t *word, uint32_t want) {
  for (int slices = 0; slices < MOST_SLICES;) {
    uint32_t found = atomic_load(word);
    if (found == want) {
      return true;
    }
    if (!alive(p)) {
      return false;
    }
    if (shmkv_os_futex_wait(word, found, SLICE) != 0 && errno == ETIMEDOUT) {
      slices++;
    }
  }
  return fail(p->f, "the consumer has not answered for 10s");
}

// Waits for the consumer: first spinning, then asleep.
static bool await(producer *p, _Atomic uint32_t *word, uint32_t want) {
  control *shared = p->row->control;
  int64_t start = shmkv_os_now();
  do {
    for (int i = 0; i < 64; i++) {
      if (atomic_load(word) == want) {
        return true;
      }
    }
    (void)sched_yield(); // on a single processor, the consumer needs it
  } while (shmkv_os_now() - start < SPIN_FOR);
  atomic_store(&shared->waiting, 1); // pairs with the load in control_post
  bool good = await_asleep(p, word, want);
  atomic_store(&shared->waiting, 0);
  return good;
}

// Waits until the consumer sleeps in the FUTEX_WAIT of this round.
static bool await_parked(producer *p, uint64_t round) {
  if (!await(p, &p->row->control->armed, (uint32_t)round)) {
    return false;
  }
  int64_t start = shmkv_os_now();
  for (int asleep = 0; asleep == 0; (void)sched_yield()) {
    asleep = process_asleep(p->child);
    if (asleep < 0) {
      return alive(p) && fail_errno(p->f, "/proc/PID/stat");
    }
    if (asleep == 0 && !alive(p)) {
      return false;
    }
    if (asleep == 0 && shmkv_os_now() - start > MOST_SLICES * SLICE) {
      return fail(p->f, "the consumer does not fall asleep");
    }
  }
  for (start = shmkv_os_now(); shmkv_os_now() - start < GAP;) {
  }
  return true;
}

// Publishes an update whose value is the time, and signals it.
static bool publish(producer *p) {
  char key[sizeof "k18446744073709551615"], value[sizeof "-9223372036854775808"];
  shkv2_slot slot;
  int key_size = snprintf(key, sizeof key, "k%" PRIu64, p->id + 1);
  (void)shkv2_slot_set_key(&slot, key, (size_t)key_size);
  int value_size = snprintf(value, sizeof value, "%" PRId64, shmkv_os_now());
  (void)shkv2_slot_set_value(&slot, value, (size_t)value_size);
  // shkv2_publish_slot would wake too, and the signal of most channels is another.
  p->id = shmkv_publish(p->writer->segment.page, &shkv2_seqlock, &slot); // W1 to W6
  bool sent = p->row->channel->signal(&p->row->ends, p->writer, p->id, p->f); // W7
  return (!fault_seen() || page_whole(&p->writer->segment, p->f)) && sent;
}

bool producer_run(producer *p, result *figures) {
  row *r = p->row;
  control *shared = r->control;
  if (!await(p, &shared->ack, 1)) {
    return false;
  }
  for (uint64_t round = 1; round <= r->rounds; round++) {
    if (stop_why() != STOP_NONE) { // an answer that comes at once asks nobody
      return alive(p);
    }
    if (r->channel->parked && !await_parked(p, round)) {
      return false;
    }
    if (!publish(p) || !await(p, &shared->ack, (uint32_t)round + 1)) {
      return false;
    }
    bool counts = !r->channel->parked || shared->woken;
    if (counts && !result_add(figures, shared->latency)) {
      return fail_errno(p->f, "the latencies of so many rounds");
    }
    figures->slept += shared->slept;
  }
  result_finish(figures, r->rounds);
  // Fewer than 99 in 100 rounds parked: the figure would be of something else.
  if (r->channel->parked && figures->unobserved > r->rounds / 100) {
    return fail(p->f, "only %zu of %" PRIu64 " rounds found the consumer asleep: no figure",
        figures->count, r->rounds);
  }
  return true;
}
