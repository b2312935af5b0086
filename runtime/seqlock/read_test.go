package seqlock_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
)

// race runs one writer against three readers for a while, on the heap, where the
// race detector sees every access. read reports how many copies it took.
func race(t *testing.T, write func(id uint64), read func() int) {
	var stop atomic.Bool
	var copies atomic.Int64
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for !stop.Load() {
				copies.Add(int64(read()))
			}
		})
	}
	end := time.Now().Add(300 * time.Millisecond)
	id := uint64(0)
	for time.Now().Before(end) || copies.Load() < 100 && time.Since(end) < 20*time.Second {
		for range 50 {
			id++
			write(id)
		}
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d writes, %d copies", id, copies.Load())
	require.Positive(t, copies.Load())
}

// Whole pages: every slot whole, at its place, and of the last Count updates.
func TestNoTornPages(t *testing.T) {
	for _, layout := range []*seqlock.Lock{pagetest.SHKV2().Lock, pagetest.Narrow().Lock} {
		mem := pagetest.Heap(pagetest.Size)
		base := pagetest.Ptr(mem)
		stride, count := layout.Ring.Stride, layout.Ring.Count
		rec := pagetest.Heap(stride)
		race(t, func(id uint64) {
			pagetest.Fill(rec, id, 3)
			if got := layout.Publish(base, pagetest.Ptr(rec)); got != id {
				t.Errorf("update %d got id %d", id, got)
			}
		}, func() int {
			dst := pagetest.Heap(layout.CopySize)
			if !layout.TryRead(base, pagetest.Ptr(dst)) {
				return 0
			}
			counter := pagetest.U64(dst, 0)
			for i := range count {
				checkSlot(t, dst[8+i*stride:][:stride], i, counter, uint64(count))
			}
			return 1
		})
	}
}

// checkSlot says what is wrong with a slot of a copy whose counter is given.
func checkSlot(t *testing.T, slot []byte, i int, counter, count uint64) {
	id, whole := pagetest.ID(slot)
	switch {
	case id == 0 && counter < count: // not written yet
	case !whole:
		t.Errorf("counter %d, slot %d: torn", counter, i)
	case counter-id >= count:
		t.Errorf("counter %d, slot %d: holds update %d", counter, i, id)
	case (id-1)%count != uint64(i):
		t.Errorf("counter %d, slot %d: update %d in the wrong place", counter, i, id)
	}
}

func TestNoTornSlots(t *testing.T) {
	layout := pagetest.SHKV2().Lock
	mem := pagetest.Heap(pagetest.Size)
	base := pagetest.Ptr(mem)
	rec := pagetest.Heap(64)
	race(t, func(id uint64) {
		pagetest.Fill(rec, id, 3)
		layout.Publish(base, pagetest.Ptr(rec))
	}, func() int {
		dst := pagetest.Heap(64)
		c, err := layout.ReadCounter(base, time.Time{})
		if err != nil || c == 0 {
			return 0
		}
		i := layout.Ring.Index(c)
		counter, err := layout.ReadSlot(base, i, pagetest.Ptr(dst), time.Time{})
		if err != nil {
			t.Error(err)
			return 0
		}
		checkSlot(t, dst, i, counter, 8)
		return 1
	})
}

// Records below the page, with a seqlock each and no counter.
func TestNoTornRecords(t *testing.T) {
	layout := pagetest.Plain()
	mem := pagetest.Heap(3 * 32)
	rec := pagetest.Heap(24)
	at := func(id uint64) unsafe.Pointer { return pagetest.Ptr(mem[id%3*32:]) }
	for i := range uint64(3) {
		layout.Update(at(i), pagetest.Ptr(pagetest.Record(24, 0, 3)))
	}
	race(t, func(id uint64) {
		pagetest.Fill(rec, id, 3)
		layout.Update(at(id), pagetest.Ptr(rec))
	}, func() int {
		dst := pagetest.Heap(24)
		for i := range uint64(3) {
			if err := layout.Read(at(i), pagetest.Ptr(dst), time.Time{}); err != nil {
				t.Error(err)
			}
			if id, whole := pagetest.ID(dst); !whole || id != 0 && id%3 != i {
				t.Errorf("record %d: update %d, whole %v", i, id, whole)
			}
		}
		return 3
	})
}

// A page that a dead writer left odd costs a bounded time, nearly all asleep.
func TestLivelocked(t *testing.T) {
	l := pagetest.SHKV2().Lock
	mem := pagetest.Heap(pagetest.Size)
	pagetest.Put32(mem, pagetest.Seq, 1)
	base := pagetest.Ptr(mem)
	dst := pagetest.Heap(l.CopySize)
	require.False(t, l.TryRead(base, pagetest.Ptr(dst)))

	start, cpu := time.Now(), pagetest.CPU()
	err := l.Read(base, pagetest.Ptr(dst), time.Time{})
	took, used := time.Since(start), pagetest.CPU()-cpu
	require.ErrorIs(t, err, seqlock.ErrLivelocked)
	require.EqualError(t, err, "seqlock read livelocked")
	require.GreaterOrEqual(t, took, seqlock.DefaultBudget)
	require.Less(t, took, 10*time.Second)
	require.Less(t, used, took/3, "spinning")

	start = time.Now()
	_, err = l.ReadSlot(base, 0, pagetest.Ptr(dst), start.Add(50*time.Millisecond))
	require.ErrorIs(t, err, seqlock.ErrLivelocked)
	_, err = l.ReadCounter(base, start.Add(60*time.Millisecond))
	require.ErrorIs(t, err, seqlock.ErrLivelocked)
	require.GreaterOrEqual(t, time.Since(start), 60*time.Millisecond)
	require.Less(t, time.Since(start), seqlock.DefaultBudget, "the caller's deadline counts")
}

// A write that ends while a reader backs off ends the wait.
func TestReadOutlastsAWrite(t *testing.T) {
	l := pagetest.Plain()
	mem := pagetest.Heap(32)
	seq := (*uint32)(pagetest.Ptr(mem))
	q := seqlock.WriteBegin(seq)
	go func() {
		time.Sleep(50 * time.Millisecond)
		seqlock.WriteEnd(seq, q)
	}()
	require.NoError(t, l.Read(pagetest.Ptr(mem), pagetest.Ptr(pagetest.Heap(24)), time.Time{}))
}
