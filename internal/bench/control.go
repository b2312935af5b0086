package bench

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/runtime/futex"
)

// control is what the two processes of a row share beside the page: the
// consumer's answers. Plain fields belong to the consumer until it stores ack,
// and to the producer from then until its next publish.
type control struct {
	ack     atomic.Uint32 // the round answered + 1; 1: ready; 0: not yet
	waiting atomic.Uint32 // the producer sleeps on ack

	latency int64  // of the round answered, in ns
	thread  uint32 // the consumer's thread id
	slept   bool   // the consumer's thread gave up its processor
	parked  bool   // it was a wake that ended the consumer's FUTEX_WAIT

	_ [42]byte // the next word has a cache line of its own

	// armed is the round before whose publish the consumer is about to sleep.
	armed atomic.Uint32
	_     [60]byte
}

// newControl makes a control in a file without a name, for both processes.
func newControl() (*control, *os.File, error) {
	fd, err := unix.MemfdCreate("shmkv-bench", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), "control page")
	if err := f.Truncate(int64(unsafe.Sizeof(control{}))); err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	c, err := mapControl(fd)
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return c, f, nil
}

// mapControl maps the control behind fd, of which the caller made sure that it
// is large enough.
func mapControl(fd int) (*control, error) {
	const size, access = int(unsafe.Sizeof(control{})), unix.PROT_READ | unix.PROT_WRITE
	mem, err := unix.Mmap(fd, 0, size, access, unix.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return (*control)(unsafe.Pointer(unsafe.SliceData(mem))), nil
}

const startedByBench = "it is bench that starts this command"

// inheritControl maps the control that the producer passed on.
func inheritControl(fd int) (*control, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("descriptor %d: %w: %s", fd, err, startedByBench)
	}
	if st.Size != int64(unsafe.Sizeof(control{})) {
		return nil, fmt.Errorf("descriptor %d is not a control page: %s", fd, startedByBench)
	}
	return mapControl(fd)
}

// unmap ends the use of the control by this process.
func (c *control) unmap() {
	_ = unix.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(c)), unsafe.Sizeof(*c)))
}

// ackWord is the word that the producer sleeps on.
func (c *control) ackWord() *uint32 { return (*uint32)(unsafe.Pointer(&c.ack)) }

// answer tells the producer that a round is done (0: ready for the first). The
// fields before it are published by the store of ack.
func (c *control) answer(round uint64) {
	c.ack.Store(uint32(round) + 1) // pairs with the load in answered
	// Both sides store, then load what the other stored, each sequentially
	// consistent: either the producer sees the answer or this sees it waiting.
	if c.waiting.Load() != 0 {
		_, _ = futex.Wake(c.ackWord(), futex.All) // at worst the producer's slice ends by itself
	}
}

// answered tells whether the consumer has answered a round.
func (c *control) answered(round uint64) bool { return c.ack.Load() == uint32(round)+1 }
