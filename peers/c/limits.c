#define _GNU_SOURCE // RLIMIT_MSGQUEUE
#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mqueue.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

// Where the kernel shows the limits of the IPC namespace, see mq_overview(7).
#define LIMITS "/proc/sys/fs/mqueue/"

typedef struct number_text {
  char text[32];
} number_text;

// The value of a limit in /proc.
static number_text limit_in(const char *path) {
  number_text value = {"unknown"};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    ssize_t n = read(fd, value.text, sizeof value.text - 1);
    value.text[n > 0 ? n : 0] = '\0';
    value.text[strcspn(value.text, "\n")] = '\0';
    (void)close(fd);
  }
  return value;
}

// The bytes that this process's user may have in queues.
static number_text queue_bytes(void) {
  number_text value = {"unknown"};
  struct rlimit limit;
  if (getrlimit(RLIMIT_MSGQUEUE, &limit) == 0) {
    (void)snprintf(value.text, sizeof value.text, "%" PRIuMAX, (uintmax_t)limit.rlim_cur);
  }
  return value;
}

// The two meanings of EMFILE: tries to open what only needs a descriptor.
static bool out_of_descriptors(void) {
  int fd = dup(STDERR_FILENO);
  if (fd >= 0) {
    (void)close(fd);
  }
  return fd < 0 && errno == EMFILE;
}

bool limits_explain(const char *name, int number, const struct mq_attr *attr, failure *f) {
  // As getrlimit(2) gives the formula: each message at full size, a msg_msg and a
  // tree node of 48 bytes each on a 64-bit kernel.
  const long need = attr->mq_maxmsg * (48 + 48 + attr->mq_msgsize);
  if (number == EMFILE && !out_of_descriptors()) {
    return fail(f,
        "mq_open %s: RLIMIT_MSGQUEUE (ulimit -q): %s bytes for all queues of the user, this one of "
        "%ld messages of %ld bytes needs %ld: %s",
        name, queue_bytes().text, (long)attr->mq_maxmsg, (long)attr->mq_msgsize, need,
        strerror(number));
  }
  if (number == ENOSPC) {
    return fail(f, "mq_open %s: " LIMITS "queues_max is %s: %s", name,
        limit_in(LIMITS "queues_max").text, strerror(number));
  }
  if (number == EINVAL) {
    return fail(f,
        "mq_open %s: %ld messages of %ld bytes asked for, " LIMITS "msg_max is %s, " LIMITS
        "msgsize_max is %s: %s",
        name, (long)attr->mq_maxmsg, (long)attr->mq_msgsize, limit_in(LIMITS "msg_max").text,
        limit_in(LIMITS "msgsize_max").text, strerror(number));
  }
  return fail(f, "mq_open %s: %s", name, strerror(number));
}
