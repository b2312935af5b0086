// The command line of serve, watch and bench.
#ifndef PEER_ARGS_H
#define PEER_ARGS_H

#include "channel.h"

#include <stddef.h>

typedef struct serve_args {
  const char *file;
  uint64_t updates; // 0: until stopped
  int64_t interval; // nanoseconds before each update
  bool lines; // publish those of standard input instead
  unsigned mode; // of a file that is made
} serve_args;

typedef struct watch_args {
  const char *file;
  uint64_t events; // 0: until stopped
  int64_t timeout; // nanoseconds; 0: none
  bool json;
  bool wait; // for the file
} watch_args;

typedef struct bench_args {
  const char *file;
  uint64_t rounds;
  const channel *channels[CHANNELS];
  size_t channel_count;
  bool json;
} bench_args;

typedef enum args_result {
  ARGS_GOOD,
  ARGS_HELP, // is wanted
  ARGS_VERSION, // is wanted
  ARGS_BAD, // the failure says why
} args_result;

// Each reads what stands behind its command: argv[0] is the command itself.
args_result args_serve(int argc, char **argv, serve_args *args, failure *f);
args_result args_watch(int argc, char **argv, watch_args *args, failure *f);
args_result args_bench(int argc, char **argv, bench_args *args, failure *f);

#endif
