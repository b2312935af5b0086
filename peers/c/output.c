#include "output.h"

#include "stop.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

shmkv_code output_line(const output *out, const char *line, size_t size, failure *f) {
  while (size != 0) {
    // A pipe that is ready takes PIPE_BUF bytes without blocking.
    shmkv_code code = stop_poll(out->fd, POLLOUT, out->until);
    if (code != SHMKV_OK) {
      return code;
    }
    ssize_t n = write(out->fd, line, size);
    if (n >= 0) {
      line += n;
      size -= (size_t)n;
      continue;
    }
    if (errno == EINTR || errno == EAGAIN) {
      continue;
    }
    if (errno == EPIPE) {
      (void)fail_quietly(f);
    } else {
      (void)fail(f, "write %s: %s", out->name, strerror(errno));
    }
    return SHMKV_SYSTEM;
  }
  return SHMKV_OK;
}
