#define _GNU_SOURCE // RUSAGE_THREAD
#include "consumer.h"

#include "fault.h"
#include "page.h"
#include "queue.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

// ---- A process of its own ------------------------------------------------------

// After a SIGKILL of the producer there is nobody else to remove its queue.
static void on_end(int number) {
  queue_remove();
  (void)raise(number); // its default now, once this handler returns
}

// Ends this process when the producer ends.
static void end_with(pid_t producer) {
  struct sigaction end = {.sa_handler = on_end, .sa_flags = (int)SA_RESETHAND};
  sigset_t none;
  (void)sigaction(SIGTERM, &end, NULL);
  (void)sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0UL, 0UL, 0UL);
  if (getppid() != producer) { // it had ended before that
    (void)raise(SIGTERM);
  }
}

// Gives back what the fork copied of the producer. shkv2_close_writer would also
// give up the writer lock, which is the producer's.
static void forget(row *r, shkv2_writer *writer) {
  (void)munmap(writer->segment.page, SHKV2_SIZE);
  (void)close(writer->segment.fd);
  if (r->ends.ours >= 0 && r->ends.ours != r->ends.theirs) {
    (void)close(r->ends.ours); // the end of the producer is the end of the stream
  }
}

// ---- Rounds --------------------------------------------------------------------

bool consumer_read(const consumer *c, uint64_t id, bool *there, shkv2_slot *slot, failure *f) {
  const shmkv_segment *page = &c->reader.segment;
  const size_t index = (size_t)((id - 1) % SHKV2_SLOTS_COUNT);
  uint64_t counter = 0;
  // shkv2_read_slot does the same, but keeps the counter to itself.
  shmkv_code code = shmkv_read_slot(page->page, &shkv2_seqlock, index, slot, &counter);
  if (fault_seen()) {
    return page_cut(page, f);
  }
  if (code != SHMKV_OK) {
    return page_fail(f, page, code);
  }
  *there = counter - id <= UINT64_MAX / 2; // modulo 2^64, as the counter counts
  if (counter - id - 1 <= UINT64_MAX / 2) {
    return fail(
        f, "%s: update %" PRIu64 " is the newest, want %" PRIu64, c->row->file, counter, id);
  }
  return true;
}

// Copies update id and measures how old it is.
static bool observe(const consumer *c, uint64_t id, failure *f) {
  shkv2_slot slot;
  bool there = false;
  if (!consumer_read(c, id, &there, &slot, f)) {
    return false;
  }
  int64_t now = shmkv_os_now();
  if (!there) {
    return fail(f, "%s: woken without update %" PRIu64, c->row->file, id);
  }
  char text[sizeof slot.value + 1] = "";
  char *end;
  shmkv_text value = shkv2_slot_value(&slot);
  memcpy(text, value.data, value.size);
  int64_t stamp = strtoll(text, &end, 10);
  if (end == text || *end != '\0') {
    return fail(f, "%s: update %" PRIu64 " has no stamp", c->row->file, id);
  }
  c->row->control->latency = now - stamp;
  return true;
}

// Counts how often this process gave up its processor.
static long voluntary_switches(void) {
  struct rusage usage = {.ru_nvcsw = 0};
  (void)getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

static bool rounds(consumer *c, failure *f) {
  row *r = c->row;
  long switches = voluntary_switches();
  control_answer(r->control, 0);
  for (uint64_t round = 1; round <= r->rounds; round++) {
    uint64_t id = r->after + round;
    if (!r->channel->wait(c, round, id, f) || !observe(c, id, f)) {
      return false;
    }
    long now = voluntary_switches();
    r->control->slept = now != switches;
    r->control->woken = c->woken;
    switches = now;
    control_answer(r->control, round);
  }
  return true;
}

void consumer_run(row *r, shkv2_writer *writer) {
  consumer c = {.row = r};
  failure f = {""};
  (void)setpgid(0, 0); // signals of the terminal are the producer's to handle
  end_with(r->producer);
  forget(r, writer);
  shmkv_code code = shkv2_open(&c.reader, r->file);
  bool good = code == SHMKV_OK;
  if (good) {
    fault_guard(c.reader.segment.page, SHKV2_SIZE);
    good = rounds(&c, &f);
  } else {
    (void)page_fail(&f, &c.reader.segment, code);
  }
  if (!good) {
    r->control->reason = f; // the producer reads it when this process has ended
  }
  _exit(good ? EXIT_DONE : EXIT_FAILED);
}
