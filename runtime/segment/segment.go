package segment

import (
	"sync/atomic"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/seqlock"
	"golang.org/x/sys/unix"
)

// Segment is one mapped file. Its methods may be called from many goroutines,
// except that only one may write at a time.
type Segment struct {
	path     string
	layout   *Layout
	fd       int
	mem      []byte
	writer   bool
	created  bool
	recovery seqlock.Recovery

	// refs counts those who use the mapping, one for the open segment itself:
	// the last to leave unmaps, so Close never pulls it from under a method.
	refs   atomic.Int32
	closed atomic.Bool
}

// Path returns the file's name, as the caller gave it.
func (s *Segment) Path() string { return s.path }

// Layout returns the layout the segment was opened with.
func (s *Segment) Layout() *Layout { return s.layout }

// Bytes returns the mapped page. It is not to be used after Close, nor written
// to by a reader. Touching it may fault when the file is cut short: see Guard.
func (s *Segment) Bytes() []byte { return s.mem }

// Base returns the address of the page. See Bytes.
func (s *Segment) Base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s.mem)) }

// Writable tells whether this segment holds the writer lock.
func (s *Segment) Writable() bool { return s.writer }

// Created tells whether Create made the file, rather than continued one.
func (s *Segment) Created() bool { return s.created }

// Recovery returns what Create found and repaired on a file that existed: the
// gravest result over the page and its guarded records.
func (s *Segment) Recovery() seqlock.Recovery { return s.recovery }

// Close unmaps the page and, for a writer, gives up the lock. A second call does
// nothing. Methods called afterwards return ErrClosed; those still at work, such
// as a sleeping watcher, keep the mapping until they return.
func (s *Segment) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	var err error
	if s.writer {
		// At once, even if a method still holds the descriptor.
		err = unlock(s.path, s.fd)
	}
	if e := s.leave(); err == nil {
		err = e
	}
	return err
}

// enter keeps the mapping and the descriptor alive until leave.
func (s *Segment) enter() error {
	for {
		n := s.refs.Load()
		if n == 0 || s.closed.Load() {
			return s.errClosed()
		}
		if s.refs.CompareAndSwap(n, n+1) {
			return nil
		}
	}
}

// leave ends what enter began.
func (s *Segment) leave() error {
	if s.refs.Add(-1) > 0 {
		return nil
	}
	err := unix.Munmap(s.mem)
	if e := unix.Close(s.fd); err == nil {
		err = e
	}
	if err != nil {
		return failed("close", s.path, err)
	}
	return nil
}

// Check tells whether the file still has its size; it is an ErrTruncated if
// not. A file that was removed or replaced by another is no error: the mapping
// stays whole.
func (s *Segment) Check() error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave() //nolint:errcheck // reported by Close, unless it overtook us
	return s.checkSize()
}

func (s *Segment) checkSize() error {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(s.fd, &st) }); err != nil {
		return failed("fstat", s.path, err)
	}
	if st.Size < int64(len(s.mem)) {
		return refused(s.path, ErrTruncated, "the file was truncated: %d bytes, want %d",
			st.Size, len(s.mem))
	}
	return nil
}

// WriterAlive tells whether a writer holds the lock at this moment: this very
// segment or another process (fcntl(2), F_OFD_GETLK).
func (s *Segment) WriterAlive() (bool, error) {
	if err := s.enter(); err != nil {
		return false, err
	}
	defer s.leave() //nolint:errcheck // as in Check
	if s.writer {
		return true, nil
	}
	return locked(s.path, s.fd)
}

// retry repeats a system call that a signal interrupted. The Go runtime sends
// itself SIGURG at will, and fallocate(2) on tmpfs, among others, gives up then.
func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
