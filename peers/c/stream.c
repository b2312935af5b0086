// The channels pipe, eventfd and unix: 8-byte messages over descriptors.
#define _GNU_SOURCE // pipe2
#include "consumer.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

bool pipe_open(ends *e, failure *f) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) {
    return fail_errno(f, "pipe2");
  }
  e->theirs = fds[0];
  e->ours = fds[1];
  return true;
}

bool socket_open(ends *e, failure *f) {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    return fail_errno(f, "socketpair");
  }
  e->theirs = fds[0];
  e->ours = fds[1];
  return true;
}

bool eventfd_open(ends *e, failure *f) {
  int fd = eventfd(0, EFD_CLOEXEC);
  if (fd < 0) {
    return fail_errno(f, "eventfd2");
  }
  e->theirs = e->ours = fd;
  return true;
}

void stream_close(ends *e) {
  if (e->theirs >= 0 && e->theirs != e->ours) {
    (void)close(e->theirs);
  }
  (void)close(e->ours);
}

static bool send_word(int fd, uint64_t message, failure *f) {
  ssize_t n;
  do { // 8 bytes go whole or not at all: there is room for them
    n = write(fd, &message, sizeof message);
  } while (n < 0 && errno == EINTR);
  if (n >= 0) {
    return true;
  }
  if (errno == EPIPE || errno == ECONNRESET) {
    return fail(f, "%s", channel_other_gone);
  }
  return fail_errno(f, "write");
}

bool stream_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f) {
  (void)writer;
  return send_word(e->ours, id, f);
}

bool eventfd_signal(const ends *e, shkv2_writer *writer, uint64_t id, failure *f) {
  (void)writer;
  (void)id;
  return send_word(e->ours, 1, f); // what is written is added to a counter
}

bool stream_wait(consumer *c, uint64_t round, uint64_t id, failure *f) {
  unsigned char message[8];
  (void)round;
  (void)id;
  for (size_t at = 0; at < sizeof message;) {
    ssize_t n = read(c->row->ends.theirs, message + at, sizeof message - at);
    if (n > 0) {
      at += (size_t)n;
    } else if (n == 0) {
      return fail(f, "%s", channel_other_gone);
    } else if (errno != EINTR) {
      return fail_errno(f, "read");
    }
  }
  return true;
}
