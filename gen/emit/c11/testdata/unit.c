// Checks of the protocol and of segments that one process can make.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include "shmkv/quiet.h"
#include "shmkv/robot.h"
#include "shmkv/shkv2.h"

#define CHECK(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      (void)fprintf(stderr, "unit.c:%d: %s\n", __LINE__, #what);                                   \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static char path[256];

static void fresh(const char *folder, const char *name) {
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  (void)remove(path);
}

// Case 6: 10 characters, then 2, then 16, then 17.
static void text(void) {
  char field[17];
  memset(field, 'x', sizeof field);
  CHECK(shmkv_set_string(field, 16, "0123456789") == SHMKV_OK);
  CHECK(memcmp(field, "0123456789\0\0\0\0\0\0x", 17) == 0);
  CHECK(shmkv_set_string(field, 16, "ab") == SHMKV_OK);
  CHECK(memcmp(field, "ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0x", 17) == 0);
  CHECK(shmkv_set_string(field, 16, "0123456789abcdef") == SHMKV_OK);
  CHECK(memcmp(field, "0123456789abcdefx", 17) == 0);
  CHECK(shmkv_get_text(field, 16).size == 16);
  CHECK(shmkv_set_string(field, 16, "0123456789abcdefg") == SHMKV_TOO_LONG);
  CHECK(shmkv_set_text(field, 16, "a\0b", 3) == SHMKV_INVALID);
  CHECK(memcmp(field, "0123456789abcdefx", 17) == 0);

  shkv2_slot slot;
  memset(&slot, 0xff, sizeof slot);
  CHECK(shkv2_slot_set_key(&slot, "0123456789abcdef01234567", 24) == SHMKV_OK);
  CHECK(shkv2_slot_set_key(&slot, "0123456789abcdef012345678", 25) == SHMKV_TOO_LONG);
  CHECK(shkv2_slot_key(&slot).size == 24);
  CHECK(shkv2_slot_set_key(&slot, "", 0) == SHMKV_OK && shkv2_slot_key(&slot).size == 0);
}

// The image of shkv2.md after six updates.
static void golden(const char *folder) {
  shkv2_writer w;
  shkv2_snapshot s;
  unsigned char want[4096] = {0}, have[4096];
  fresh(folder, "golden");
  CHECK(shkv2_create(&w, path, 0644) == SHMKV_OK);
  for (int i = 1; i <= 6; i++) {
    char key[24], value[40];
    uint64_t id = 0;
    (void)snprintf(key, sizeof key, "k%d", i);
    (void)snprintf(value, sizeof value, "value-%d", i);
    CHECK(shkv2_publish(&w, key, value, &id) == SHMKV_OK && id == (uint64_t)i);
    (void)snprintf((char *)want + 64 * i, 24, "%s", key);
    (void)snprintf((char *)want + 64 * i + 24, 40, "%s", value);
  }
  memcpy(want, "SHKV2\0\0\0\x0c\0\0\0\x06\0\0\0\x06", 17);
  CHECK(
      shkv2_publish(&w, "k", "0123456789012345678901234567890123456789.", NULL) == SHMKV_TOO_LONG);
  shkv2_read_back(&w, &s);
  CHECK(s.counter == 6);
  shkv2_close_writer(&w);
  FILE *f = fopen(path, "rb");
  CHECK(f != NULL && fread(have, 1, sizeof have, f) == sizeof have && fgetc(f) == EOF);
  (void)fclose(f);
  CHECK(memcmp(have, want, sizeof want) == 0);

  shkv2_reader r;
  shkv2_slot slot;
  CHECK(shkv2_open(&r, path) == SHMKV_OK);
  CHECK(shkv2_alive(&r) == 0);
  CHECK(shkv2_read_snapshot(&r, &s) == SHMKV_OK && s.counter == 6);
  CHECK(shkv2_read_slot(&r, 3, &slot) == SHMKV_OK && strcmp(slot.key, "k4") == 0);
  CHECK(shkv2_read_slot(&r, 8, &slot) == SHMKV_INVALID);
  CHECK(shkv2_get_seq(r.segment.page) == 12 && shkv2_get_wake(r.segment.page) == 6);
  shkv2_close_reader(&r);
  shkv2_close_reader(&r);
}

