#define _GNU_SOURCE // getline
#include "leftover.h"

#include "queue.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <mqueue.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

// Tells whether a queue's name is one of bench's, of a process that is no more.
static bool is_leftover(const char *name) {
  const size_t prefix = strlen(QUEUE_PREFIX);
  const char *digits = name + prefix;
  if (strncmp(name, QUEUE_PREFIX, prefix) != 0 || *digits < '1' || *digits > '9' ||
      digits[strspn(digits, "0123456789")] != '\0') {
    return false;
  }
  errno = 0;
  long pid = strtol(digits, NULL, 10);
  return errno == 0 && pid <= INT_MAX && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

static void remove_in(const char *folder) {
  DIR *dir = opendir(folder);
  const struct dirent *entry;
  while (dir != NULL && (entry = readdir(dir)) != NULL) {
    char name[sizeof entry->d_name + 1];
    if (is_leftover(entry->d_name)) {
      (void)snprintf(name, sizeof name, "/%s", entry->d_name);
      (void)mq_unlink(name); // that of another user stays
    }
  }
  if (dir != NULL) {
    (void)closedir(dir);
  }
}

// Turns the octal escapes of a mount point, such as \040, back in place.
static void unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
      *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
      from += 4;
    } else {
      *to++ = *from++;
    }
  }
  *to = '\0';
}

// Returns the mount point of a line of proc_pid_mountinfo(5), its fifth field, if
// message queues are mounted there; else NULL. Changes the line.
static char *queue_mount(char *line) {
  char *type = strstr(line, " - "), *rest = line, *field = NULL;
  if (type == NULL || strncmp(type, " - mqueue ", strlen(" - mqueue ")) != 0) {
    return NULL;
  }
  for (int i = 0; i < 5; i++) {
    field = strsep(&rest, " ");
  }
  if (field != NULL) {
    unescape(field);
  }
  return field;
}

void leftover_remove(void) {
  FILE *mounts = fopen("/proc/self/mountinfo", "re");
  char *line = NULL;
  size_t room = 0;
  while (mounts != NULL && getline(&line, &room, mounts) > 0) {
    const char *folder = queue_mount(line);
    if (folder != NULL) {
      remove_in(folder);
    }
  }
  free(line);
  if (mounts != NULL) {
    (void)fclose(mounts);
  }
}
