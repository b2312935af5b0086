// Memory faults inside the mapped page. Whoever cuts the file short makes each
// touch of the page a SIGBUS, at any moment.
#ifndef PEER_FAULT_H
#define PEER_FAULT_H

#include <stdbool.h>
#include <stddef.h>

// Guards the page mapped at an address, in place of the one guarded before: the
// first fault inside replaces it by zeros and is remembered, so that the program
// goes on to where it looks at fault_seen(). Any other fault ends the program as
// it always did.
void fault_guard(void *page, size_t size);

// Tells whether the page is lost. Everything read from it since the last look
// may then be rubbish.
bool fault_seen(void);

#endif
