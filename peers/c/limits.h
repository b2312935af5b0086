// Why there can be no message queue: the bare errno reads "too many open files"
// when the bytes of RLIMIT_MSGQUEUE are used up.
#ifndef PEER_LIMITS_H
#define PEER_LIMITS_H

#include "failure.h"

struct mq_attr;

// Fails with the limit that an mq_open has met, its value, and what was asked for.
bool limits_explain(const char *name, int number, const struct mq_attr *attr, failure *f);

#endif
