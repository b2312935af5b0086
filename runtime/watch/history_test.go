package watch_test

import (
	"context"
	"math"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/shmkv/shmkv/runtime/watch"
	"github.com/stretchr/testify/require"
)

// What the ring holds is told, what it does not is counted.
func TestHistory(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	w := p.watcher()
	nothing(t, w)
	p.publish(3)
	for id := uint64(1); id <= 3; id++ {
		u := next(t, w, id, 0)
		require.Equal(t, pagetest.Record(pagetest.SlotSize, id, 1), u.Record)
	}
	nothing(t, w)
	p.publish(8)
	next(t, w, 4, 0)
	p.publish(2) // overwrites 4, which was told, and 5, which was not
	next(t, w, 6, 1)
	require.EqualValues(t, 6, w.Last())
	p.publish(100)
	next(t, w, 106, 99)
	for id := uint64(107); id <= 113; id++ {
		next(t, w, id, 0)
	}
	nothing(t, w)

	late := p.watcher()
	next(t, late, 106, 105)
	from := p.watcher(watch.From(110))
	next(t, from, 111, 0)
}

func TestHistoryOfThree(t *testing.T) {
	p := newPage(t, pagetest.Narrow())
	w := p.watcher()
	p.publish(5)
	next(t, w, 3, 2)
	u := next(t, w, 4, 0)
	require.Equal(t, pagetest.Record(20, 4, 1), u.Record)
	next(t, w, 5, 0)
	nothing(t, w)
}

// The sequence ends when its loop does and goes on with the next.
func TestUpdates(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	p.publish(5)
	w := p.watcher()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var ids []uint64
	for u, err := range w.Updates(ctx) {
		require.NoError(t, err)
		if ids = append(ids, u.ID); len(ids) == 2 {
			break
		}
	}
	ended := 0
	for u, err := range w.Updates(ctx) {
		if err != nil {
			require.ErrorIs(t, err, segment.ErrCancelled)
			ended++
			continue
		}
		if ids = append(ids, u.ID); len(ids) == 5 {
			cancel()
		}
	}
	require.Equal(t, []uint64{1, 2, 3, 4, 5}, ids)
	require.Equal(t, 1, ended)

	for _, err := range watch.Updates(ctx, p.r, pagetest.Plain()) {
		require.ErrorIs(t, err, watch.ErrNoFutex)
		ended++
	}
	require.Equal(t, 2, ended)
}

// A zeroed slot means "no record" only where recovery can have zeroed it: at the
// oldest place. Elsewhere a record of zeros is a record.
func TestNoRecord(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	p.publish(10)
	release(t, p.w)
	// The writer dies inside update 11, in the slot of update 3.
	at := pagetest.Slots + 2*pagetest.SlotSize
	mem := p.w.Bytes()
	pagetest.Put32(mem, pagetest.Seq, 21)
	mem[at] ^= 0xff
	p.w = p.create(pagetest.SHKV2())
	require.Equal(t, seqlock.Zeroed, p.w.Recovery())

	w := p.watcher()
	for id := uint64(4); id <= 10; id++ {
		missed := uint64(0)
		if id == 4 {
			missed = 3
		}
		next(t, w, id, missed)
	}
	nothing(t, w)
	p.publish(1)
	next(t, w, 11, 0)

	zeros := pagetest.Heap(pagetest.SlotSize)
	for id := uint64(12); id <= 13; id++ {
		_, err := p.w.Publish(p.w.Layout().Lock, pagetest.Ptr(zeros))
		require.NoError(t, err)
		u := next(t, w, id, 0)
		require.Equal(t, zeros, u.Record)
	}
}

// A page that is started over is followed from there.
func TestCounterGoesBack(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	p.publish(100)
	w := p.watcher(watch.From(99))
	next(t, w, 100, 0)
	require.NoError(t, p.w.Close())
	p.w = p.create(pagetest.SHKV2(), segment.Reset())
	nothing(t, w)
	require.Zero(t, w.Last())
	p.publish(2)
	next(t, w, 1, 0)
	next(t, w, 2, 0)

	q := newPage(t, pagetest.Pose())
	w, err := watch.New(q.r, q.r.Layout().Lock, watch.From(50))
	require.NoError(t, err)
	nothing(t, w)
	q.update()
	next(t, w, 1, 0)
}

// The futex word comes round after 2^32 updates, the counter after 2^64, and
// nothing is lost or told twice there.
func TestCountersComeRound(t *testing.T) {
	for _, start := range []uint64{math.MaxUint32 - 2, math.MaxUint64 - 2} {
		p := newPage(t, pagetest.SHKV2())
		pagetest.Put32(p.w.Bytes(), pagetest.Seq, math.MaxUint32-5)
		pagetest.Put32(p.w.Bytes(), pagetest.Futex, uint32(start))
		pagetest.Put64(p.w.Bytes(), pagetest.Counter, start)
		w := p.watcher(watch.From(start))
		for i := uint64(1); i <= 6; i++ {
			p.publish(1)
			next(t, w, start+i, 0)
		}
		nothing(t, w)
		p.publish(20)
		next(t, w, start+6+13, 12)
		require.NoError(t, p.w.Close())
		p.w = p.create(pagetest.SHKV2())
		require.Equal(t, seqlock.Clean, p.w.Recovery())

		late := p.watcher(watch.From(start))
		next(t, late, start+6+13, 18)
	}
}

// Without a ring the newest state is told, and how many there were before it.
func TestPageWithoutRing(t *testing.T) {
	p := newPage(t, pagetest.Pose())
	w := p.watcher()
	nothing(t, w)
	want := p.update()
	u := next(t, w, 1, 0)
	require.Equal(t, want, u.Record)
	p.update()
	p.update()
	want = p.update()
	u = next(t, w, 4, 2)
	require.Equal(t, want, u.Record)
	nothing(t, w)

	p.update()
	c, err := w.Wait(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, 5, c)
	p.update()
	p.update()
	c, err = w.Wait(context.Background())
	require.NoError(t, err)
	require.EqualValues(t, 7, c)
	nothing(t, w)
	p.update()
	next(t, w, 8, 0)
}

// update replaces the page's blocks and returns the copy a reader must get.
func (p *page) update() []byte {
	lock := p.w.Layout().Lock
	src := pagetest.Heap(lock.CopySize)
	for i := range src {
		src[i] = byte(i) + p.w.Bytes()[pagetest.Counter]
	}
	id, err := p.w.Update(lock, 0, pagetest.Ptr(src))
	require.NoError(p.t, err)
	pagetest.Put64(src, 0, id)
	return src
}

func TestNeedsFutex(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	for _, lock := range []*seqlock.Lock{nil, pagetest.Plain(), {Counter: 16, Futex: seqlock.None}} {
		_, err := watch.New(p.r, lock)
		require.ErrorIs(t, err, watch.ErrNoFutex)
	}
}
