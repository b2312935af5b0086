// What --help and --version print: the words are those of the reference program.
#ifndef PEER_HELP_H
#define PEER_HELP_H

extern const char help_program[];
extern const char help_serve[];
extern const char help_watch[];
extern const char help_bench[];

// Each prints to standard output and returns the exit code.
int help_print(const char *text);
int help_version(void);

#endif
