package seqlock_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
)

// rings are the kinds of lock with a history.
func rings() []*seqlock.Lock {
	return []*seqlock.Lock{pagetest.SHKV2().Lock, pagetest.Elided().Lock, pagetest.Narrow().Lock}
}

// Every row of the recovery table, at ordinary counters and where they come
// round.
func TestRecoveryTable(t *testing.T) {
	const odd, even = 41, 40
	for _, counter := range []uint64{0, 1, 7, 8, 9, 1 << 32, math.MaxUint32, math.MaxUint64} {
		low := uint32(counter)
		for _, c := range []struct {
			name       string
			seq, futex uint32
			want       seqlock.Recovery
			seqAfter   uint32
			zeroed     bool
		}{
			{"clean", even, low, seqlock.Clean, even, false},
			{"in doubt", odd, low, seqlock.Zeroed, odd + 1, true},
			{"complete", odd, low - 1, seqlock.RolledForward, odd + 1, false},
			{"published", even, low - 1, seqlock.RolledForward, even, false},
			{"odd across 2^32", math.MaxUint32, low, seqlock.Zeroed, 0, true},
		} {
			for _, layout := range rings() {
				mem := pagetest.Heap(pagetest.Size)
				for i := pagetest.Slots; i < len(mem); i++ {
					mem[i] = 0xee
				}
				pagetest.Put32(mem, pagetest.Seq, c.seq)
				pagetest.Put32(mem, pagetest.Futex, c.futex)
				pagetest.Put64(mem, pagetest.Counter, counter)

				want := bytes.Clone(mem)
				pagetest.Put32(want, pagetest.Seq, c.seqAfter)
				pagetest.Put32(want, pagetest.Futex, low)
				if c.zeroed {
					r := layout.Ring
					at := r.Offset + r.Stride*int(counter%uint64(r.Count))
					clear(want[at : at+r.Stride])
				}
				r, err := layout.Recover(pagetest.Ptr(mem))
				require.NoError(t, err, c.name)
				require.Equal(t, c.want, r, c.name)
				require.Equal(t, want, mem, "%s, counter %d", c.name, counter)
			}
		}
	}
}

func TestRecoveryRefuses(t *testing.T) {
	l := pagetest.SHKV2().Lock
	for _, seq := range []uint32{40, 41} {
		for _, futex := range []uint32{101, 98, 0, math.MaxUint32} {
			mem := pagetest.Heap(pagetest.Size)
			pagetest.Put32(mem, pagetest.Seq, seq)
			pagetest.Put32(mem, pagetest.Futex, futex)
			pagetest.Put64(mem, pagetest.Counter, 100)
			before := bytes.Clone(mem)
			_, err := l.Recover(pagetest.Ptr(mem))
			require.ErrorIs(t, err, seqlock.ErrCorrupt)
			require.ErrorContains(t, err, "counter 100")
			require.Equal(t, before, mem, "untouched")

			require.NoError(t, l.Reset(pagetest.Ptr(mem)))
			r, err := l.Recover(pagetest.Ptr(mem))
			require.NoError(t, err)
			require.Equal(t, seqlock.Clean, r)
			require.Zero(t, pagetest.U64(mem, pagetest.Counter))
			require.EqualValues(t, 42, pagetest.U32(mem, pagetest.Seq), "seq goes on")
		}
	}
}

// Without a futex word nothing tells how far a write came.
func TestRecoveryWithoutFutex(t *testing.T) {
	plain := pagetest.Plain()
	counted := pagetest.Pose().Lock
	counted.Futex = seqlock.None
	history := pagetest.SHKV2().Lock
	history.Futex = seqlock.None
	for name, c := range map[string]struct {
		lock  *seqlock.Lock
		seq   int
		zeros [][2]int
	}{
		"only seq":      {plain, 0, [][2]int{{8, 32}}},
		"counter":       {counted, pagetest.Seq, [][2]int{{64, 104}, {116, 124}}},
		"counter, ring": {history, pagetest.Seq, [][2]int{{64 + 64*2, 64 + 64*3}}},
	} {
		mem := pagetest.Heap(pagetest.Size)
		for i := range mem {
			mem[i] = 0xee
		}
		if c.lock.Counter != seqlock.None {
			pagetest.Put64(mem, pagetest.Counter, 10)
		}
		pagetest.Put32(mem, c.seq, 12)
		before := bytes.Clone(mem)
		r, err := c.lock.Recover(pagetest.Ptr(mem))
		require.NoError(t, err, name)
		require.Equal(t, seqlock.Clean, r, name)
		require.Equal(t, before, mem, name)

		pagetest.Put32(mem, c.seq, 13)
		want := bytes.Clone(before)
		pagetest.Put32(want, c.seq, 14)
		for _, z := range c.zeros {
			clear(want[z[0]:z[1]])
		}
		r, err = c.lock.Recover(pagetest.Ptr(mem))
		require.NoError(t, err, name)
		require.Equal(t, seqlock.Zeroed, r, name)
		require.Equal(t, want, mem, name)
	}
}

// A page killed word by word inside W3, then a recovery killed word by word: the
// next recovery gives one and the same page.
func TestRecoveryRepeats(t *testing.T) {
	l := pagetest.SHKV2().Lock
	for _, pre := range []uint64{0, 1, 7, 8, 9, 20} {
		start := pagetest.Heap(pagetest.Size)
		for id := uint64(1); id <= pre; id++ {
			l.Publish(pagetest.Ptr(start), pagetest.Ptr(pagetest.Record(64, id, 1)))
		}
		at := l.Ring.Offset + l.Ring.Stride*l.Ring.Index(pre+1)
		want := bytes.Clone(start)
		clear(want[at : at+64])
		pagetest.Put32(want, pagetest.Seq, pagetest.U32(start, pagetest.Seq)+2)
		rec := pagetest.Record(64, pre+1, 2)
		for written := 0; written <= 64; written += 4 {
			for cleared := 0; cleared <= 64; cleared += 4 {
				mem := pagetest.Heap(pagetest.Size)
				copy(mem, start)
				pagetest.Put32(mem, pagetest.Seq, pagetest.U32(start, pagetest.Seq)+1)
				copy(mem[at:], rec[:written])
				clear(mem[at : at+cleared])
				r, err := l.Recover(pagetest.Ptr(mem))
				require.NoError(t, err)
				require.Equal(t, seqlock.Zeroed, r)
				require.Equal(t, want, mem)
			}
		}
	}
}

func TestRecoveryString(t *testing.T) {
	require.Equal(t, "clean", seqlock.Clean.String())
	require.Equal(t, "rolled forward", seqlock.RolledForward.String())
	require.Equal(t, "zeroed", seqlock.Zeroed.String())
	require.Equal(t, "Recovery(9)", seqlock.Recovery(9).String())
}
