#define _GNU_SOURCE // kill
#include "process.h"

#include "stop.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOMENT (SHMKV_SECOND / 5000)

bool process_start(process *p, row *r, shkv2_writer *writer, failure *f) {
  *p = (process){.stat = -1};
  r->producer = getpid();
  // This program has a second thread. It never holds a lock of the C library, and
  // the child needs nothing of it.
  p->pid = fork();
  if (p->pid == 0) {
    consumer_run(r, writer);
  }
  return p->pid > 0 || fail_errno(f, "fork");
}

bool process_ended(process *p) {
  if (!p->ended && waitpid(p->pid, &p->status, WNOHANG) == p->pid) {
    p->ended = true;
  }
  return p->ended;
}

// Waits for the end for some time. False: it is not over, or there is a reason to
// stop.
static bool await_end(process *p, int64_t patience) {
  int64_t until = shmkv_os_now() + patience;
  while (!process_ended(p)) {
    int64_t now = shmkv_os_now();
    if (now >= until || stop_sleep(now + MOMENT) == SHMKV_CANCELLED) {
      return false;
    }
  }
  return true;
}

// Fails with the last words of a process that has ended, or else with its state.
static bool explain(const process *p, const row *r, failure *f) {
  if (WIFSIGNALED(p->status)) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s", strsignal(WTERMSIG(p->status)));
    name[0] = (char)tolower((unsigned char)name[0]);
    return fail(f, "the consumer is gone: signal: %s", name);
  }
  if (r->control->reason.text[0] != '\0') {
    return fail(f, "the consumer is gone: %.950s", r->control->reason.text);
  }
  return fail(f, "the consumer is gone: exit status %d", WEXITSTATUS(p->status));
}

bool process_finish(process *p, const row *r, failure *f) {
  if (!await_end(p, 10 * SHMKV_SECOND)) {
    return stop_why() != STOP_NONE || fail(f, "the consumer does not end");
  }
  return p->status == 0 || explain(p, r, f);
}

bool process_explain(process *p, const row *r, failure *f) {
  if (!await_end(p, SHMKV_SECOND) || p->status == 0) {
    return false;
  }
  (void)explain(p, r, f);
  return true;
}

void process_kill(process *p) {
  if (!process_ended(p)) {
    (void)kill(p->pid, SIGKILL);
    while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR) {
    }
    p->ended = true;
  }
  if (p->stat >= 0) {
    (void)close(p->stat);
  }
}

int process_asleep(process *p) {
  char text[128];
  if (p->stat < 0) {
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)p->pid);
    p->stat = open(path, O_RDONLY | O_CLOEXEC);
  }
  ssize_t n = p->stat < 0 ? -1 : pread(p->stat, text, sizeof text - 1, 0);
  if (n < 0) {
    return -1;
  }
  text[n] = '\0';
  // The second field, the name, is in parentheses and may hold anything.
  const char *state = strrchr(text, ')');
  return state != NULL && state[1] == ' ' && state[2] == 'S';
}
