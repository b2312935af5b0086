// The consumer's process, as the producer sees it.
#ifndef PEER_PROCESS_H
#define PEER_PROCESS_H

#include "consumer.h"

typedef struct process {
  pid_t pid;
  bool ended;
  int status; // of waitpid(2), once it has ended
  int stat; // its file in /proc; -1 until it is needed
} process;

// Forks the consumer of a row.
bool process_start(process *p, row *r, shkv2_writer *writer, failure *f);

// Tells whether it has ended. Never blocks.
bool process_ended(process *p);

// Waits for one that has answered its last round.
bool process_finish(process *p, const row *r, failure *f);

// Puts into words why it has ended: its last words, or else its state. Waits a
// moment for the end, because a broken channel is the first sign of it. False: it
// has not ended, or there is nothing to say.
bool process_explain(process *p, const row *r, failure *f);

// Leaves nothing of it, whatever it was doing.
void process_kill(process *p);

// Tells whether it is in an interruptible sleep: 1, 0, or -1 and errno.
int process_asleep(process *p);

#endif
