#include "channel.h"

#include <string.h>

const char channel_other_gone[] = "the other process has ended";

bool channel_no_open(ends *e, failure *f) {
  (void)e;
  (void)f;
  return true;
}

void channel_no_close(ends *e) {
  (void)e;
}

// THE table of channels, in the order of --channel all.
static const channel channels[CHANNELS] = {
    {"futex", false, channel_no_open, channel_no_close, futex_signal, futex_wait},
    {"futex-parked", true, channel_no_open, channel_no_close, futex_signal, futex_wait_parked},
    {"pipe", false, pipe_open, stream_close, stream_signal, stream_wait},
    {"eventfd", false, eventfd_open, stream_close, eventfd_signal, stream_wait},
    {"mq", false, queue_open, queue_close, queue_signal, queue_wait},
    {"unix", false, socket_open, stream_close, stream_signal, stream_wait},
    {"poll", false, channel_no_open, channel_no_close, poll_signal, poll_wait},
};

static const channel *find(const char *name, size_t size) {
  for (size_t i = 0; i < CHANNELS; i++) {
    if (strlen(channels[i].name) == size && memcmp(channels[i].name, name, size) == 0) {
      return &channels[i];
    }
  }
  return NULL;
}

static bool unknown(const char *name, size_t size, failure *f) {
  char names[128] = "";
  for (size_t i = 0; i < CHANNELS; i++) {
    (void)strcat(strcat(names, i == 0 ? "" : ","), channels[i].name);
  }
  return fail(f, "\"%.*s\" is not a channel, want all or some of %s", (int)size, name, names);
}

bool channel_list(const char *text, const channel *list[CHANNELS], size_t *count, failure *f) {
  *count = 0;
  if (strcmp(text, "all") == 0) {
    for (; *count < CHANNELS; ++*count) {
      list[*count] = &channels[*count];
    }
    return true;
  }
  for (const char *at = text;; at++) {
    size_t size = strcspn(at, ",");
    const channel *found = find(at, size);
    if (found == NULL) {
      return unknown(at, size < 100 ? size : 100, f);
    }
    for (size_t i = 0; i < *count; i++) {
      if (list[i] == found) {
        return fail(f, "%s is given twice", found->name);
      }
    }
    list[(*count)++] = found; // each once: there is room
    at += size;
    if (*at == '\0') {
      return true;
    }
  }
}
