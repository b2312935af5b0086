// The race detector makes its stores from C code, where a fault is fatal.
//go:build !race

package seqlock_test

import (
	"runtime/debug"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// spread is a layout with every word on a memory page of its own, so that a page
// protected against writing stops the writer exactly before its first store
// there: as a kill would.
type spread struct {
	mem  []byte
	page int
	lock *seqlock.Lock
}

const (
	seqPage = iota
	counterPage
	futexPage
	slotPage // the ring starts in the middle of this page and ends on the next
	slotPage2
	pages
)

func newSpread(t *testing.T) *spread {
	p := unix.Getpagesize()
	mem, err := unix.Mmap(-1, 0, pages*p, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	t.Cleanup(func() { _ = unix.Munmap(mem) })
	ring := slotPage2*p - 96 // slot 1 lies across the boundary, its second half on slotPage2
	return &spread{mem: mem, page: p, lock: &seqlock.Lock{
		Seq: seqPage * p, Counter: counterPage * p, Futex: futexPage * p, Waiters: seqlock.None,
		CopySize: 8 + 128,
		Blocks:   []seqlock.Block{{Offset: ring, CopyOffset: 8, Size: 128, Unit: 8}},
		Ring:     &seqlock.Ring{Offset: ring, Stride: 64, Count: 2, Unit: 8},
	}}
}

// killedAt runs f with one page protected and reports whether a store stopped it.
func (s *spread) killedAt(t *testing.T, page int, f func()) (killed bool) {
	part := s.mem[page*s.page : (page+1)*s.page]
	require.NoError(t, unix.Mprotect(part, unix.PROT_READ))
	defer func() { require.NoError(t, unix.Mprotect(part, unix.PROT_READ|unix.PROT_WRITE)) }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			_, killed = r.(interface{ Addr() uintptr })
			require.True(t, killed, "panic: %v", r)
		}
	}()
	f()
	return false
}

type state struct {
	seq, futex uint32
	counter    uint64
	slot       string // "old", "new", "half" or "zero" for the second slot
}

func (s *spread) state(old, rec []byte) state {
	at := s.lock.Ring.Offset + 64
	slot := s.mem[at : at+64]
	name := "half"
	switch string(slot) {
	case string(old):
		name = "old"
	case string(rec):
		name = "new"
	case string(make([]byte, 64)):
		name = "zero"
	}
	return state{
		pagetest.U32(s.mem, s.lock.Seq), pagetest.U32(s.mem, s.lock.Futex),
		pagetest.U64(s.mem, s.lock.Counter), name,
	}
}

// The stores of one publish come in the order W1, W3, W4, W5, W6, and what a
// kill between them leaves is what recovery's table says it repairs.
func TestOrderOfStoresAndRecovery(t *testing.T) {
	for _, c := range []struct {
		name     string
		page     int
		left     state
		recovery seqlock.Recovery
		after    state
	}{
		{"W1", seqPage, state{6, 3, 3, "old"}, seqlock.Clean, state{6, 3, 3, "old"}},
		{"W3", slotPage, state{7, 3, 3, "old"}, seqlock.Zeroed, state{8, 3, 3, "zero"}},
		{"W3, half", slotPage2, state{7, 3, 3, "half"}, seqlock.Zeroed, state{8, 3, 3, "zero"}},
		{"W4", counterPage, state{7, 3, 3, "new"}, seqlock.Zeroed, state{8, 3, 3, "zero"}},
		{"W6", futexPage, state{8, 3, 4, "new"}, seqlock.RolledForward, state{8, 4, 4, "new"}},
	} {
		s := newSpread(t)
		base, err := seqlock.Bind(s.mem, s.lock)
		require.NoError(t, err)
		old, rec := pagetest.Record(64, 2, 1), pagetest.Record(64, 4, 1)
		for id := uint64(1); id <= 3; id++ {
			s.lock.Publish(base, pagetest.Ptr(pagetest.Record(64, id, 1)))
		}
		publish := func() { s.lock.Publish(base, pagetest.Ptr(rec)) }
		require.True(t, s.killedAt(t, c.page, publish), c.name)
		require.Equal(t, c.left, s.state(old, rec), "killed before %s", c.name)

		s.recoverWithKills(t, c.name)
		r, err := s.lock.Recover(base)
		require.NoError(t, err)
		if c.recovery != seqlock.Zeroed { // there a killed recovery may have gone further
			require.Contains(t, []seqlock.Recovery{c.recovery, seqlock.Clean}, r)
		}
		require.Equal(t, c.after, s.state(old, rec), "after %s", c.name)

		r, err = s.lock.Recover(base)
		require.NoError(t, err)
		require.Equal(t, seqlock.Clean, r)
	}
}

// recoverWithKills kills a recovery before its first store to each page in turn.
func (s *spread) recoverWithKills(t *testing.T, name string) {
	for page := range pages {
		before := pagetest.U32(s.mem, s.lock.Seq)
		s.killedAt(t, page, func() {
			_, err := s.lock.Recover(pagetest.Ptr(s.mem))
			require.NoError(t, err, name)
		})
		require.GreaterOrEqual(t, pagetest.U32(s.mem, s.lock.Seq), before, "seq never goes back")
	}
}

// Update writes its blocks before the counter too.
func TestOrderOfUpdate(t *testing.T) {
	s := newSpread(t)
	s.lock.Ring = nil
	src := pagetest.Record(s.lock.CopySize, 9, 9)
	base := pagetest.Ptr(s.mem)
	require.True(t, s.killedAt(t, counterPage, func() { s.lock.Update(base, pagetest.Ptr(src)) }))
	require.Equal(t, src[8:], s.mem[s.lock.Blocks[0].Offset:][:128])
	require.EqualValues(t, 1, pagetest.U32(s.mem, s.lock.Seq))

	r, err := s.lock.Recover(base)
	require.NoError(t, err)
	require.Equal(t, seqlock.Zeroed, r)
	require.Equal(t, make([]byte, 128), s.mem[s.lock.Blocks[0].Offset:][:128])
	require.EqualValues(t, 2, pagetest.U32(s.mem, s.lock.Seq))
}
