// What ends the program from outside: signals, a reader who leaves, a file cut
// short under a mapping.
//
// A thread of its own waits for all three. The main thread keeps to the page:
// once there is a reason to stop, each of its blocking calls ends within
// milliseconds with EINTR.
#ifndef PEER_STOP_H
#define PEER_STOP_H

#include "failure.h"

#include <shmkv/shkv2.h>
#include <stdint.h>

typedef enum stop_cause {
  STOP_NONE,
  STOP_SIGNAL, // SIGINT, SIGTERM, SIGQUIT or SIGHUP
  STOP_READER, // whoever reads the output has left
  STOP_CUT, // the file became shorter than the page
} stop_cause;

// Starts the watch. Call it once, from the main thread, before anything that may
// block. output is the descriptor whose reader may leave: only a pipe or socket
// has one; -1 for none.
bool stop_begin(int output, failure *f);

// Stops as soon as the file behind fd becomes shorter than the page. Where
// inotify(7) is not to be had, nothing happens.
void stop_when_cut(int fd);

// Why to stop, if at all. The first reason stays.
stop_cause stop_why(void);

// "stopped by SIGINT", once stop_why() is STOP_SIGNAL.
const char *stop_text(void);

// No time at all, for the functions below. Times are of the monotonic clock.
#define STOP_NEVER INT64_MAX

// Sleeps until a time: SHMKV_TIMED_OUT, or SHMKV_CANCELLED as soon as there is a
// reason to stop.
shmkv_code stop_sleep(int64_t until);

// Waits until a descriptor is ready for events, which includes its errors:
// SHMKV_OK. Else SHMKV_TIMED_OUT or SHMKV_CANCELLED as above.
shmkv_code stop_poll(int fd, short events, int64_t until);

#endif
