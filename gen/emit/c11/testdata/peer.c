// A small peer for tests: what a user of the C header writes.
//   peer serve FILE COUNT INTERVAL_MS   publish k<id> = value-<id>
//   peer watch FILE COUNT TIMEOUT_MS    print COUNT updates
//   peer hold FILE                      be the writer until stdin ends
//   peer open FILE                      open and close
//   peer create FILE MODE               create and close
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shmkv/shkv2.h"

static int report(const shmkv_segment *segment, int code) {
  (void)fprintf(stderr, "peer: %s\n", shmkv_message(segment, code));
  return 10 + (code < 0 ? -code : code);
}

static int serve(const char *path, int count, unsigned interval_ms) {
  shkv2_writer w;
  shmkv_code code = shkv2_create(&w, path, 0);
  if (code != SHMKV_OK) {
    return report(&w.segment, code);
  }
  for (int i = 0; i < count; i++) {
    char key[32], value[48];
    uint64_t id = shkv2_get_counter(w.segment.page) + 1;
    for (unsigned ms = 0; ms < interval_ms; ms++) {
      shmkv_os_sleep_us(1000);
    }
    (void)snprintf(key, sizeof key, "k%llu", (unsigned long long)id);
    (void)snprintf(value, sizeof value, "value-%llu", (unsigned long long)id);
    code = shkv2_publish(&w, key, value, NULL);
    if (code != SHMKV_OK) {
      return report(&w.segment, code);
    }
  }
  shkv2_close_writer(&w);
  return 0;
}

static int watch(const char *path, int count, int timeout_ms) {
  shkv2_reader r;
  shkv2_update u[SHKV2_SLOTS_COUNT];
  uint64_t last = 0;
  shmkv_code code = shkv2_open(&r, path);
  if (code != SHMKV_OK) {
    return report(&r.segment, code);
  }
  (void)printf("watching\n");
  (void)fflush(stdout);
  for (int seen = 0; seen < count;) {
    int n = shkv2_wait(&r, &last, u, timeout_ms);
    if (n < 0) {
      return report(&r.segment, n);
    }
    for (int i = 0; i < n && seen < count; i++, seen++) {
      shmkv_text key = shkv2_slot_key(&u[i].slot), value = shkv2_slot_value(&u[i].slot);
      (void)printf("%llu %llu %.*s=%.*s\n", (unsigned long long)u[i].id,
          (unsigned long long)u[i].missed, (int)key.size, key.data, (int)value.size, value.data);
      (void)fflush(stdout);
    }
  }
  shkv2_close_reader(&r);
  return 0;
}

static int hold(const char *path) {
  shkv2_writer w;
  shmkv_code code = shkv2_create(&w, path, 0);
  if (code != SHMKV_OK) {
    return report(&w.segment, code);
  }
  (void)printf("holding %d\n", (int)w.segment.recovery);
  (void)fflush(stdout);
  while (getchar() != EOF) {
  }
  shkv2_close_writer(&w);
  return 0;
}

static int look(const char *path) {
  shkv2_reader r;
  shmkv_code code = shkv2_open(&r, path);
  if (code != SHMKV_OK) {
    return report(&r.segment, code);
  }
  (void)printf("alive %d\n", shkv2_alive(&r));
  shkv2_close_reader(&r);
  return 0;
}

static int create(const char *path, unsigned mode) {
  shkv2_writer w;
  shmkv_code code = shkv2_create(&w, path, mode);
  if (code != SHMKV_OK) {
    return report(&w.segment, code);
  }
  shkv2_close_writer(&w);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "serve") == 0) {
    return serve(argv[2], atoi(argv[3]), (unsigned)atoi(argv[4]));
  }
  if (argc == 5 && strcmp(argv[1], "watch") == 0) {
    return watch(argv[2], atoi(argv[3]), atoi(argv[4]));
  }
  if (argc == 3 && strcmp(argv[1], "hold") == 0) {
    return hold(argv[2]);
  }
  if (argc == 3 && strcmp(argv[1], "open") == 0) {
    return look(argv[2]);
  }
  if (argc == 4 && strcmp(argv[1], "create") == 0) {
    return create(argv[2], (unsigned)strtoul(argv[3], NULL, 8));
  }
  return 2;
}
