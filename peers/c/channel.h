// The channels of bench: by which kernel object one process wakes another.
#ifndef PEER_CHANNEL_H
#define PEER_CHANNEL_H

#include "failure.h"

#include <shmkv/shkv2.h>

#define CHANNELS 7

struct consumer;

// What a channel holds while it is open. Both processes have it: the consumer is
// a fork of the producer.
typedef struct ends {
  int ours; // the producer's descriptor; -1: none
  int theirs; // the consumer's; may be the same
  int queue; // an mqd_t
} ends;

// The producer's signal takes the place of W7, the futex wake: every other step of
// a publish is the same in each row.
typedef struct channel {
  const char *name;

  // Rows that publish only to a consumer that is asleep, and count no other round.
  bool parked;

  bool (*open)(ends *e, failure *f);
  void (*close)(ends *e);

  // Signals update id, which is in the page.
  bool (*signal)(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);

  // Blocks until the channel says that update id is there, which is published in
  // the given round.
  bool (*wait)(struct consumer *c, uint64_t round, uint64_t id, failure *f);
} channel;

// Reads a list of channels: names with commas between them, or all.
bool channel_list(const char *text, const channel *list[CHANNELS], size_t *count, failure *f);

// The error of a channel whose other process has ended.
extern const char channel_other_gone[];

// The parts of the table, file by file.
bool channel_no_open(ends *e, failure *f);
void channel_no_close(ends *e);

bool futex_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);
bool futex_wait(struct consumer *c, uint64_t round, uint64_t id, failure *f);
bool futex_wait_parked(struct consumer *c, uint64_t round, uint64_t id, failure *f);

bool pipe_open(ends *e, failure *f);
bool eventfd_open(ends *e, failure *f);
bool socket_open(ends *e, failure *f);
void stream_close(ends *e);
bool stream_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);
bool eventfd_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);
bool stream_wait(struct consumer *c, uint64_t round, uint64_t id, failure *f);

bool queue_open(ends *e, failure *f);
void queue_close(ends *e);
bool queue_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);
bool queue_wait(struct consumer *c, uint64_t round, uint64_t id, failure *f);

bool poll_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f);
bool poll_wait(struct consumer *c, uint64_t round, uint64_t id, failure *f);

#endif
