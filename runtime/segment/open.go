package segment

import (
	"github.com/shmkv/shmkv/runtime/seqlock"
	"golang.org/x/sys/unix"
)

// Open maps an existing file for reading: PROT_READ, unless the layout counts
// its waiters in the page. It does not wait for the file to appear; a file that
// is there is whole, because Create puts it in place only when it is formatted.
func Open(path string, layout *Layout) (*Segment, error) {
	if err := layout.Validate(); err != nil {
		return nil, err
	}
	flags, prot := unix.O_RDONLY, unix.PROT_READ
	if layout.Lock != nil && layout.Lock.Waiters != seqlock.None {
		flags, prot = unix.O_RDWR, unix.PROT_READ|unix.PROT_WRITE
	}
	fd, err := openFile(path, flags, layout.Size)
	if err != nil {
		return nil, err
	}
	s, err := mapFile(path, layout, fd, prot)
	if err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	if err := s.checkStamps(); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// mapFile maps the file behind fd. From then on the segment owns fd.
func mapFile(path string, layout *Layout, fd, prot int) (*Segment, error) {
	mem, err := unix.Mmap(fd, 0, layout.Size, prot, unix.MAP_SHARED)
	if err != nil {
		return nil, failed("mmap", path, err)
	}
	s := &Segment{path: path, layout: layout, fd: fd, mem: mem}
	s.refs.Store(1)
	return s, nil
}

// checkStamps compares every byte that must hold.
func (s *Segment) checkStamps() error {
	return s.Guard(func() error { return s.layout.compare(s.path, s.mem) })
}
