// The message queue of the channel mq, as those who tidy up know it.
#ifndef PEER_QUEUE_H
#define PEER_QUEUE_H

// A queue is named by this and the producer's process id. mq_open(3) wants a slash
// before it, which the kernel does not see.
#define QUEUE_PREFIX "shmkv-bench-"

// Removes the name of this process's queue, if there is one. Fit for a signal
// handler.
void queue_remove(void);

#endif
