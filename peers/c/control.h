// What the two processes of a row share beside the page: the consumer's answers.
#ifndef PEER_CONTROL_H
#define PEER_CONTROL_H

#include "failure.h"

#include <stdatomic.h>
#include <stdint.h>

// Plain fields belong to the consumer until it stores ack, and to the producer
// from then until its next publish.
typedef struct control {
  _Atomic uint32_t ack; // the round answered + 1; 1: ready; 0: not yet
  _Atomic uint32_t waiting; // the producer sleeps on ack or armed

  int64_t latency; // of the round answered, in ns
  bool slept; // the consumer gave up its processor
  bool woken; // it was a wake that ended the consumer's FUTEX_WAIT

  // The round before whose publish the consumer is about to sleep.
  _Alignas(64) _Atomic uint32_t armed; // in a cache line of its own

  // Why the consumer ended before its last round.
  _Alignas(64) failure reason;
} control;

// Makes a control that a fork will share.
control *control_make(failure *f);
void control_free(control *c);

// Stores a word that the producer may sleep on, and wakes it if it does.
void control_post(control *c, _Atomic uint32_t *word, uint32_t value);

// Tells the producer that a round is done (0: ready for the first).
void control_answer(control *c, uint64_t round);

#endif
