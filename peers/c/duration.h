// Durations with their unit, such as 500ms, 30s or 1m30s.
#ifndef PEER_DURATION_H
#define PEER_DURATION_H

#include "failure.h"

#include <stdint.h>

// Reads a duration. 0 needs no unit.
bool duration_parse(const char *text, int64_t *nanoseconds, failure *f);

// Room for the text of any duration.
#define DURATION_SIZE 64

// Puts a duration into words: 1h2m3.5s, 50ms, 1.5µs, 0s. Returns text.
const char *duration_print(int64_t nanoseconds, char text[DURATION_SIZE]);

#endif
