#define _GNU_SOURCE // getopt_long
#include "args.h"

#include "duration.h"
#include "number.h"

#include <getopt.h>
#include <string.h>

// What getopt_long(3) returns for each flag; below 32, to fit into a set.
enum {
  HELP = 1,
  VERSION,
  UPDATES,
  INTERVAL,
  LINES,
  MODE,
  EVENTS,
  TIMEOUT,
  JSON,
  WAIT,
  ROUNDS,
  CHANNEL,
};

#define COMMON                                                                                     \
  {"help", no_argument, NULL, HELP}, {                                                             \
    "version", no_argument, NULL, VERSION                                                          \
  }
#define END                                                                                        \
  { NULL, 0, NULL, 0 }

// A walk along the arguments.
typedef struct scan {
  int argc;
  char **argv;
  const struct option *options;
  const char *file; // the one operand
  bool only_operands; // behind "--"
  unsigned given; // set of the flags seen
  failure *f;
} scan;

// The end of the arguments, or a fault in them.
enum {
  SCAN_END = 0,
  SCAN_BAD = -1,
};

static int take_operand(scan *s) {
  const char *word = s->argv[optind++];
  if (s->file != NULL) {
    (void)fail(s->f, "unexpected argument %s", word);
    return SCAN_BAD;
  }
  s->file = word;
  return SCAN_END;
}

static int explain(const scan *s, int code, const char *word) {
  if (code == ':') {
    (void)fail(s->f, "%s: want a value", word);
  } else if (optopt > 0 && optopt < 32) {
    (void)fail(s->f, "%.*s takes no value", (int)strcspn(word, "="), word);
  } else {
    (void)fail(s->f, "unknown flag %.*s", (int)strcspn(word, "="), word);
  }
  return SCAN_BAD;
}

// Takes the flag at optind.
static int take_flag(scan *s) {
  const char *word = s->argv[optind];
  int index = -1;
  int code = getopt_long(s->argc, s->argv, "+:h", s->options, &index);
  if (code == '?' || code == ':') {
    return explain(s, code, word);
  }
  if (code == 'h') {
    return HELP;
  }
  const char *name = s->options[index].name;
  // getopt_long takes an abbreviation for the flag; a script should not.
  if (strcspn(word + 2, "=") != strlen(name)) {
    return explain(s, '?', word);
  }
  if ((s->given & 1u << code) != 0) { // of two values, nobody can tell which was meant
    (void)fail(s->f, "--%s is given twice", name);
    return SCAN_BAD;
  }
  s->given |= 1u << code;
  return code;
}

// Returns the next flag, whose value is in optarg; operands are kept on the way.
// It steps along itself, so as to know the word that getopt_long is looking at.
static int next_flag(scan *s) {
  while (optind < s->argc) {
    const char *word = s->argv[optind];
    if (!s->only_operands && strcmp(word, "--") == 0) {
      s->only_operands = true;
      optind++;
      continue;
    }
    if (!s->only_operands && word[0] == '-' && word[1] != '\0') {
      return take_flag(s);
    }
    if (take_operand(s) == SCAN_BAD) {
      return SCAN_BAD;
    }
  }
  if (s->file == NULL) {
    (void)fail(s->f, "expected \"<file>\"");
    return SCAN_BAD;
  }
  return SCAN_END;
}

static scan begin(int argc, char **argv, const struct option *options, failure *f) {
  optind = 1;
  opterr = 0;
  return (scan){.argc = argc, .argv = argv, .options = options, .f = f};
}

// What a walk comes to that has met no other fault.
static args_result ended(int code) {
  switch (code) {
  case HELP:
    return ARGS_HELP;
  case VERSION:
    return ARGS_VERSION;
  case SCAN_END:
    return ARGS_GOOD;
  default:
    return ARGS_BAD;
  }
}

// Puts a flag's name before what is wrong with its value.
static args_result bad_value(const char *flag, const failure *why, failure *f) {
  (void)fail(f, "--%s: %.900s", flag, why->text);
  return ARGS_BAD;
}

args_result args_serve(int argc, char **argv, serve_args *args, failure *f) {
  static const struct option options[] = {COMMON, {"updates", required_argument, NULL, UPDATES},
      {"interval-ms", required_argument, NULL, INTERVAL}, {"stdin", no_argument, NULL, LINES},
      {"mode", required_argument, NULL, MODE}, END};
  *args = (serve_args){.interval = SHMKV_SECOND, .mode = 0600};
  scan s = begin(argc, argv, options, f);
  failure why = {""};
  int code;
  while ((code = next_flag(&s)) > VERSION) {
    if (code == UPDATES && !number_count(optarg, &args->updates, &why)) {
      return bad_value("updates", &why, f);
    }
    if (code == INTERVAL && !number_millis(optarg, &args->interval, &why)) {
      return bad_value("interval-ms", &why, f);
    }
    if (code == MODE && !number_mode(optarg, &args->mode, &why)) {
      return bad_value("mode", &why, f);
    }
    args->lines = args->lines || code == LINES;
  }
  args->file = s.file;
  if (code == SCAN_END && args->lines && (s.given & (1u << UPDATES | 1u << INTERVAL)) != 0) {
    (void)fail(f, "--stdin goes without --updates and --interval-ms");
    return ARGS_BAD;
  }
  return ended(code);
}

args_result args_watch(int argc, char **argv, watch_args *args, failure *f) {
  static const struct option options[] = {COMMON, {"events", required_argument, NULL, EVENTS},
      {"timeout", required_argument, NULL, TIMEOUT}, {"json", no_argument, NULL, JSON},
      {"wait", no_argument, NULL, WAIT}, END};
  *args = (watch_args){.file = NULL};
  scan s = begin(argc, argv, options, f);
  failure why = {""};
  int code;
  while ((code = next_flag(&s)) > VERSION) {
    if (code == EVENTS && !number_count(optarg, &args->events, &why)) {
      return bad_value("events", &why, f);
    }
    if (code == TIMEOUT && !duration_parse(optarg, &args->timeout, &why)) {
      return bad_value("timeout", &why, f);
    }
    args->json = args->json || code == JSON;
    args->wait = args->wait || code == WAIT;
  }
  args->file = s.file;
  if ((s.given & 1u << TIMEOUT) == 0 && args->events != 0) {
    args->timeout = 30 * SHMKV_SECOND;
  }
  return ended(code);
}

args_result args_bench(int argc, char **argv, bench_args *args, failure *f) {
  static const struct option options[] = {COMMON, {"rounds", required_argument, NULL, ROUNDS},
      {"channel", required_argument, NULL, CHANNEL}, {"json", no_argument, NULL, JSON}, END};
  *args = (bench_args){.rounds = 2000};
  scan s = begin(argc, argv, options, f);
  failure why = {""};
  (void)channel_list("futex", args->channels, &args->channel_count, &why);
  int code;
  while ((code = next_flag(&s)) > VERSION) {
    if (code == ROUNDS && !number_count(optarg, &args->rounds, &why)) {
      return bad_value("rounds", &why, f);
    }
    if (code == CHANNEL && !channel_list(optarg, args->channels, &args->channel_count, &why)) {
      return bad_value("channel", &why, f);
    }
    args->json = args->json || code == JSON;
  }
  args->file = s.file;
  if (code == SCAN_END && args->rounds == 0) {
    (void)fail(f, "--rounds: want at least 1");
    return ARGS_BAD;
  }
  return ended(code);
}
