// The page of this program's commands: what all of them need of it.
#ifndef PEER_PAGE_H
#define PEER_PAGE_H

#include "failure.h"

#include <shmkv/shkv2.h>

// Fails with the words of a code that an operation on the page returned.
bool page_fail(failure *f, const shmkv_segment *page, int code);

// Stops, and does not crash, when the file of an open page is cut short.
void page_guard(const shmkv_segment *page);

// Tells whether the file still has its size; if not, everything read from the
// page since the last look may be rubbish.
bool page_whole(const shmkv_segment *page, failure *f);

// Fails because the file was cut short, be it that it has grown again since.
bool page_cut(const shmkv_segment *page, failure *f);

#endif
