package segment

import (
	"golang.org/x/sys/unix"
)

// kinds names what may stand where a regular file should.
var kinds = map[uint32]string{
	unix.S_IFDIR:  "a directory",
	unix.S_IFLNK:  "a symbolic link",
	unix.S_IFIFO:  "a FIFO",
	unix.S_IFSOCK: "a socket",
	unix.S_IFCHR:  "a character device",
	unix.S_IFBLK:  "a block device",
}

// regular refuses whatever is not a regular file.
func regular(path string, st *unix.Stat_t) error {
	kind := st.Mode & unix.S_IFMT
	if kind == unix.S_IFREG {
		return nil
	}
	name, ok := kinds[kind]
	if !ok {
		name = "something else"
	}
	return refused(path, ErrNotRegular, "is %s, want a regular file", name)
}

// openFile opens an existing regular file of size bytes. It never blocks and
// never follows a symbolic link in the last component; the look before the open
// is there because opening a device may already have an effect, the one after it
// because the file may be another by then.
func openFile(path string, flags, size int) (fd int, err error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Lstat(path, &st) }); err != nil {
		return -1, failed("open", path, err)
	}
	if err := regular(path, &st); err != nil {
		return -1, err
	}
	flags |= unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK
	err = retry(func() (err error) {
		fd, err = unix.Open(path, flags, 0)
		return err
	})
	if err != nil {
		return -1, failed("open", path, err)
	}
	if err := acceptable(path, fd, size); err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

func acceptable(path string, fd, size int) error {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &st) }); err != nil {
		return failed("fstat", path, err)
	}
	if err := regular(path, &st); err != nil {
		return err
	}
	if st.Size != int64(size) {
		return refused(path, ErrWrongSize, "wrong size: %d bytes, want %d", st.Size, size)
	}
	return nil
}

// sameFile tells whether path still names the file behind fd.
func sameFile(path string, fd int) (bool, error) {
	var byPath, byFD unix.Stat_t
	if err := retry(func() error { return unix.Fstat(fd, &byFD) }); err != nil {
		return false, failed("fstat", path, err)
	}
	switch err := retry(func() error { return unix.Lstat(path, &byPath) }); err {
	case nil:
		return byPath.Dev == byFD.Dev && byPath.Ino == byFD.Ino, nil
	case unix.ENOENT:
		return false, nil
	default:
		return false, failed("stat", path, err)
	}
}
