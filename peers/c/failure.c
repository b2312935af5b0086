#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool fail(failure *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(f->text, sizeof f->text, format, args);
  va_end(args);
  return false;
}

bool fail_errno(failure *f, const char *doing) {
  return fail(f, "%s: %s", doing, strerror(errno));
}

bool fail_quietly(failure *f) {
  f->text[0] = '\0';
  return false;
}

void failure_tell(const failure *f) {
  char line[sizeof PROGRAM + sizeof f->text + 3];
  if (f->text[0] == '\0') {
    return;
  }
  int size = snprintf(line, sizeof line, PROGRAM ": %s\n", f->text);
  for (int at = 0; at < size;) { // in one write, so that lines of two programs do not mix
    ssize_t n = write(STDERR_FILENO, line + at, (size_t)(size - at));
    if (n > 0) {
      at += (int)n;
    } else if (n == 0 || errno != EINTR) {
      return; // the exit code tells too
    }
  }
}
