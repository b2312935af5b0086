package segment

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reserve makes sure that blocks stand behind every byte, so that a full file
// system is an error now and not a SIGBUS at the first store. fresh says that
// the file is empty, may be written to, and needs its size.
func reserve(path string, fd, size int, fresh bool) error {
	err := retry(func() error { return unix.Fallocate(fd, 0, 0, int64(size)) })
	if err == unix.EOPNOTSUPP || err == unix.ENOSYS {
		err = nil // an existing file stays as it is
		if fresh {
			err = writeZeros(fd, size)
		}
	}
	if err == nil {
		return nil
	}
	e := failed("create", path, err)
	if e.Kind == ErrNoSpace {
		e.Op, e.Text = "", fmt.Sprintf("no space for %d bytes: %v", size, err)
	}
	return e
}

// writeZeros is reserve for file systems without fallocate(2).
func writeZeros(fd, size int) error {
	zeros := make([]byte, min(size, 1<<16))
	for at := 0; at < size; {
		n := 0
		err := retry(func() (err error) {
			n, err = unix.Pwrite(fd, zeros[:min(len(zeros), size-at)], int64(at))
			return err
		})
		if err != nil {
			return err
		}
		at += n
	}
	return nil
}

// prefault brings every page of a writer's mapping in, writable. A page fault
// between W1 and W5 would cost every reader its attempts.
func prefault(mem []byte) {
	if unix.Madvise(mem, unix.MADV_POPULATE_WRITE) == nil {
		return
	}
	// Before Linux 5.14: touch each page with a write that changes nothing, even
	// if a reader counts itself in the waiters word of the page meanwhile.
	for at := 0; at+4 <= len(mem); at += unix.Getpagesize() {
		atomic.OrUint32((*uint32)(unsafe.Pointer(&mem[at])), 0)
	}
}
