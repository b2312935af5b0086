#include "page.h"

#include "fault.h"
#include "stop.h"

#include <inttypes.h>

bool page_fail(failure *f, const shmkv_segment *page, int code) {
  return fail(f, "%s", shmkv_message(page, code));
}

void page_guard(const shmkv_segment *page) {
  fault_guard(page->page, SHKV2_SIZE);
  stop_when_cut(page->fd);
}

bool page_cut(const shmkv_segment *page, failure *f) {
  shmkv_stat st;
  if (shmkv_os_stat(page->fd, NULL, &st) != 0) {
    return fail_errno(f, "fstat");
  }
  if (st.size < SHKV2_SIZE) {
    return fail(f, "%s: the file was truncated: %" PRIu64 " bytes, want %d", page->path, st.size,
        SHKV2_SIZE);
  }
  return fail(f, "%s: the page was lost for a moment", page->path); // or its device failed
}

bool page_whole(const shmkv_segment *page, failure *f) {
  return (!fault_seen() && !shmkv_is_truncated(page)) || page_cut(page, f);
}