// A reader maps the page read-only, and its lines in the maps say so.
static void read_only(const char *folder) {
  char line[512];
  int found = 0;
  shkv2_reader r;
  fresh(folder, "golden");
  golden(folder);
  CHECK(shkv2_open(&r, path) == SHMKV_OK);
  FILE *maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  while (fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, path) != NULL) {
      CHECK(strstr(line, " r--s ") != NULL);
      found = 1;
    }
  }
  (void)fclose(maps);
  CHECK(found);
  shkv2_close_reader(&r);
}

static _Alignas(8) unsigned char page[4096];

static void set(uint32_t seq, uint64_t counter, uint32_t futex) {
  memset(page, 0, sizeof page);
  memset(page + 64, 'x', 512);
  shmkv_store32(page + 8, seq);
  shmkv_store64(page + 16, counter);
  shmkv_store32(page + 12, futex);
}

static bool zeroed(size_t slot) {
  return shmkv_is_zero(page + 64 + 64 * slot, 64);
}

static int zeros(void) {
  int n = 0;
  for (size_t i = 0; i < 8; i++) {
    n += zeroed(i);
  }
  return n;
}

// The rows of the recovery table.
static void recovery(void) {
  const uint64_t counters[] = {1, 5, 8, 0xffffffff, 0x100000000, UINT64_MAX};
  for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
    uint64_t k = counters[i];
    uint32_t low = (uint32_t)k;
    set(10, k, low);
    CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_CLEAN);
    CHECK(shkv2_get_seq(page) == 10 && zeros() == 0);

    set(11, k, low);
    CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_ZEROED);
    CHECK(shkv2_get_seq(page) == 12 && zeros() == 1 && zeroed(k % 8));
    CHECK(shkv2_get_counter(page) == k && shkv2_get_wake(page) == low);

    set(11, k, low - 1);
    CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_ROLLED_FORWARD);
    CHECK(shkv2_get_seq(page) == 12 && zeros() == 0 && shkv2_get_wake(page) == low);

    set(10, k, low - 1);
    CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_ROLLED_FORWARD);
    CHECK(shkv2_get_seq(page) == 10 && zeros() == 0 && shkv2_get_wake(page) == low);

    for (uint32_t seq = 10; seq <= 11; seq++) {
      const uint32_t bad[] = {low + 1, low - 2, low + 0x80000000u};
      for (size_t b = 0; b < 3; b++) {
        unsigned char before[4096];
        set(seq, k, bad[b]);
        memcpy(before, page, sizeof page);
        CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_NO_RECOVERY);
        CHECK(memcmp(before, page, sizeof page) == 0);
      }
    }
  }
  set(0xffffffff, 3, 3); // the wrap of seq
  CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_ZEROED && shkv2_get_seq(page) == 0);
}

// A page of records with their own seqlock, and no ring.
static void recovery_of_records(void) {
  memset(page, 0xee, sizeof page);
  shmkv_store32(page + ROBOT_SEQ_OFFSET, 7);
  shmkv_store64(page + ROBOT_COUNTER_OFFSET, 3);
  shmkv_store32(page + ROBOT_WAKE_OFFSET, 3);
  for (size_t i = 0; i < 3; i++) {
    shmkv_store32(page + ROBOT_CELLS_OFFSET + i * ROBOT_CELL_SIZE, i == 1 ? 5 : 4);
  }
  CHECK(shmkv_recover(page, &robot_layout) == SHMKV_ZEROED);
  CHECK(robot_get_seq(page) == 8 && shmkv_is_zero(page + ROBOT_X_OFFSET, 32));
  CHECK(page[ROBOT_BATTERY_OFFSET] == 0xee);
  CHECK(robot_get_cells_seq(page, 0) == 4 && robot_get_cells_seq(page, 1) == 6);
  const unsigned char *cell = page + ROBOT_CELLS_OFFSET;
  CHECK(cell[ROBOT_CELL_VOLTS_OFFSET] == 0xee);
  CHECK(shmkv_is_zero(cell + ROBOT_CELL_SIZE + ROBOT_CELL_VOLTS_OFFSET, 16));
  CHECK(robot_get_cells_alarm(page, 1) == 0xeeeeeeee);
}

