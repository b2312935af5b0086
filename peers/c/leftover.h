// Queues of benches whose both processes were killed: a queue lives until it is
// unlinked.
#ifndef PEER_LEFTOVER_H
#define PEER_LEFTOVER_H

// Unlinks them. Queues can only be listed where their file system is mounted;
// elsewhere nothing is done.
void leftover_remove(void);

#endif
