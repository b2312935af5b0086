#include "lines.h"

#include "output.h"
#include "page.h"
#include "pair.h"
#include "stop.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct lines {
  shkv2_writer *writer;
  pair pair; // the line that is coming in
  uint64_t total;
  uint64_t refused;
} lines;

static void report(uint64_t line, const failure *why) {
  const output notes = {STDERR_FILENO, "/dev/stderr", STOP_NEVER};
  char text[sizeof why->text + 64];
  failure unheard; // the exit code tells too
  int size = snprintf(text, sizeof text, PROGRAM ": line %" PRIu64 ": %s\n", line, why->text);
  (void)output_line(&notes, text, (size_t)size, &unheard);
}

// Publishes the line that is complete now, or refuses it.
static bool finish_line(lines *l, failure *f) {
  shkv2_slot slot;
  failure why = {""};
  l->total++;
  bool good = pair_record(&l->pair, &slot, &why);
  memset(&l->pair, 0, sizeof l->pair);
  if (!good) {
    l->refused++;
    report(l->total, &why);
    return true;
  }
  (void)shkv2_publish_slot(l->writer, &slot);
  return page_whole(&l->writer->segment, f);
}

static bool take(lines *l, const char *bytes, size_t size, failure *f) {
  while (size != 0 && stop_why() == STOP_NONE) {
    const char *newline = memchr(bytes, '\n', size);
    size_t length = newline == NULL ? size : (size_t)(newline - bytes);
    pair_feed(&l->pair, bytes, length);
    if (newline == NULL) {
      return true;
    }
    if (!finish_line(l, f)) {
      return false;
    }
    bytes += length + 1;
    size -= length + 1;
  }
  return true;
}

// What the end of the input, or a reason to stop, makes of the run.
static bool finish(const lines *l, failure *f) {
  if (stop_why() == STOP_CUT) {
    return page_cut(&l->writer->segment, f);
  }
  return l->refused == 0 ||
         fail(f, "%" PRIu64 " of %" PRIu64 " lines refused", l->refused, l->total);
}

bool lines_publish(shkv2_writer *writer, failure *f) {
  lines l = {.writer = writer};
  char bytes[4096]; // a huge line needs no more memory than another
  while (stop_why() == STOP_NONE) {
    ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0) {
      if (!take(&l, bytes, (size_t)n, f)) {
        return false;
      }
    } else if (n == 0) {
      if (l.pair.any && !finish_line(&l, f)) { // the last line needs no newline
        return false;
      }
      break;
    } else if (errno == EAGAIN) { // the descriptor came to us as one that does not block
      (void)stop_poll(STDIN_FILENO, POLLIN, STOP_NEVER);
    } else if (errno != EINTR) {
      return fail_errno(f, "read /dev/stdin");
    }
  }
  return finish(&l, f);
}