// A write that stops after any of its stores is repaired to a page without
// torn records: the page a reader saw before, or the one it would see after.
static void crash_points(void) {
  for (uint64_t last = 0; last < 20; last++) {
    for (int stop = 0; stop <= 12; stop++) {
      shkv2_update got[8];
      shmkv_updates out = {got, sizeof got[0], offsetof(shkv2_update, slot)};
      uint32_t n = 0;
      uint64_t counter = 0;
      memset(page, 0, sizeof page);
      for (uint64_t id = 1; id <= last; id++) {
        uint64_t record[8] = {id, id, id, id, id, id, id, id};
        CHECK(shmkv_publish(page, &shkv2_seqlock, record) == id);
      }
      size_t slot = 64 + 64 * (size_t)(last % 8);
      shmkv_store32(page + 8, shkv2_get_seq(page) | 1);
      for (int i = 0; i < 8 && i < stop; i++) {
        shmkv_store64(page + slot + 8 * (size_t)i, last + 1);
      }
      if (stop >= 9) {
        shmkv_store64(page + 16, last + 1);
      }
      if (stop >= 10) {
        shmkv_store32(page + 8, shkv2_get_seq(page) + 1);
      }
      if (stop >= 11) {
        shmkv_store32(page + 12, (uint32_t)(last + 1));
      }
      CHECK(shmkv_recover(page, &shkv2_layout) != SHMKV_NO_RECOVERY);
      CHECK(shmkv_recover(page, &shkv2_layout) == SHMKV_CLEAN);
      CHECK(shmkv_try_updates(page, &shkv2_seqlock, 0, out, &n, &counter));
      CHECK(counter == (stop >= 9 ? last + 1 : last));
      uint64_t expect = counter < 8 ? counter : 8;
      bool lost = stop < 9 && last >= 8;
      CHECK(n == expect - lost);
      for (uint32_t i = 0; i < n; i++) {
        uint64_t id = counter - n + 1 + i, words[8];
        memcpy(words, &got[i].slot, 64);
        CHECK(got[i].id == id && got[i].missed == (i == 0 ? id - 1 : 0));
        for (int k = 0; k < 8; k++) {
          CHECK(words[k] == id);
        }
      }
    }
  }
}

// Back-fill across gaps, resets and the wrap of the counter.
static void backfill(void) {
  shkv2_update got[8];
  shmkv_updates out = {got, sizeof got[0], offsetof(shkv2_update, slot)};
  uint32_t n = 0;
  uint64_t counter = 0;
  set(4, UINT64_MAX - 2, (uint32_t)UINT64_MAX - 2);
  for (uint64_t i = 0; i < 5; i++) {
    uint64_t record[8] = {1000 + i};
    (void)shmkv_publish(page, &shkv2_seqlock, record);
  }
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, UINT64_MAX - 2, out, &n, &counter));
  CHECK(n == 5 && counter == 2 && got[0].id == UINT64_MAX - 1 && got[4].id == 2);
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, 2, out, &n, &counter) && n == 0);
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, 3, out, &n, &counter) && n == 0); // went back
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, UINT64_MAX - 20, out, &n, &counter));
  CHECK(n == 8 && got[0].missed == 15 && got[1].missed == 0);
  set(4, 100, 100);
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, 98, out, &n, &counter) && n == 2);
  memset(page + 64, 0, 512); // zero records are data, but for the oldest of a full ring
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, 93, out, &n, &counter) && n == 7);
  CHECK(got[0].id == 94 && got[0].missed == 0);
  CHECK(shmkv_try_updates(page, &shkv2_seqlock, 92, out, &n, &counter) && n == 7);
  CHECK(got[0].id == 94 && got[0].missed == 1);
  shmkv_store32(page + 8, 5);
  CHECK(!shmkv_try_updates(page, &shkv2_seqlock, 92, out, &n, &counter));
}

