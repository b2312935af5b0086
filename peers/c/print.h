// What watch prints: lines for people, or one JSON object per update.
#ifndef PEER_PRINT_H
#define PEER_PRINT_H

#include "output.h"

typedef struct printer {
  output out;
  output notes; // where gaps are told
  bool json;
} printer;

// A printer to the standard streams. until: see output.
printer print_begin(bool json, int64_t until);

// Each prints what it is named for, and returns what output_line does.
shmkv_code print_start(const printer *p, const char *path, uint64_t events, failure *f);
shmkv_code print_update(const printer *p, const shkv2_update *update, failure *f);
shmkv_code print_complete(const printer *p, uint64_t events, failure *f);

#endif
