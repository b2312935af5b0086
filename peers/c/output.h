// Lines on standard output and standard error, one write(2) each: whoever reads
// gets each at once, and one who does not read never keeps the program alive.
#ifndef PEER_OUTPUT_H
#define PEER_OUTPUT_H

#include "failure.h"

#include <shmkv/shkv2.h>
#include <stdint.h>

typedef struct output {
  int fd;
  const char *name; // for messages
  int64_t until; // when a reader who does not read is given up; STOP_NEVER
} output;

// Writes one line, its newline included. SHMKV_CANCELLED and SHMKV_TIMED_OUT:
// while the reader did not read. SHMKV_SYSTEM: it failed, without a word where the
// reader has left.
shmkv_code output_line(const output *out, const char *line, size_t size, failure *f);

#endif