static double seconds(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// A word that is left odd costs a bounded wait at low CPU.
static void livelock(const char *folder) {
  shkv2_reader r;
  shkv2_snapshot s;
  golden(folder);
  FILE *f = fopen(path, "r+b");
  CHECK(f != NULL && fseek(f, 8, SEEK_SET) == 0 && fputc(13, f) == 13 && fclose(f) == 0);
  CHECK(shkv2_open(&r, path) == SHMKV_OK);
  double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  CHECK(shkv2_read_snapshot(&r, &s) == SHMKV_LIVELOCKED);
  wall = seconds(CLOCK_MONOTONIC) - wall;
  cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  CHECK(wall > 1.5 && wall < 3.5 && cpu < 0.5);
  CHECK(strstr(shmkv_message(&r.segment, SHMKV_LIVELOCKED), ": seqlock read livelocked") != NULL);
  uint64_t last = 0;
  shkv2_update u[8];
  CHECK(shkv2_wait(&r, &last, u, 50) == -SHMKV_TIMED_OUT);
  shkv2_close_reader(&r);

  shkv2_writer w; // the next writer repairs: the futex word is behind by nothing
  CHECK(shkv2_create(&w, path, 0) == SHMKV_OK);
  CHECK(w.segment.recovery == SHMKV_ZEROED && shkv2_get_seq(w.segment.page) == 14);
  shkv2_close_writer(&w);
}

static volatile sig_atomic_t signals;

static void count(int number) {
  (void)number;
  signals++;
}

// Signals neither end a wait nor stretch it.
static void interrupted(const char *folder) {
  shkv2_reader r;
  shkv2_update u[8];
  uint64_t last = 6;
  struct sigaction action;
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  memset(&action, 0, sizeof action);
  action.sa_handler = count;
  golden(folder);
  CHECK(shkv2_open(&r, path) == SHMKV_OK);
  CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &timer, NULL) == 0);
  double wall = seconds(CLOCK_MONOTONIC);
  CHECK(shkv2_wait(&r, &last, u, 300) == -SHMKV_TIMED_OUT);
  wall = seconds(CLOCK_MONOTONIC) - wall;
  memset(&timer, 0, sizeof timer);
  (void)setitimer(ITIMER_REAL, &timer, NULL);
  CHECK(signals > 50 && wall > 0.299 && wall < 1.0);
  last = 4;
  CHECK(shkv2_wait(&r, &last, u, 0) == 2 && last == 6);
  shkv2_close_reader(&r);
}

// A page without a ring: update, wait, view, and records of their own.
static void robot(const char *folder) {
  robot_writer w;
  robot_reader r;
  robot_snapshot s, t;
  robot_cell_snapshot cell, seen;
  uint64_t last = 0;
  fresh(folder, "robot");
  CHECK(robot_create(&w, path, 0600) == SHMKV_OK);
  CHECK(robot_open(&r, path) == SHMKV_OK);
  memset(&s, 0, sizeof s);
  s.x = 1.5;
  s.theta = -2.0f;
  CHECK(robot_snapshot_set_name(&s, "arm", 3) == SHMKV_OK);
  CHECK(robot_update(&w, &s) == 1 && robot_update(&w, &s) == 2);
  CHECK(robot_wait(&r, &last, &t, 1000) == 2 && last == 2);
  s.counter = 2;
  CHECK(memcmp(&s, &t, sizeof s) == 0);
  CHECK(robot_wait(&r, &last, &t, 10) == -SHMKV_TIMED_OUT);
  cell.volts = 3.3;
  cell.amps = 0.1;
  CHECK(robot_update_cells(&w, 2, &cell) == SHMKV_OK);
  CHECK(robot_update_cells(&w, 3, &cell) == SHMKV_INVALID);
  CHECK(robot_read_cells(&r, 2, &seen) == SHMKV_OK && memcmp(&cell, &seen, sizeof cell) == 0);
  robot_set_battery(w.segment.page, 0.75f);
  robot_set_armed(w.segment.page, true);
  char buffer[8];
  CHECK(robot_set_title(w.segment.page, "nine char", 9) == SHMKV_TOO_LONG);
  CHECK(robot_set_title(w.segment.page, "eight ch", 8) == SHMKV_OK);
  CHECK(robot_get_battery(r.segment.page) == 0.75f && robot_get_armed(r.segment.page));
  CHECK(robot_get_title(r.segment.page, buffer).size == 8);
  CHECK(robot_get_version(r.segment.page) == 7);
  CHECK(robot_get_print(r.segment.page) == ROBOT_FINGERPRINT);
  robot_close_reader(&r);
  robot_close_writer(&w);
}

// Changes one byte of the robot's file and tells what opening says.
static shmkv_code opened_with(long offset, const char *bytes, size_t size, const char *want) {
  robot_reader r;
  FILE *f = fopen(path, "r+b");
  char before[8];
  CHECK(f != NULL && fseek(f, offset, SEEK_SET) == 0 && fread(before, 1, size, f) == size);
  CHECK(fseek(f, offset, SEEK_SET) == 0 && fwrite(bytes, 1, size, f) == size && fflush(f) == 0);
  shmkv_code code = robot_open(&r, path);
  const char *message = shmkv_message(&r.segment, code);
  if (strstr(message, want) == NULL || strstr(message, path) != message) {
    (void)fprintf(stderr, "%s\nwant %s\n", message, want);
    exit(1);
  }
  CHECK(fseek(f, offset, SEEK_SET) == 0 && fwrite(before, 1, size, f) == size && fclose(f) == 0);
  return code;
}

