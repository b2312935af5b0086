// The consumer of a row: the process that is woken.
#ifndef PEER_CONSUMER_H
#define PEER_CONSUMER_H

#include "channel.h"
#include "control.h"

#include <sys/types.h>

// A row of the table, as both processes know it.
typedef struct row {
  const char *file;
  const channel *channel;
  uint64_t rounds;
  uint64_t after; // the counter of the page before the first round
  pid_t producer;
  ends ends;
  control *control;
} row;

typedef struct consumer {
  row *row;
  shkv2_reader reader;
  bool woken; // it was a wake that ended the FUTEX_WAIT of this round
} consumer;

// Is the consumer from the fork to its end: after the last round, or with the
// producer, however that ends. writer is the producer's, which the fork has copied.
_Noreturn void consumer_run(row *r, shkv2_writer *writer);

// Copies the record of update id, if it has come: *there.
bool consumer_read(const consumer *c, uint64_t id, bool *there, shkv2_slot *slot, failure *f);

#endif
