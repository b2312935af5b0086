// One writer and three readers on one page, for the thread sanitizer: copies of
// the same words that others store to at the same time must not race.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shmkv/shkv2.h"

static _Alignas(64) unsigned char page[4096];
static int stop;

static void check(bool ok, const char *what, uint64_t id, uint64_t counter) {
  if (!ok) {
    (void)fprintf(
        stderr, "%s: %llu, %llu\n", what, (unsigned long long)id, (unsigned long long)counter);
    exit(1);
  }
}

static void *write_all(void *unused) {
  for (uint64_t id = 1; id <= 200000; id++) {
    uint64_t record[8] = {id, id, id, id, id, id, id, id};
    (void)shmkv_publish(page, &shkv2_seqlock, record);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
  return unused;
}

static void check_copy(const shkv2_snapshot *s) {
  for (size_t i = 0; i < 8; i++) {
    uint64_t words[8];
    memcpy(words, &s->slots[i], 64);
    for (int k = 1; k < 8; k++) {
      check(words[k] == words[0], "torn slot", words[0], words[k]);
    }
    // Slot i holds the newest id up to the counter that lands there, or nothing yet.
    uint64_t newest = s->counter - (s->counter - 1 - i) % 8;
    check(words[0] == (s->counter > i ? newest : 0), "wrong slot", words[0], s->counter);
  }
}

static void *read_all(void *unused) {
  uint64_t last = 0, reads = 0;
  for (bool more = true; more;) {
    shkv2_snapshot s;
    more = __atomic_load_n(&stop, __ATOMIC_ACQUIRE) == 0; // the last read meets no writer
    if (shmkv_try_read(page, &shkv2_seqlock, &s)) {
      check(s.counter >= last, "went back", last, s.counter);
      check_copy(&s);
      last = s.counter;
      reads++;
    }
    (void)shkv2_get_wake(page);
  }
  check(reads > 0 && last == 200000, "too little", reads, last);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, i == 0 ? write_all : read_all, NULL) != 0) {
      return 2;
    }
  }
  for (int i = 0; i < 4; i++) {
    (void)pthread_join(threads[i], NULL);
  }
  (void)printf("ok\n");
  return 0;
}