static void stamps(void) {
  char swapped[8];
  for (int i = 0; i < 8; i++) {
    swapped[i] = (char)(ROBOT_FINGERPRINT >> (56 - 8 * i));
  }
  CHECK(opened_with(0, "ROBO?", 5, "bad magic (want ROBOT)") == SHMKV_BAD_MAGIC);
  CHECK(opened_with(ROBOT_VERSION_OFFSET, "\x06", 1, "version 6, want 7") == SHMKV_WRONG_VERSION);
  CHECK(opened_with(ROBOT_VERSION_OFFSET, "\0\0\0\x07", 4, "byte order") == SHMKV_WRONG_ENDIAN);
  CHECK(opened_with(ROBOT_PRINT_OFFSET, "\x11\x11\0\0\0\0\0\0", 8,
            "fingerprint 0x0000000000001111, want 0x") == SHMKV_WRONG_FINGERPRINT);
  CHECK(opened_with(ROBOT_PRINT_OFFSET, swapped, 8, "byte order") == SHMKV_WRONG_ENDIAN);
}

// A layout with a waiters word: nobody is woken while nobody sleeps.
static void quiet(const char *folder) {
  quiet_writer w;
  quiet_reader r;
  quiet_update u[4];
  uint64_t last = 0, id = 0;
  fresh(folder, "quiet");
  CHECK(quiet_create(&w, path, 0600) == SHMKV_OK && quiet_open(&r, path) == SHMKV_OK);
  CHECK(!shmkv_sleepers(w.segment.page, &quiet_seqlock));
  CHECK(quiet_publish(&w, 7, &id) == SHMKV_OK && id == 1);
  CHECK(quiet_wait(&r, &last, u, 100) == 1 && u[0].slot.value == 7);
  CHECK(quiet_wait(&r, &last, u, 20) == -SHMKV_TIMED_OUT);
  CHECK(quiet_get_sleepers(r.segment.page) == 0);
  quiet_close_reader(&r);
  quiet_close_writer(&w);
}

// A child that outlives the writer keeps its descriptor, and not the lock.
static void inherited(const char *folder) {
  shkv2_writer w, next;
  fresh(folder, "inherited");
  CHECK(shkv2_create(&w, path, 0) == SHMKV_OK);
  CHECK((fcntl(w.segment.fd, F_GETFD) & FD_CLOEXEC) != 0);
  pid_t child = fork();
  if (child == 0) {
    for (;;) {
      (void)pause();
    }
  }
  CHECK(child > 0 && shkv2_create(&next, path, 0) == SHMKV_LOCKED);
  shkv2_close_writer(&w);
  CHECK(shkv2_create(&next, path, 0) == SHMKV_OK);
  shkv2_close_writer(&next);
  (void)kill(child, SIGKILL);
  (void)waitpid(child, NULL, 0);
}

static void attach(void) {
  shkv2_reader r;
  shkv2_slot slot;
  set(0, 0, 0);
  CHECK(shkv2_attach(&r, page, sizeof page) == SHMKV_BAD_MAGIC);
  memcpy(page, "SHKV2\0\0\0", 8);
  CHECK(shkv2_attach(&r, page + 4, sizeof page) == SHMKV_INVALID);
  CHECK(shkv2_attach(&r, page, sizeof page - 8) == SHMKV_WRONG_SIZE);
  CHECK(shkv2_attach(&r, page, sizeof page) == SHMKV_OK);
  CHECK(shkv2_read_slot(&r, 0, &slot) == SHMKV_OK && slot.key[0] == 'x');
  shkv2_close_reader(&r);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  text();
  golden(argv[1]);
  read_only(argv[1]);
  recovery();
  recovery_of_records();
  crash_points();
  backfill();
  livelock(argv[1]);
  interrupted(argv[1]);
  robot(argv[1]);
  stamps();
  quiet(argv[1]);
  inherited(argv[1]);
  attach();
  (void)printf("ok\n");
  return 0;
}
