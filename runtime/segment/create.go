package segment

import (
	"errors"
	"io/fs"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/seqlock"
	"golang.org/x/sys/unix"
)

// Option changes how Create works.
type Option func(*options)

type options struct {
	mode  fs.FileMode
	reset bool
}

// Mode sets the permission bits of a file that Create makes, whatever the umask.
// The default is 0600. An existing file keeps its own.
func Mode(mode fs.FileMode) Option { return func(o *options) { o.mode = mode.Perm() } }

// Reset makes Create start an existing page of this layout over: counters,
// records and history become zero, also where recovery would refuse the page as
// corrupt. Files of another size or layout are refused all the same.
func Reset() Option { return func(o *options) { o.reset = true } }

// maxRaces bounds how often Create starts over because other processes created
// or replaced the file meanwhile.
const maxRaces = 1000

var (
	errReplaced = errors.New("replaced meanwhile")
	errExists   = errors.New("created meanwhile")
)

// Create makes this process the writer of path. A file that does not exist is
// made, formatted and only then put in place; one that exists must be a page of
// this layout: it is repaired after a killed writer and continued. Create
// refuses with ErrLocked while another writer is alive. It does not wait.
func Create(path string, layout *Layout, opts ...Option) (*Segment, error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, failed("create", path, unix.ENOENT)
	}
	o := options{mode: 0o600}
	for _, opt := range opts {
		opt(&o)
	}
	for range maxRaces {
		s, err := continueFile(path, layout, &o)
		if errors.Is(err, ErrNotFound) {
			s, err = newFile(path, layout, &o)
		}
		if err == errReplaced || err == errExists {
			continue
		}
		return s, err
	}
	return nil, &Error{Path: path, Kind: ErrUnstable}
}

// continueFile opens an existing page for writing, locks and repairs it.
func continueFile(path string, layout *Layout, o *options) (*Segment, error) {
	fd, err := openFile(path, unix.O_RDWR, layout.Size)
	if err != nil {
		return nil, err
	}
	s, err := mapFile(path, layout, fd, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	if err := s.takeOver(o); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// takeOver makes the segment the writer of a page that exists.
func (s *Segment) takeOver(o *options) error {
	if err := s.checkStamps(); err != nil {
		return err
	}
	if err := lock(s.path, s.fd); err != nil {
		return err
	}
	s.writer = true
	// Only now: whoever held the lock before may have replaced the file.
	if same, err := sameFile(s.path, s.fd); err != nil {
		return err
	} else if !same {
		return errReplaced
	}
	// A sparse file would fault at a store when its file system is full.
	if err := reserve(s.path, s.fd, s.layout.Size, false); err != nil {
		return err
	}
	return s.Guard(func() error {
		prefault(s.mem)
		if o.reset {
			return s.reset()
		}
		return s.repair()
	})
}

// each calls f for every seqlock of the page with the base it counts from.
func (s *Segment) each(f func(l *seqlock.Lock, base unsafe.Pointer) error) error {
	if s.layout.Lock != nil {
		if err := f(s.layout.Lock, s.Base()); err != nil {
			return err
		}
	}
	for _, g := range s.layout.Guarded {
		for i := range g.Count {
			if err := f(g.Lock, unsafe.Add(s.Base(), g.Offset+i*g.Stride)); err != nil {
				return err
			}
		}
	}
	return nil
}

// repair runs the recovery of every seqlock.
func (s *Segment) repair() error {
	return s.each(func(l *seqlock.Lock, base unsafe.Pointer) error {
		r, err := l.Recover(base)
		s.recovery = max(s.recovery, r)
		if errors.Is(err, ErrCorrupt) {
			return &Error{Path: s.path, Kind: ErrCorrupt, Cause: err}
		} else if err != nil {
			return failed("recover", s.path, err)
		}
		return nil
	})
}

// reset starts every seqlock over.
func (s *Segment) reset() error {
	return s.each(func(l *seqlock.Lock, base unsafe.Pointer) error {
		if err := l.Reset(base); err != nil {
			return failed("reset", s.path, err)
		}
		return nil
	})
}
