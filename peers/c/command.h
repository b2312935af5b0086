// The commands. Each returns the exit code and has told why it is not 0.
#ifndef PEER_COMMAND_H
#define PEER_COMMAND_H

#include "args.h"

int command_serve(const serve_args *args);
int command_watch(const watch_args *args);
int command_bench(const bench_args *args);

#endif
