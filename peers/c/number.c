#include "number.h"

#include <inttypes.h>
#include <string.h>

bool number_count(const char *text, uint64_t *count, failure *f) {
  uint64_t n = 0;
  // strtoull would also take a sign, spaces and a prefix.
  if (*text == '\0' || text[strspn(text, "0123456789")] != '\0') {
    return fail(f, "\"%s\" is not a decimal number", text);
  }
  for (const char *at = text; *at != '\0'; at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (n > (UINT64_MAX - digit) / 10) {
      return fail(f, "%s is too large, want at most %" PRIu64, text, UINT64_MAX);
    }
    n = n * 10 + digit;
  }
  *count = n;
  return true;
}

bool number_millis(const char *text, int64_t *nanoseconds, failure *f) {
  const int64_t millisecond = 1000000, most = INT64_MAX / millisecond;
  uint64_t n = 0;
  if (!number_count(text, &n, f)) {
    return false;
  }
  if (n > (uint64_t)most) {
    return fail(f, "%s is too large, want at most %" PRId64, text, most);
  }
  *nanoseconds = (int64_t)n * millisecond;
  return true;
}

bool number_mode(const char *text, unsigned *mode, failure *f) {
  unsigned n = 0;
  bool good = *text != '\0';
  for (const char *at = text; good && *at != '\0'; at++) {
    n = n * 8 + (unsigned)(*at - '0');
    good = *at >= '0' && *at <= '7' && n <= 0777;
  }
  if (!good) {
    return fail(f, "\"%s\" is not a file mode such as 600 or 0644", text);
  }
  *mode = n;
  return true;
}
