#include "result.h"

#include <errno.h>
#include <stdlib.h>

bool result_add(result *r, int64_t latency) {
  if (r->count == r->room) {
    size_t room = r->room == 0 ? 4096 : 2 * r->room;
    if (room > SIZE_MAX / sizeof *r->latencies) {
      errno = ENOMEM;
      return false;
    }
    int64_t *more = realloc(r->latencies, room * sizeof *more);
    if (more == NULL) {
      return false;
    }
    r->latencies = more;
    r->room = room;
  }
  r->latencies[r->count++] = latency < 0 ? 0 : latency; // the clock of another processor
  return true;
}

static int compare(const void *a, const void *b) {
  const int64_t *left = a, *right = b;
  return (*left > *right) - (*left < *right);
}

void result_finish(result *r, uint64_t rounds) {
  r->unobserved = rounds - r->count;
  if (r->count != 0) {
    qsort(r->latencies, r->count, sizeof *r->latencies, compare);
  }
}

int64_t result_percentile(const result *r, unsigned percent) {
  uint64_t rank = ((uint64_t)r->count * percent + 99) / 100; // rounded up, from 1
  return rank == 0 ? 0 : r->latencies[rank - 1];
}

void result_free(result *r) {
  free(r->latencies);
  *r = (result){.latencies = NULL};
}
