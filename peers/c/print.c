#define _GNU_SOURCE // PATH_MAX
#include "print.h"

#include "json.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

// Room for every line: a path that could be opened, or a slot with all its bytes
// escaped and in hexadecimal.
#define LINE_SIZE (PATH_MAX + 128)
_Static_assert(8 * SHKV2_SLOT_SIZE + 128 <= LINE_SIZE, "room for the JSON of a slot");

__attribute__((format(printf, 3, 4))) static shmkv_code print_line(
    const output *out, failure *f, const char *format, ...) {
  char line[LINE_SIZE];
  va_list args;
  va_start(args, format);
  int size = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (size < 0 || (size_t)size >= sizeof line) {
    (void)fail(f, "write %s: the line is too long", out->name);
    return SHMKV_SYSTEM;
  }
  return output_line(out, line, (size_t)size, f);
}

printer print_begin(bool json, int64_t until) {
  return (printer){
      .out = {STDOUT_FILENO, "/dev/stdout", until},
      .notes = {STDERR_FILENO, "/dev/stderr", until},
      .json = json,
  };
}

shmkv_code print_start(const printer *p, const char *path, uint64_t events, failure *f) {
  if (p->json) {
    return SHMKV_OK;
  }
  return print_line(&p->out, f, "watch: file=%s events=%" PRIu64 "\n", path, events);
}

shmkv_code print_complete(const printer *p, uint64_t events, failure *f) {
  if (p->json) {
    return SHMKV_OK;
  }
  return print_line(&p->out, f, "watch: complete events=%" PRIu64 "\n", events);
}

// Tells how many updates were lost. A note that nobody takes is no failure.
static void print_gap(const printer *p, uint64_t missed) {
  failure unheard;
  if (missed != 0) {
    (void)print_line(&p->notes, &unheard, PROGRAM ": %" PRIu64 " %s lost (the ring keeps %d)\n",
        missed, missed == 1 ? "update" : "updates", SHKV2_SLOTS_COUNT);
  }
}

static shmkv_code print_json(const printer *p, const shkv2_update *update, failure *f) {
  char key[JSON_STRING_SIZE(sizeof update->slot.key)];
  char value[JSON_STRING_SIZE(sizeof update->slot.value)];
  char key_hex[JSON_HEX_SIZE(sizeof update->slot.key)] = "";
  char value_hex[JSON_HEX_SIZE(sizeof update->slot.value)] = "";
  shmkv_text k = shkv2_slot_key(&update->slot), v = shkv2_slot_value(&update->slot);
  bool key_good = json_is_utf8(k.data, k.size), value_good = json_is_utf8(v.data, v.size);
  json_string(key, k.data, k.size);
  json_string(value, v.data, v.size);
  if (!key_good) {
    json_hex(key_hex, k.data, k.size);
  }
  if (!value_good) {
    json_hex(value_hex, v.data, v.size);
  }
  return print_line(&p->out, f,
      "{\"id\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"key\":%s%s%s%s,\"value\":%s%s%s%s}\n", update->id,
      update->missed, key, key_good ? "" : ",\"key_hex\":\"", key_hex, key_good ? "" : "\"", value,
      value_good ? "" : ",\"value_hex\":\"", value_hex, value_good ? "" : "\"");
}

shmkv_code print_update(const printer *p, const shkv2_update *update, failure *f) {
  print_gap(p, update->missed);
  if (p->json) {
    return print_json(p, update, f);
  }
  shmkv_text key = shkv2_slot_key(&update->slot), value = shkv2_slot_value(&update->slot);
  return print_line(&p->out, f, "observed update %" PRIu64 ": %.*s=%.*s\n", update->id,
      (int)key.size, key.data, (int)value.size, value.data); // bytes as they are
}
