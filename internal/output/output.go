// Package output writes lines to standard output so that whoever reads them
// gets each at once, and so that a reader who does not read, or has left, never
// keeps the program from ending.
package output

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Lines writes whole lines to a file, one write(2) each.
type Lines struct {
	name string
	fd   int
}

// New returns a Lines for an open file, which must stay open.
func New(f *os.File) *Lines { return &Lines{f.Name(), int(f.Fd())} }

// slice is how long one poll(2) may last before the context is looked at again.
const slice = 100 * time.Millisecond

// Write writes one line, its newline included. While the reader of a full pipe
// does not read, it waits until ctx ends and then returns its cause. A reader
// that has left is an EPIPE.
func (l *Lines) Write(ctx context.Context, line []byte) error {
	for len(line) > 0 {
		if err := l.ready(ctx); err != nil {
			return err
		}
		n, err := unix.Write(l.fd, line)
		switch err {
		case nil:
			line = line[n:]
		case unix.EINTR, unix.EAGAIN:
		default:
			return l.failed("write", err)
		}
	}
	return nil
}

// ready waits until a write of up to PIPE_BUF (4096) bytes will not block.
func (l *Lines) ready(ctx context.Context) error {
	fds := []unix.PollFd{{Fd: int32(l.fd), Events: unix.POLLOUT}}
	for {
		n, err := unix.Poll(fds, int(slice/time.Millisecond))
		switch {
		case err != nil && err != unix.EINTR:
			return l.failed("poll", err)
		case err == nil && n > 0:
			return nil // or an error condition, which the write will name
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
}

// WatchReader calls gone when the reader of a pipe or socket closes its end, at
// once and not at the next write. It returns immediately; for other files it
// does nothing.
func (l *Lines) WatchReader(gone func(error)) {
	var st unix.Stat_t
	if err := unix.Fstat(l.fd, &st); err != nil {
		return // the first write will say so
	}
	if kind := st.Mode & unix.S_IFMT; kind != unix.S_IFIFO && kind != unix.S_IFSOCK {
		return
	}
	go func() {
		// No events asked for: POLLERR and POLLHUP are always reported.
		fds := []unix.PollFd{{Fd: int32(l.fd)}}
		for {
			n, err := unix.Poll(fds, -1)
			if err == unix.EINTR {
				continue
			}
			if err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				gone(l.failed("write", unix.EPIPE))
			}
			return
		}
	}()
}

func (l *Lines) failed(op string, err error) error {
	return fmt.Errorf("%s %s: %w", op, l.name, err)
}
