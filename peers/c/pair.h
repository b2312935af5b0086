// One line key=value, which comes in pieces: no more of it is kept than the page
// has room for.
#ifndef PEER_PAIR_H
#define PEER_PAIR_H

#include "failure.h"

#include <shmkv/shkv2.h>

// A key or a value.
typedef struct part {
  uint64_t size; // in bytes, all of it
  bool nul; // there is one inside
} part;

typedef struct pair {
  part key, value;
  bool split; // the '=' has come
  bool any; // anything has come, be it a newline
  char key_text[sizeof((shkv2_slot *)0)->key];
  char value_text[sizeof((shkv2_slot *)0)->value];
} pair;

// Takes the next piece of the line, without its newline.
void pair_feed(pair *p, const char *piece, size_t size);

// Makes a record of the line. Fails if the line can not be published.
bool pair_record(const pair *p, shkv2_slot *slot, failure *f);

#endif
