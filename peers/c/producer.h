// The producer of a row: the process that wakes.
#ifndef PEER_PRODUCER_H
#define PEER_PRODUCER_H

#include "process.h"
#include "result.h"

typedef struct producer {
  row *row;
  shkv2_writer *writer;
  process *child;
  uint64_t id; // of the last update
  failure *f;
} producer;

// Runs all rounds of a row whose consumer has just been started.
bool producer_run(producer *p, result *figures);

#endif
