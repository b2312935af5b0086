// One writer and three readers on one page, for the thread sanitizer: copies of
// the same words that others store to at the same time must not race.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shmkv/shkv2.h"

static _Alignas(64) unsigned char page[4096];
static int stop;

static void check(bool ok) {
  if (!ok) {
    (void)fprintf(stderr, "torn\n");
    exit(1);
  }
}

static void *write_all(void *unused) {
  for (uint64_t id = 1; id <= 200000; id++) {
    uint64_t record[8] = {id, id, id, id, id, id, id, id};
    (void)shmkv_publish(page, &shkv2_seqlock, record);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  return unused;
}

static void *read_all(void *unused) {
  uint64_t last = 0, reads = 0;
  do {
    shkv2_snapshot s;
    uint64_t words[8];
    if (!shmkv_try_read(page, &shkv2_seqlock, &s)) {
      continue;
    }
    check(s.counter >= last);
    last = s.counter;
    for (size_t i = 0; i < 8; i++) {
      memcpy(words, &s.slots[i], 64);
      for (int k = 1; k < 8; k++) {
        check(words[k] == words[0]);
      }
      check(words[0] == 0 || (words[0] - 1) % 8 == i);
      check(words[0] <= s.counter && words[0] + 8 > s.counter - (words[0] == 0 ? s.counter : 0));
    }
    reads++;
    (void)shkv2_get_wake(page);
  } while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0);
  check(reads > 0);
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
