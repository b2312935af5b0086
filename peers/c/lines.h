// Publishing what standard input says, line by line.
#ifndef PEER_LINES_H
#define PEER_LINES_H

#include "failure.h"

#include <shmkv/shkv2.h>

// Publishes each line as it comes, until the input ends or there is a reason to
// stop. A line that does not fit is never cut: it is reported with its number,
// skipped, and makes the end a failure.
bool lines_publish(shkv2_writer *writer, failure *f);

#endif
