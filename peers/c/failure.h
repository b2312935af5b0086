// Why something failed, in words.
#ifndef PEER_FAILURE_H
#define PEER_FAILURE_H

#include <stdbool.h>

// The prefix of every line on standard error, the same in every language.
#define PROGRAM "shmkv"

// The exit codes.
enum {
  EXIT_DONE = 0,
  EXIT_FAILED = 1,
  EXIT_USAGE = 2,
};

// Text without the program's name. Empty: nobody is to be told, because whoever
// read the output has left.
typedef struct failure {
  char text[1024];
} failure;

// Puts a failure into words (cut if too long). Returns false, so that a function
// can fail in one line.
__attribute__((format(printf, 2, 3))) bool fail(failure *f, const char *format, ...);

// Fails with what was being done, and errno in words.
bool fail_errno(failure *f, const char *doing);

// Fails without a word.
bool fail_quietly(failure *f);

// Tells a failure in one line on standard error.
void failure_tell(const failure *f);

#endif
