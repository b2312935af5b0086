package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/shmkv/shmkv/runtime/seqlock"
	"golang.org/x/sys/unix"
)

// The kinds of failure. Compare with errors.Is; the error itself is an *Error
// that names the file. A failure of the system that is none of these is an
// *Error too, and errors.Is finds its errno.
var (
	// ErrNotFound is also an fs.ErrNotExist.
	ErrNotFound = fmt.Errorf("no such segment: %w", fs.ErrNotExist)

	ErrNotRegular       = errors.New("not a regular file")
	ErrBadMagic         = errors.New("bad magic")
	ErrWrongSize        = errors.New("wrong size")
	ErrWrongVersion     = errors.New("wrong version")
	ErrWrongFingerprint = errors.New("wrong fingerprint")
	ErrWrongEndian      = errors.New("wrong byte order")
	ErrWrongConstant    = errors.New("wrong constant")

	ErrLocked     = errors.New("another writer holds the lock")
	ErrReadOnly   = errors.New("opened for reading only")
	ErrTooLong    = errors.New("text too long")
	ErrInnerNUL   = errors.New("text contains a NUL")
	ErrWriterDead = errors.New("no writer is alive")
	ErrTruncated  = errors.New("the file was truncated")
	ErrCancelled  = errors.New("cancelled")
	ErrNoSpace    = fmt.Errorf("no space: %w", syscall.ENOSPC)
	ErrClosed     = fmt.Errorf("segment is closed: %w", fs.ErrClosed)

	// ErrTimedOut is also an os.ErrDeadlineExceeded.
	ErrTimedOut = fmt.Errorf("timed out: %w", os.ErrDeadlineExceeded)

	// ErrUnstable: the path names another file at each look.
	ErrUnstable = errors.New("the file keeps being replaced")

	// ErrLayout: a descriptor that does not fit itself; a bug of whoever made it.
	ErrLayout = seqlock.ErrLayout

	// ErrLivelocked: no consistent copy within the time allowed.
	ErrLivelocked = seqlock.ErrLivelocked

	// ErrCorrupt: a state that no killed writer leaves behind.
	ErrCorrupt = seqlock.ErrCorrupt
)

// Error is a failure about one file.
type Error struct {
	Op    string // the system operation that failed, such as "open"; empty for a check of our own
	Path  string // the file, as the caller named it
	Text  string // what was expected and what was found; empty where Cause says it all
	Kind  error  // one of the package's Err values; nil for another failure of the system
	Cause error  // the error below; may be nil
}

// Error returns "PATH: reason", or "OP PATH: reason" for a failed system call.
func (e *Error) Error() string {
	reason := e.Text
	switch {
	case reason != "":
	case e.Cause != nil:
		reason = e.Cause.Error()
	case e.Kind != nil:
		reason = e.Kind.Error()
	}
	if e.Op != "" {
		return e.Op + " " + e.Path + ": " + reason
	}
	return e.Path + ": " + reason
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	var list []error
	for _, err := range []error{e.Kind, e.Cause} {
		if err != nil {
			list = append(list, err)
		}
	}
	return list
}

// failed wraps the error of a system call and gives it a kind.
func failed(op, path string, err error) *Error {
	e := &Error{Op: op, Path: path, Cause: err}
	switch {
	case errors.Is(err, unix.ENOENT):
		e.Kind = ErrNotFound
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		e.Kind = ErrNoSpace
	}
	return e
}

// refused says why a file is not accepted.
func refused(path string, kind error, format string, args ...any) *Error {
	return &Error{Path: path, Kind: kind, Text: fmt.Sprintf(format, args...)}
}
