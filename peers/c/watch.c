// watch: a reader of a page that prints each update as it comes.
#include "command.h"
#include "duration.h"
#include "page.h"
#include "print.h"
#include "stop.h"

#include <inttypes.h>
#include <unistd.h>

typedef struct watch {
  const watch_args *args;
  shkv2_reader reader;
  printer printer;
  int64_t until; // when the time is up; STOP_NEVER
  uint64_t last; // the newest update that was copied
  uint64_t seen; // updates printed
  failure *f;
} watch;

// ---- Opening -----------------------------------------------------------------

// How often a file that is waited for is looked for.
#define LOOK_EVERY (25 * SHMKV_SECOND / 1000)

// How long a file of the wrong size or without its magic may be one whose writer
// has not finished it. Creating a page here shows no such file, but other writers
// may open, resize and format in place.
#define HALF_MADE (2 * SHMKV_SECOND)

// Puts into words why the wait for the file has ended without one. A run without
// a number to reach that is stopped by a signal has not failed.
static shmkv_code gave_up(watch *w, shmkv_code ended, shmkv_code last) {
  char time[DURATION_SIZE];
  const char *file = w->args->file, *why = shmkv_message(&w->reader.segment, last);
  if (ended == SHMKV_TIMED_OUT) {
    (void)fail(w->f, "%s: timed out after %s while waiting for the file: %s", file,
        duration_print(w->args->timeout, time), why);
  } else if (stop_why() == STOP_READER) {
    (void)fail_quietly(w->f);
  } else if (w->args->events == 0) {
    return SHMKV_CANCELLED;
  } else {
    (void)fail(w->f, "%s: %s while waiting for the file: %s", file, stop_text(), why);
  }
  return SHMKV_SYSTEM;
}

// Opens the page, and with --wait waits for it to appear. SHMKV_CANCELLED: there
// is none, and that is no failure.
static shmkv_code open_page(watch *w) {
  int64_t since = 0; // the file was first seen half made
  for (;;) {
    shmkv_code code = shkv2_open(&w->reader, w->args->file);
    if (code == SHMKV_OK) {
      return SHMKV_OK;
    }
    int64_t now = shmkv_os_now();
    bool half = code == SHMKV_WRONG_SIZE || code == SHMKV_BAD_MAGIC;
    since = half ? (since == 0 ? now : since) : 0;
    if (!w->args->wait || (!half && code != SHMKV_NOT_FOUND) || (half && now - since > HALF_MADE)) {
      (void)page_fail(w->f, &w->reader.segment, code);
      return SHMKV_SYSTEM;
    }
    int64_t next = now + LOOK_EVERY;
    shmkv_code ended = stop_sleep(next < w->until ? next : w->until);
    if (ended == SHMKV_CANCELLED || shmkv_os_now() >= w->until) {
      return gave_up(w, ended, code);
    }
  }
}

// ---- Following ---------------------------------------------------------------

// One look at the page, F2: copies all updates behind w->last that the ring still
// keeps. Returns their number, or a negative code.
static int look(watch *w, shkv2_update *updates) {
  const void *page = w->reader.segment.page;
  const shmkv_updates out = {updates, sizeof *updates, offsetof(shkv2_update, slot)};
  shmkv_backoff backoff = {0, 0, 0};
  shmkv_deadline own = {INT64_MAX, 0}; // the one of this command is looked at here
  uint32_t n = 0;
  uint64_t counter = 0;
  while (!shmkv_try_updates(page, &shkv2_seqlock, w->last, out, &n, &counter)) {
    shmkv_code code = shmkv_back_off(&backoff, &own);
    if (code != SHMKV_OK) {
      return -(int)code;
    }
    if (stop_why() != STOP_NONE) {
      return -SHMKV_CANCELLED;
    }
    if (backoff.start != 0 && shmkv_os_now() >= w->until) {
      return -SHMKV_TIMED_OUT;
    }
  }
  if (n != 0 || counter - w->last > UINT64_MAX / 2) { // the latter: it was started over
    w->last = counter;
  }
  return (int)n;
}

