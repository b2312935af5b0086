package segment_test

import (
	"os"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
)

// The rows of the recovery table, as a killed writer leaves them in a file with
// ten updates: seq 20, futex 10, counter 10.
func TestCreateRecovers(t *testing.T) {
	for name, c := range map[string]struct {
		seq, futex byte
		want       seqlock.Recovery
		seqAfter   uint32
	}{
		"clean":     {20, 10, seqlock.Clean, 20},
		"in doubt":  {21, 10, seqlock.Zeroed, 22},
		"complete":  {21, 9, seqlock.RolledForward, 22},
		"published": {20, 9, seqlock.RolledForward, 20},
	} {
		path := newPage(t, pagetest.SHKV2(), 10)
		poke(t, path, pagetest.Seq, []byte{c.seq, 0, 0, 0, c.futex})
		s := create(t, path, pagetest.SHKV2())
		require.Equal(t, c.want, s.Recovery(), name)
		require.Equal(t, c.seqAfter, pagetest.U32(s.Bytes(), pagetest.Seq), name)
		require.EqualValues(t, 10, pagetest.U32(s.Bytes(), pagetest.Futex), name)
		slot := s.Bytes()[pagetest.Slots+2*pagetest.SlotSize:][:pagetest.SlotSize] // of update 3 and 11
		if c.want == seqlock.Zeroed {
			require.Equal(t, make([]byte, pagetest.SlotSize), slot, name)
		} else {
			require.Equal(t, pagetest.Record(pagetest.SlotSize, 3, 1), slot, name)
		}
		publish(t, s, 11)
		require.NoError(t, s.Close())
		s = create(t, path, pagetest.SHKV2())
		require.Equal(t, seqlock.Clean, s.Recovery(), name)
	}
}

func TestCreateRefusesCorrupt(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 10)
	poke(t, path, pagetest.Futex, []byte{77})
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = segment.Create(path, pagetest.SHKV2())
	require.ErrorIs(t, err, segment.ErrCorrupt)
	require.EqualError(t, err, path+
		": corrupt seqlock: seq 20, counter 10, futex word 77: a foreign writer was here")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after, "untouched")

	s := create(t, path, pagetest.SHKV2(), segment.Reset())
	publish(t, s, 1)
}

// Every record with a seqlock of its own is repaired as well.
func TestCreateRecoversRecords(t *testing.T) {
	layout := pagetest.Pose()
	path := newPage(t, layout, 0)
	s := create(t, path, layout)
	rec := pagetest.Record(24, 1, 1)
	for i := range 3 {
		_, err := s.Update(layout.Guarded[0].Lock, 1024+32*i, pagetest.Ptr(rec))
		require.NoError(t, err)
	}
	require.NoError(t, s.Close())
	poke(t, path, 1024+32, []byte{3})

	r := open(t, path, layout)
	dst := pagetest.Heap(24)
	soon := time.Now().Add(50 * time.Millisecond)
	err := r.Read(layout.Guarded[0].Lock, 1024+32, pagetest.Ptr(dst), soon)
	require.ErrorIs(t, err, segment.ErrLivelocked)

	s = create(t, path, layout)
	require.Equal(t, seqlock.Zeroed, s.Recovery())
	for i := range 3 {
		require.NoError(t, r.Read(layout.Guarded[0].Lock, 1024+32*i, pagetest.Ptr(dst), noDeadline))
		if i == 1 {
			require.Equal(t, make([]byte, 24), dst)
		} else {
			require.Equal(t, rec, dst)
		}
	}
	require.Panics(t, func() {
		_ = r.Read(layout.Guarded[0].Lock, pagetest.Size, pagetest.Ptr(dst), noDeadline)
	})
}

// A reader of a page that was left odd says in bounded time what is wrong: first
// that the writer is slow, then, once it is dead, that it is.
func TestReadLivelocked(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 10)
	poke(t, path, pagetest.Seq, []byte{21})
	r := open(t, path, pagetest.SHKV2())
	lock := r.Layout().Lock
	dst := pagetest.Heap(lock.CopySize)
	_, err := r.ReadSlot(lock, 0, pagetest.Ptr(dst), time.Now().Add(20*time.Millisecond))
	require.ErrorIs(t, err, segment.ErrLivelocked)
	require.ErrorIs(t, err, segment.ErrWriterDead)
	require.EqualError(t, err, path+
		": seqlock read livelocked: no writer is alive; the next one repairs the page")

	s := create(t, path, pagetest.SHKV2())
	require.NoError(t, r.Read(lock, 0, pagetest.Ptr(dst), noDeadline))
	seq := (*uint32)(pagetest.Ptr(s.Bytes()[pagetest.Seq:]))
	q := seqlock.WriteBegin(seq)
	_, err = r.ReadCounter(lock, time.Now().Add(20*time.Millisecond))
	require.ErrorIs(t, err, segment.ErrLivelocked)
	require.NotErrorIs(t, err, segment.ErrWriterDead)
	require.EqualError(t, err, path+": seqlock read livelocked")
	seqlock.WriteEnd(seq, q)
	require.NoError(t, r.Read(lock, 0, pagetest.Ptr(dst), noDeadline))
}
