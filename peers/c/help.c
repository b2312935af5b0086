#include "help.h"

#include "failure.h"

#include <stdio.h>

const char help_program[] =
    "Usage: shmkv <command> [flags]\n"
    "\n"
    "One page in a file that every process maps: one writer, many readers.\n"
    "\n"
    "Try it: in one terminal \"shmkv serve kv.shm\", in another \"shmkv watch kv.shm\".\n"
    "\n"
    "Exit codes: 0 done, 1 failed with one line on standard error, 2 wrong usage.\n"
    "\n"
    "Flags:\n"
    "  -h, --help       Show context-sensitive help.\n"
    "      --version    Print the version.\n"
    "\n"
    "Commands:\n"
    "  serve    Publish updates into the page in FILE.\n"
    "  watch    Print every update of the page in FILE.\n"
    "  bench    Measure how long it takes to wake a process, channel by channel.\n"
    "\n"
    "Run \"shmkv <command> --help\" for more information on a command.\n";

const char help_serve[] =
    "Usage: shmkv serve <file> [flags]\n"
    "\n"
    "Publish updates into the page in FILE.\n"
    "\n"
    "Update number ID is k<ID>=value-<ID>. An existing page goes on with the next ID;\n"
    "what a killed writer left half done is repaired first. A page has one writer:\n"
    "a second one is refused.\n"
    "\n"
    "With --stdin, a line whose key (24 bytes) or value (40 bytes) is too long, that\n"
    "has no \"=\", no key, or a NUL inside, is reported with its number and skipped;\n"
    "the exit code is then 1.\n"
    "\n"
    "SIGINT or SIGTERM stop it: exit code 0, or 1 when that is before update N of\n"
    "--updates N.\n"
    "\n"
    "Arguments:\n"
    "  <file>    The page: made, or continued if it exists.\n"
    "\n"
    "Flags:\n"
    "  -h, --help             Show context-sensitive help.\n"
    "      --version          Print the version.\n"
    "\n"
    "      --updates=N        Stop after N updates (default: 0, never).\n"
    "      --interval-ms=M    Milliseconds before each update (default: 1000).\n"
    "      --stdin            Publish lines key=value of standard input instead,\n"
    "                         as they come.\n"
    "      --mode=OCTAL       Mode of a new file (default: 600).\n";

const char help_watch[] =
    "Usage: shmkv watch <file> [flags]\n"
    "\n"
    "Print every update of the page in FILE.\n"
    "\n"
    "It starts with what the page still holds, the last 8 updates at most, and then\n"
    "sleeps until the next one comes. Each line is written at once, also into a pipe.\n"
    "When it was too slow, or came too late, standard error says how many updates\n"
    "were lost.\n"
    "\n"
    "--timeout is 30s by default where --events is given, and 0 otherwise.\n"
    "\n"
    "Fewer than N updates of --events N when the time is up, or at SIGINT or SIGTERM,\n"
    "are a failure (exit code 1). Without --events those are the ways to end it:\n"
    "exit code 0.\n"
    "\n"
    "--json prints {\"id\":1,\"lost\":0,\"key\":\"k1\",\"value\":\"value-1\"}: lost is the number\n"
    "of updates lost before this one; key_hex and value_hex are added where the text\n"
    "is not UTF-8.\n"
    "\n"
    "Arguments:\n"
    "  <file>    The page.\n"
    "\n"
    "Flags:\n"
    "  -h, --help         Show context-sensitive help.\n"
    "      --version      Print the version.\n"
    "\n"
    "      --events=N     Stop after N updates (default: 0, never).\n"
    "      --timeout=D    Stop after D, as 500ms or 1m (0: never).\n"
    "      --json         Print one JSON object per update and nothing else.\n"
    "      --wait         Wait for FILE to appear.\n";

const char help_bench[] =
    "Usage: shmkv bench <file> [flags]\n"
    "\n"
    "Measure how long it takes to wake a process, channel by channel.\n"
    "\n"
    "A second process blocks on one kernel object. Each round publishes one update\n"
    "into the page, wakes that process, and measures in microseconds how long it\n"
    "takes until it has read the update; the next round starts when it has answered.\n"
    "\n"
    "Channels: futex (the default), futex-parked, pipe, eventfd, mq, unix and poll.\n"
    "\n"
    "In most rounds of \"futex\" the other process sees the update before it has fallen\n"
    "asleep: that is the channel's fast path. The row \"futex-parked\" wakes it only\n"
    "when it is known to sleep. --json also says in how many rounds it slept.\n"
    "\n"
    "Arguments:\n"
    "  <file>    The page: made or continued, and left behind.\n"
    "\n"
    "Flags:\n"
    "  -h, --help            Show context-sensitive help.\n"
    "      --version         Print the version.\n"
    "\n"
    "      --rounds=N        Rounds per channel (default: 2000).\n"
    "      --channel=NAME    One, some with commas, or all.\n"
    "      --json            Print one JSON object per channel and nothing else.\n";

int help_print(const char *text) {
  bool good = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
  return good ? EXIT_DONE : EXIT_FAILED;
}

int help_version(void) {
#if defined(__clang__)
  return help_print(PROGRAM " (C) " __VERSION__ "\n");
#else
  return help_print(PROGRAM " (C) gcc " __VERSION__ "\n");
#endif
}
