// Package segment creates, opens, maps, locks and repairs the file that holds
// one page: the mapped object of which one process is the writer and any number
// are readers.
//
// Create is the writer's way in. It formats a new file, or repairs and continues
// one that exists, and holds the writer lock until Close or the death of the
// process. Open is a reader's: it maps the file read-only. Both refuse, with an
// error that names the file and the reason, whatever is not a regular file of
// exactly this layout.
//
// A file may be cut short under a live mapping. Touching the lost part raises
// SIGBUS, which would end the program; the methods that touch the page turn it
// into ErrTruncated instead, and Guard does so for code of the caller's own.
//
// Only create, open and map the file through this package: offsets come from a
// Layout, and the order-critical steps are those of package seqlock.
package segment
