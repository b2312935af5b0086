#define _GNU_SOURCE // ppoll, O_PATH
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static _Atomic int why; // a stop_cause; set once
static int signal_number; // written before why
static _Atomic int page_fd = -1;

static struct {
  pthread_t main;
  int signals;
  int changes; // of the page's file
  int output;
} watched;

stop_cause stop_why(void) {
  return (stop_cause)atomic_load(&why);
}

// Its only use is to make a blocking call return EINTR.
static void poked(int number) {
  (void)number;
}

// Makes the main thread look at stop_why(), again and again: a signal that comes
// between its look and its blocking call would be lost.
static void *announce(stop_cause cause) {
  const struct timespec again = {0, 10 * 1000 * 1000};
  atomic_store(&why, (int)cause);
  for (;;) {
    (void)pthread_kill(watched.main, SIGRTMIN);
    (void)nanosleep(&again, NULL);
  }
  return NULL;
}

static bool caught_signal(void) {
  struct signalfd_siginfo info;
  if (read(watched.signals, &info, sizeof info) != (ssize_t)sizeof info) {
    return false;
  }
  signal_number = (int)info.ssi_signo;
  return true;
}

static bool is_cut(void) {
  union {
    struct inotify_event event;
    char room[4096];
  } events;
  shmkv_stat st;
  int fd = atomic_load(&page_fd);
  (void)!read(watched.changes, &events, sizeof events); // whatever they say, look
  return fd >= 0 && shmkv_os_stat(fd, NULL, &st) == 0 && st.size < SHKV2_SIZE;
}

static void *watch_all(void *unused) {
  (void)unused;
  struct pollfd fds[] = {
      {.fd = watched.signals, .events = POLLIN}, {.fd = watched.changes, .events = POLLIN},
      {.fd = watched.output}, // POLLERR and POLLHUP need no asking
  };
  for (;;) {
    if (poll(fds, sizeof fds / sizeof fds[0], -1) <= 0) {
      continue;
    }
    if (fds[0].revents != 0 && caught_signal()) {
      return announce(STOP_SIGNAL);
    }
    if (fds[1].revents != 0 && is_cut()) {
      return announce(STOP_CUT);
    }
    if ((fds[2].revents & (POLLERR | POLLHUP)) != 0) {
      return announce(STOP_READER);
    }
  }
  return NULL;
}

// Adds the signals that end the program. A hang-up that was ignored from the
// start, as nohup does, stays ignored.
static void add_signals(sigset_t *set) {
  struct sigaction before;
  (void)sigaddset(set, SIGINT);
  (void)sigaddset(set, SIGTERM);
  (void)sigaddset(set, SIGQUIT);
  if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
    (void)sigaddset(set, SIGHUP);
  }
}

static int only_with_reader(int fd) {
  struct stat st;
  bool has = fd >= 0 && fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
  return has ? fd : -1;
}

bool stop_begin(int output, failure *f) {
  struct sigaction poke = {.sa_handler = poked}; // without SA_RESTART
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigset_t set;
  pthread_t thread;
  (void)sigaction(SIGRTMIN, &poke, NULL);
  (void)sigaction(SIGPIPE, &ignore, NULL); // an EPIPE lets the program clean up
  (void)sigemptyset(&set);
  add_signals(&set);
  watched.main = pthread_self();
  watched.output = only_with_reader(output);
  watched.changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK); // -1: poll skips it
  watched.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (watched.signals < 0) {
    return fail_errno(f, "signalfd");
  }
  sigset_t all;
  (void)sigfillset(&all);
  (void)pthread_sigmask(SIG_SETMASK, &all, NULL); // the thread starts with it
  errno = pthread_create(&thread, NULL, watch_all, NULL);
  bool started = errno == 0 || fail_errno(f, "pthread_create");
  (void)pthread_sigmask(SIG_SETMASK, &set, NULL);
  return started;
}

void stop_when_cut(int fd) {
  char path[40]; // of this very file, whatever its name has become
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  // A descriptor of the thread's own, which stays: fd may be closed under it.
  atomic_store(&page_fd, open(path, O_PATH | O_CLOEXEC));
  // Stores through a mapping are no IN_MODIFY; truncate(2) is.
  (void)inotify_add_watch(watched.changes, path, IN_MODIFY);
}

const char *stop_text(void) {
  switch (signal_number) {
  case SIGINT:
    return "stopped by SIGINT";
  case SIGTERM:
    return "stopped by SIGTERM";
  case SIGQUIT:
    return "stopped by SIGQUIT";
  default:
    return "stopped by SIGHUP";
  }
}

// What is left until a time, in slices that no time_t is too small for.
static int64_t next_slice(int64_t until, struct timespec *slice) {
  const int64_t hour = 3600 * SHMKV_SECOND;
  int64_t left = until - shmkv_os_now();
  if (left < 0) {
    left = 0;
  }
  int64_t now = left < hour ? left : hour;
  slice->tv_sec = (time_t)(now / SHMKV_SECOND);
  slice->tv_nsec = (long)(now % SHMKV_SECOND);
  return left;
}

shmkv_code stop_sleep(int64_t until) {
  struct timespec slice;
  while (stop_why() == STOP_NONE) {
    if (next_slice(until, &slice) == 0) {
      return SHMKV_TIMED_OUT;
    }
    (void)nanosleep(&slice, NULL);
  }
  return SHMKV_CANCELLED;
}

shmkv_code stop_poll(int fd, short events, int64_t until) {
  struct pollfd fds = {.fd = fd, .events = events};
  struct timespec slice;
  for (;;) {
    int64_t left = next_slice(until, &slice);
    int n = ppoll(&fds, 1, &slice, NULL);
    if (n > 0) {
      return SHMKV_OK;
    }
    if (stop_why() != STOP_NONE) {
      return SHMKV_CANCELLED;
    }
    if (n < 0 && errno != EINTR) {
      return SHMKV_OK; // the call that needs the descriptor will name it
    }
    if (left == 0) {
      return SHMKV_TIMED_OUT;
    }
  }
}
