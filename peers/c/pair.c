#include "pair.h"

#include <inttypes.h>
#include <string.h>

static void feed(part *p, char *text, size_t limit, const char *piece, size_t size) {
  if (size == 0) {
    return;
  }
  if (p->size < limit) {
    size_t room = limit - (size_t)p->size;
    memcpy(text + p->size, piece, size < room ? size : room);
  }
  p->size += size;
  p->nul = p->nul || memchr(piece, '\0', size) != NULL;
}

void pair_feed(pair *p, const char *piece, size_t size) {
  p->any = true;
  if (!p->split) {
    const char *sign = size == 0 ? NULL : memchr(piece, '=', size);
    size_t before = sign == NULL ? size : (size_t)(sign - piece);
    feed(&p->key, p->key_text, sizeof p->key_text, piece, before);
    if (sign == NULL) {
      return;
    }
    p->split = true;
    piece = sign + 1;
    size -= before + 1;
  }
  feed(&p->value, p->value_text, sizeof p->value_text, piece, size);
}

static bool fits(const part *p, const char *name, size_t limit, failure *f) {
  if (p->size > limit) {
    return fail(f, "refused: the %s has %" PRIu64 " bytes, want at most %zu", name, p->size, limit);
  }
  return !p->nul || fail(f, "refused: the %s contains a NUL", name);
}

bool pair_record(const pair *p, shkv2_slot *slot, failure *f) {
  if (!p->split) {
    return fail(f, "refused: no '=' in it, want key=value");
  }
  if (p->key.size == 0) {
    return fail(f, "refused: the key is empty");
  }
  if (!fits(&p->key, "key", sizeof p->key_text, f) ||
      !fits(&p->value, "value", sizeof p->value_text, f)) {
    return false;
  }
  return (shkv2_slot_set_key(slot, p->key_text, (size_t)p->key.size) == SHMKV_OK &&
             shkv2_slot_set_value(slot, p->value_text, (size_t)p->value.size) == SHMKV_OK) ||
         fail(f, "refused: the page does not take it");
}
