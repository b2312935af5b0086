// Numbers of the command line, read strictly: what only looks like one is refused.
#ifndef PEER_NUMBER_H
#define PEER_NUMBER_H

#include "failure.h"

#include <stdint.h>

// A number of things: decimal digits and nothing else, below 2^64.
bool number_count(const char *text, uint64_t *count, failure *f);

// Whole milliseconds, as nanoseconds that an int64_t can hold.
bool number_millis(const char *text, int64_t *nanoseconds, failure *f);

// The permission bits of a file, in octal.
bool number_mode(const char *text, unsigned *mode, failure *f);

#endif
