// The latencies of a row, and its figures.
#ifndef PEER_RESULT_H
#define PEER_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct result {
  int64_t *latencies; // in ns
  size_t count;
  size_t room;
  uint64_t slept; // rounds in which the consumer gave up its processor
  uint64_t unobserved; // rounds without a latency
} result;

// Adds a latency. False, and errno: there is no memory for it.
bool result_add(result *r, int64_t latency);

// Counts and sorts, after the last round.
void result_finish(result *r, uint64_t rounds);

// A percentile of the latencies, exactly: the smallest that so many percent of
// them do not exceed. 0 where there are none.
int64_t result_percentile(const result *r, unsigned percent);

void result_free(result *r);

#endif
