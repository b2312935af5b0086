// The C peer of shmkv: the same commands as the reference program, on the
// generated header alone.
#include "command.h"
#include "failure.h"
#include "help.h"

#include <string.h>

// Says what is wrong with the command line.
static int bad_usage(const failure *f) {
  static const failure hint = {"for the commands and their flags: " PROGRAM " --help"};
  failure_tell(f);
  failure_tell(&hint);
  return EXIT_USAGE;
}

// The part that all commands share: help, version, bad usage.
static int no_run(args_result result, const char *help, const failure *f) {
  switch (result) {
  case ARGS_HELP:
    return help_print(help);
  case ARGS_VERSION:
    return help_version();
  default:
    return bad_usage(f);
  }
}

static int run_serve(int argc, char **argv) {
  serve_args args;
  failure f = {""};
  args_result result = args_serve(argc, argv, &args, &f);
  return result == ARGS_GOOD ? command_serve(&args) : no_run(result, help_serve, &f);
}

static int run_watch(int argc, char **argv) {
  watch_args args;
  failure f = {""};
  args_result result = args_watch(argc, argv, &args, &f);
  return result == ARGS_GOOD ? command_watch(&args) : no_run(result, help_watch, &f);
}

static int run_bench(int argc, char **argv) {
  bench_args args;
  failure f = {""};
  args_result result = args_bench(argc, argv, &args, &f);
  return result == ARGS_GOOD ? command_bench(&args) : no_run(result, help_bench, &f);
}

int main(int argc, char **argv) {
  failure f = {""};
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "serve") == 0) {
    return run_serve(argc - 1, argv + 1);
  }
  if (strcmp(word, "watch") == 0) {
    return run_watch(argc - 1, argv + 1);
  }
  if (strcmp(word, "bench") == 0) {
    return run_bench(argc - 1, argv + 1);
  }
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
    return help_print(help_program);
  }
  if (strcmp(word, "--version") == 0) {
    return help_version();
  }
  if (argc < 2) {
    (void)fail(&f, "expected one of \"serve\", \"watch\", \"bench\"");
  } else {
    (void)fail(&f, word[0] == '-' ? "unknown flag %s" : "unexpected argument %s", word);
  }
  return bad_usage(&f);
}
