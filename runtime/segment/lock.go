package segment

import (
	"io"

	"golang.org/x/sys/unix"
)

// The writer lock is an open-file-description lock on byte 0 (fcntl(2)): it dies
// with the last descriptor of its open, is not lost when the process closes some
// other descriptor of the file, and does not pass to a child that is executed,
// since the descriptor is O_CLOEXEC.

func byteZero(kind int16) *unix.Flock_t {
	return &unix.Flock_t{Type: kind, Whence: io.SeekStart, Start: 0, Len: 1}
}

// lock takes the writer lock or refuses at once.
func lock(path string, fd int) error {
	err := retry(func() error {
		return unix.FcntlFlock(uintptr(fd), unix.F_OFD_SETLK, byteZero(unix.F_WRLCK))
	})
	switch err {
	case nil:
		return nil
	case unix.EAGAIN, unix.EACCES:
		return &Error{Path: path, Kind: ErrLocked}
	}
	return failed("lock", path, err)
}

func unlock(path string, fd int) error {
	err := unix.FcntlFlock(uintptr(fd), unix.F_OFD_SETLK, byteZero(unix.F_UNLCK))
	if err != nil {
		return failed("unlock", path, err)
	}
	return nil
}

// locked asks whether some other open of the file holds the lock. A read-only
// descriptor may ask.
func locked(path string, fd int) (bool, error) {
	l := byteZero(unix.F_WRLCK)
	err := retry(func() error { return unix.FcntlFlock(uintptr(fd), unix.F_OFD_GETLK, l) })
	if err != nil {
		return false, failed("lock", path, err)
	}
	return l.Type != unix.F_UNLCK, nil
}