// Waits for updates, F1 to F4. Returns their number, or a negative code. The
// generated shkv2_wait does the same, but no signal ends it.
static int next_updates(watch *w, shkv2_update *updates) {
  const shmkv_segment *page = &w->reader.segment;
  for (;;) {
    if (stop_why() != STOP_NONE) {
      return -SHMKV_CANCELLED;
    }
    uint32_t word = shkv2_get_wake(page->page); // F1, before F2; pairs with W6
    int n = look(w, updates); // F2
    if (!page_whole(page, w->f)) {
      return -SHMKV_TRUNCATED; // and what was read is rubbish
    }
    if (n != 0) {
      return n;
    }
    shmkv_deadline until = {0, w->until};
    shmkv_code code = shmkv_sleep(page, word, &until); // F3
    if (code == SHMKV_SYSTEM) {
      (void)page_fail(w->f, page, code);
    }
    if (code != SHMKV_OK && code != SHMKV_TRUNCATED) { // page_whole puts that into words
      return -(int)code;
    }
  } // F4
}

// Prints updates until all that were asked for are told.
static shmkv_code follow(watch *w) {
  shkv2_update updates[SHKV2_SLOTS_COUNT];
  shmkv_code code = print_start(&w->printer, w->args->file, w->args->events, w->f);
  while (code == SHMKV_OK) {
    int n = next_updates(w, updates);
    if (n < 0) {
      return (shmkv_code)-n;
    }
    for (int i = 0; i < n && code == SHMKV_OK; i++) {
      code = print_update(&w->printer, &updates[i], w->f);
      if (code == SHMKV_OK && ++w->seen == w->args->events) {
        return print_complete(&w->printer, w->seen, w->f);
      }
    }
    if (code == SHMKV_OK && shmkv_os_now() >= w->until) {
      return SHMKV_TIMED_OUT; // also where a busy writer always has something new
    }
  }
  return code;
}

// ---- Ending ------------------------------------------------------------------

static const char *note_on_writer(const watch *w) {
  return shkv2_alive(&w->reader) == 0 ? "; no writer is alive" : "";
}

// What the end of the time, or a signal, makes of the run.
static bool ended_early(const watch *w, const char *why) {
  return w->args->events == 0 ||
         fail(w->f, "%s: %s: %" PRIu64 " of %" PRIu64 " updates seen%s", w->args->file, why,
             w->seen, w->args->events, note_on_writer(w));
}

// Tells whether the run was a success; if not, the failure says why.
static bool ended(const watch *w, shmkv_code code) {
  char time[DURATION_SIZE], text[DURATION_SIZE + 32];
  switch (code) {
  case SHMKV_OK:
    return true;
  case SHMKV_SYSTEM: // it is in words already
  case SHMKV_TRUNCATED:
    return false;
  case SHMKV_TIMED_OUT:
    (void)snprintf(text, sizeof text, "timed out after %s", duration_print(w->args->timeout, time));
    return ended_early(w, text);
  case SHMKV_CANCELLED:
    switch (stop_why()) {
    case STOP_READER:
      return fail_quietly(w->f);
    case STOP_CUT:
      return page_cut(&w->reader.segment, w->f);
    default:
      return ended_early(w, stop_text());
    }
  case SHMKV_LIVELOCKED:
    return fail(w->f, "%s%s", shmkv_message(&w->reader.segment, code), note_on_writer(w));
  default:
    return page_fail(w->f, &w->reader.segment, code);
  }
}

static bool run(watch *w) {
  if (!stop_begin(STDOUT_FILENO, w->f)) {
    return false;
  }
  shmkv_code code = open_page(w);
  if (code != SHMKV_OK) {
    return code == SHMKV_CANCELLED;
  }
  page_guard(&w->reader.segment);
  bool good = ended(w, follow(w));
  shkv2_close_reader(&w->reader);
  return good;
}

int command_watch(const watch_args *args) {
  failure f = {""};
  int64_t now = shmkv_os_now();
  bool endless = args->timeout == 0 || args->timeout > INT64_MAX - now;
  int64_t until = endless ? STOP_NEVER : now + args->timeout;
  watch w = {.args = args, .printer = print_begin(args->json, until), .until = until, .f = &f};
  if (run(&w)) {
    return EXIT_DONE;
  }
  failure_tell(&f);
  return EXIT_FAILED;
}
