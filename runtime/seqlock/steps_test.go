package seqlock_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ioctls of userfaultfd(2): with them a test stops a reader in the middle of a
// read attempt, at its first touch of a page that is not there yet.
const (
	uffdAPI      = 0xc018aa3f
	uffdRegister = 0xc020aa00
	uffdZeroPage = 0xc020aa04

	uffdUserModeOnly = 1
)

// slowPage makes one page of mem fault until resume is called.
func slowPage(t *testing.T, page []byte) (reached, resume func()) {
	fd, _, errno := unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|uffdUserModeOnly, 0, 0)
	if errno != 0 {
		t.Skipf("this kernel or sandbox gives no userfaultfd: %v", errno)
	}
	t.Cleanup(func() { _ = unix.Close(int(fd)) })
	call := func(number uintptr, arg []uint64) {
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, number, uintptr(unsafe.Pointer(&arg[0])))
		require.Zero(t, errno, "ioctl %#x", number)
	}
	start, length := uint64(uintptr(pagetest.Ptr(page))), uint64(len(page))
	call(uffdAPI, []uint64{0xaa, 0, 0})
	call(uffdRegister, []uint64{start, length, 1, 0})
	reached = func() {
		n, err := unix.Read(int(fd), make([]byte, 32))
		require.NoError(t, err)
		require.Equal(t, 32, n)
	}
	return reached, func() { call(uffdZeroPage, []uint64{start, length, 0, 0}) }
}

// What happens between the copy and the end of an attempt decides whether the
// copy is taken: R5 sees seq, R6 the counter where seq has come round.
func TestStepsAtTheEndOfARead(t *testing.T) {
	// The stopped reader keeps its processor, and the collector can not stop it.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	p := unix.Getpagesize()
	lock := &seqlock.Lock{
		Seq: 0, Counter: 8, Futex: seqlock.None, Waiters: seqlock.None, CopySize: 8 + 64,
		Blocks: []seqlock.Block{{Offset: p, CopyOffset: 8, Size: 64, Unit: 8}},
		Ring:   &seqlock.Ring{Offset: p, Stride: 64, Count: 1, Unit: 8},
	}
	reads := map[string]func(base, dst unsafe.Pointer) bool{
		"page": lock.TryRead,
		"slot": func(base, dst unsafe.Pointer) bool {
			_, ok := lock.TryReadSlot(base, 0, dst)
			return ok
		},
	}
	for _, c := range []struct {
		name         string
		seq, counter int // what to add while the reader is stopped
		taken        bool
	}{
		{"nothing happens", 0, 0, true},
		{"R5: a write began and ended", 2, 2, false},
		{"R5: a write began", 1, 0, false},
		{"R6: seq came round", 0, 2, false},
	} {
		for name, read := range reads {
			mem, err := unix.Mmap(-1, 0, 2*p, unix.PROT_READ|unix.PROT_WRITE,
				unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
			require.NoError(t, err)
			pagetest.Put32(mem, lock.Seq, 6)
			pagetest.Put64(mem, lock.Counter, 3)
			reached, resume := slowPage(t, mem[p:])
			taken := make(chan bool)
			dst := pagetest.Ptr(pagetest.Heap(lock.CopySize))
			go func() { taken <- read(pagetest.Ptr(mem), dst) }()
			reached()
			pagetest.Put32(mem, lock.Seq, uint32(6+c.seq))
			pagetest.Put64(mem, lock.Counter, uint64(3+c.counter))
			resume()
			require.Equal(t, c.taken, <-taken, "%s: %s", name, c.name)
			require.NoError(t, unix.Munmap(mem))
		}
	}
}
