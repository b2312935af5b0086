#include "duration.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MICRO "\xc2\xb5" // U+00B5 in UTF-8

typedef struct unit {
  const char *name;
  uint64_t nanoseconds;
} unit;

static const unit units[] = {
    {"ns", 1},
    {"us", 1000},
    {MICRO "s", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"m", 60 * UINT64_C(1000000000)},
    {"h", 3600 * UINT64_C(1000000000)},
};

// Finds the unit that is all of the text up to the next number.
static const unit *find_unit(const char **at) {
  size_t size = strcspn(*at, "0123456789.");
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (strlen(units[i].name) == size && memcmp(units[i].name, *at, size) == 0) {
      *at += size;
      return &units[i];
    }
  }
  return NULL;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads one number with its unit, 1.5s say, and adds it to *sum.
static bool parse_part(const char **at, uint64_t *sum) {
  uint64_t whole = 0, fraction = 0, scale = 1;
  const char *start = *at;
  size_t digits = 0;
  for (; is_digit(**at); ++*at, digits++) {
    if (whole > INT64_MAX / 10) {
      return false;
    }
    whole = whole * 10 + (uint64_t)(**at - '0');
  }
  if (**at == '.') {
    for (++*at; is_digit(**at); ++*at, digits++) {
      if (scale < UINT64_C(1000000000000000)) { // further digits are below a nanosecond
        fraction = fraction * 10 + (uint64_t)(**at - '0');
        scale *= 10;
      }
    }
  }
  const unit *u = digits == 0 ? NULL : find_unit(at);
  if (u == NULL || *at == start || whole > INT64_MAX / u->nanoseconds) {
    return false;
  }
  double part = (double)fraction * ((double)u->nanoseconds / (double)scale);
  *sum += whole * u->nanoseconds + (uint64_t)part; // each below 2^63: no overflow
  return *sum <= INT64_MAX;
}

bool duration_parse(const char *text, int64_t *nanoseconds, failure *f) {
  const char *at = text;
  uint64_t sum = 0;
  bool good = *at != '\0';
  if (strcmp(text, "0") == 0) {
    at = "";
  }
  while (good && *at != '\0') {
    good = parse_part(&at, &sum);
  }
  if (!good) {
    return fail(f, "\"%s\" is not a duration such as 500ms, 30s or 1m30s, or is too large", text);
  }
  *nanoseconds = (int64_t)sum;
  return true;
}

// Prints a number of units, with as many decimals as there are.
static void print_decimal(char *text, size_t room, uint64_t n, const unit *u) {
  char digits[12] = ".";
  size_t width = 0;
  uint64_t rest = n % u->nanoseconds;
  for (uint64_t scale = u->nanoseconds / 10; rest != 0; scale /= 10) {
    digits[++width] = (char)('0' + (char)(rest / scale));
    rest %= scale;
  }
  digits[width == 0 ? 0 : width + 1] = '\0';
  (void)snprintf(text, room, "%" PRIu64 "%s%s", n / u->nanoseconds, digits, u->name);
}

const char *duration_print(int64_t nanoseconds, char text[DURATION_SIZE]) {
  const unit *micro = &units[2], *milli = &units[3], *second = &units[4];
  const uint64_t n = (uint64_t)nanoseconds, minute = units[5].nanoseconds;
  char seconds[24];
  if (n == 0) {
    return "0s";
  }
  if (n < second->nanoseconds) {
    const unit *small = n < micro->nanoseconds ? &units[0] : n < milli->nanoseconds ? micro : milli;
    print_decimal(text, DURATION_SIZE, n, small);
    return text;
  }
  print_decimal(seconds, sizeof seconds, n % minute, second);
  if (n < minute) {
    (void)snprintf(text, DURATION_SIZE, "%s", seconds);
  } else if (n < 60 * minute) {
    (void)snprintf(text, DURATION_SIZE, "%" PRIu64 "m%s", n / minute, seconds);
  } else {
    (void)snprintf(text, DURATION_SIZE, "%" PRIu64 "h%" PRIu64 "m%s", n / (60 * minute),
        n / minute % 60, seconds);
  }
  return text;
}
