package segment

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// tempCount tells apart the temporary files of one process.
var tempCount atomic.Uint64

// maxStem keeps the name of a temporary file below NAME_MAX (255 bytes).
const maxStem = 200

// newFile makes the page under a temporary name in the same directory, where
// nobody looks for it, and renames it into place when it is locked, backed by
// blocks and formatted. So nobody ever maps a half-made page. It returns
// errExists when another process was first.
func newFile(path string, layout *Layout, o *options) (s *Segment, err error) {
	fd, temp, err := openTemp(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = unix.Unlink(temp)
		}
	}()
	s, err = build(path, layout, fd, o.mode)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	if err := place(temp, path); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// openTemp creates an empty file beside path.
func openTemp(path string) (fd int, temp string, err error) {
	dir, name := filepath.Split(path)
	stem := name[:min(len(name), maxStem)]
	const flags = unix.O_RDWR | unix.O_CREAT | unix.O_EXCL | unix.O_CLOEXEC | unix.O_NOFOLLOW
	for range maxRaces {
		temp = fmt.Sprintf("%s.%s.%d.%d.tmp", dir, stem, os.Getpid(), tempCount.Add(1))
		err = retry(func() (err error) {
			fd, err = unix.Open(temp, flags, 0o600)
			return err
		})
		if err != unix.EEXIST { // left behind by a killed process of the same id
			break
		}
	}
	if err != nil {
		return -1, "", failed("create", path, err)
	}
	return fd, temp, nil
}

// build turns an empty file into a locked, mapped, formatted page.
func build(path string, layout *Layout, fd int, mode fs.FileMode) (*Segment, error) {
	if err := retry(func() error { return unix.Fchmod(fd, uint32(mode)) }); err != nil {
		return nil, failed("chmod", path, err)
	}
	if err := lock(path, fd); err != nil {
		return nil, err
	}
	if err := reserve(path, fd, layout.Size, true); err != nil {
		return nil, err
	}
	s, err := mapFile(path, layout, fd, unix.PROT_READ|unix.PROT_WRITE)
	if err != nil {
		return nil, err
	}
	s.writer, s.created = true, true
	err = s.Guard(func() error {
		prefault(s.mem)
		layout.format(s.mem)
		return nil
	})
	if err != nil {
		_ = unix.Munmap(s.mem)
		return nil, err
	}
	return s, nil
}

// place gives the finished file its name, unless something has that name.
func place(temp, path string) error {
	err := retry(func() error {
		return unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_NOREPLACE)
	})
	if err == unix.EINVAL || err == unix.ENOSYS {
		// The file system or the kernel lacks the flag; link(2) never replaces.
		err = retry(func() error { return unix.Link(temp, path) })
		if err == nil {
			_ = unix.Unlink(temp)
		}
	}
	switch err {
	case nil:
		return nil
	case unix.EEXIST:
		return errExists
	}
	return failed("create", path, err)
}
