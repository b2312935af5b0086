// serve: the writer of a page.
#define _GNU_SOURCE // S_IFREG
#include "command.h"
#include "lines.h"
#include "page.h"
#include "stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

// The times at which to publish.
typedef struct pace {
  int64_t interval; // 0: as fast as it goes
  int64_t due;
} pace;

static pace pace_begin(int64_t interval) {
  int64_t now = shmkv_os_now();
  return (pace){interval, interval > INT64_MAX - now ? INT64_MAX : now + interval};
}

// Waits for the next time. Returns false when there is a reason to stop. A program
// that was held up, by SIGSTOP say, does not catch up in a burst.
static bool pace_wait(pace *p) {
  if (p->interval == 0) {
    return stop_why() == STOP_NONE;
  }
  if (stop_sleep(p->due) == SHMKV_CANCELLED) {
    return false;
  }
  int64_t late = shmkv_os_now() - p->due;
  p->due += p->interval * (late / p->interval);
  p->due = p->interval > INT64_MAX - p->due ? INT64_MAX : p->due + p->interval;
  return true;
}

// What a reason to stop makes of the run: a clean end only where there was no
// number to reach.
static bool stopped(const shkv2_writer *w, const serve_args *args, uint64_t done, failure *f) {
  if (stop_why() == STOP_CUT) {
    return page_cut(&w->segment, f);
  }
  return args->updates == 0 || fail(f, "%s: %s: %" PRIu64 " of %" PRIu64 " updates published",
                                   args->file, stop_text(), done, args->updates);
}

// Publishes k<id>=value-<id>.
static bool publish_next(shkv2_writer *w, failure *f) {
  // The counter is this writer's own: no seqlock is needed to read it.
  uint64_t id = shkv2_get_counter(w->segment.page) + 1;
  char key[sizeof "k18446744073709551615"], value[sizeof "value-18446744073709551615"];
  (void)snprintf(key, sizeof key, "k%" PRIu64, id);
  (void)snprintf(value, sizeof value, "value-%" PRIu64, id);
  shmkv_code code = shkv2_publish(w, key, value, NULL);
  if (!page_whole(&w->segment, f)) {
    return false;
  }
  return code == SHMKV_OK || page_fail(f, &w->segment, code);
}

static bool publish_all(shkv2_writer *w, const serve_args *args, failure *f) {
  pace p = pace_begin(args->interval);
  for (uint64_t done = 0; args->updates == 0 || done < args->updates; done++) {
    if (!pace_wait(&p)) {
      return stopped(w, args, done, f);
    }
    if (!publish_next(w, f)) {
      return false;
    }
  }
  return true;
}

static bool serve(const serve_args *args, failure *f) {
  shkv2_writer writer;
  if (!stop_begin(-1, f)) {
    return false;
  }
  // The kind of file rides along because a mode of 0 alone means the default.
  shmkv_code code = shkv2_create(&writer, args->file, (unsigned)S_IFREG | args->mode);
  if (code != SHMKV_OK) {
    return page_fail(f, &writer.segment, code);
  }
  page_guard(&writer.segment);
  bool good = args->lines ? lines_publish(&writer, f) : publish_all(&writer, args, f);
  shkv2_close_writer(&writer);
  return good;
}

int command_serve(const serve_args *args) {
  failure f = {""};
  if (serve(args, &f)) {
    return EXIT_DONE;
  }
  failure_tell(&f);
  return EXIT_FAILED;
}
