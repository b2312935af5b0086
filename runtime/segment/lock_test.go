package segment_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestSecondWriterRefused(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		path := filepath.Join(dir, "kv.shm")
		s := create(t, path, pagetest.SHKV2())
		_, err := segment.Create(path, pagetest.SHKV2())
		require.ErrorIs(t, err, segment.ErrLocked)
		require.EqualError(t, err, path+": another writer holds the lock")

		// A POSIX record lock would be lost here: some other descriptor of the
		// file is closed by the process that holds the lock.
		require.NoError(t, open(t, path, pagetest.SHKV2()).Close())
		_, err = os.ReadFile(path)
		require.NoError(t, err)
		child := pagetest.Start(t, "publish", path, "1")
		require.Equal(t, path+": another writer holds the lock", child.Line())

		require.NoError(t, s.Close())
		create(t, path, pagetest.SHKV2())
	})
}

func TestWriterAlive(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 0)
	r := open(t, path, pagetest.SHKV2())
	alive := func(s *segment.Segment) bool {
		b, err := s.WriterAlive()
		require.NoError(t, err)
		return b
	}
	require.False(t, alive(r))
	child := pagetest.Start(t, "publish", path, "1")
	require.Equal(t, "clean", child.Line())
	require.True(t, alive(r))
	child.Kill()
	require.False(t, alive(r))
	s := create(t, path, pagetest.SHKV2())
	require.True(t, alive(r))
	require.True(t, alive(s))
	require.NoError(t, s.Close())
	require.False(t, alive(r))
}

// A child of the writer that outlives it does not keep the lock.
func TestChildInheritsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kv.shm")
	parent := pagetest.Start(t, "parent", path)
	words := strings.Fields(parent.Line())
	require.Equal(t, "<nil>", words[len(words)-1])
	pid, err := strconv.Atoi(words[0])
	require.NoError(t, err)
	defer func() { _ = unix.Kill(pid, unix.SIGKILL) }()
	_, err = segment.Create(path, pagetest.SHKV2())
	require.ErrorIs(t, err, segment.ErrLocked)
	parent.Kill()
	require.NoError(t, unix.Kill(pid, 0), "the grandchild lives")
	create(t, path, pagetest.SHKV2())
}

// Writers at full speed are killed at random, each succeeded by the next. Readers
// see no torn slot, no id with two payloads and no counter that goes back, and
// nothing but the slot in doubt is ever lost.
func TestKilledWriters(t *testing.T) {
	const kills = 60
	path := newPage(t, pagetest.SHKV2(), 0)
	stop, done := make(chan struct{}), make(chan string, 1)
	go func() { done <- observe(open(t, path, pagetest.SHKV2()), stop) }()

	found := map[string]int{}
	for i := range kills {
		child := pagetest.Start(t, "publish", path, strconv.Itoa(i+2))
		found[child.Line()]++
		time.Sleep(time.Duration(i%7) * time.Millisecond / 3)
		child.Kill()
	}
	close(stop)
	require.Empty(t, <-done)
	t.Logf("what the writers found: %v", found)
	total := 0
	for r := seqlock.Clean; r <= seqlock.Zeroed; r++ {
		total += found[r.String()]
	}
	require.Equal(t, kills, total, "%v", found)

	s := create(t, path, pagetest.SHKV2())
	c := pagetest.U64(s.Bytes(), pagetest.Counter)
	require.EqualValues(t, uint32(c), pagetest.U32(s.Bytes(), pagetest.Futex))
	require.Zero(t, pagetest.U32(s.Bytes(), pagetest.Seq)%2)
	publish(t, s, c+1)
}

// observe reads whole pages until stop and says what was wrong with one.
func observe(r *segment.Segment, stop chan struct{}) string {
	lock := r.Layout().Lock
	dst := pagetest.Heap(lock.CopySize)
	last := uint64(0)
	salts := map[uint64]string{} // the payload each id was first seen with
	for {
		select {
		case <-stop:
			return ""
		default:
		}
		if !lock.TryRead(r.Base(), pagetest.Ptr(dst)) {
			continue
		}
		c := pagetest.U64(dst, 0)
		if c < last {
			return "the counter went back"
		}
		last = c
		for i := range pagetest.Count {
			slot := dst[8+i*pagetest.SlotSize:][:pagetest.SlotSize]
			id, whole := pagetest.ID(slot)
			empty := string(slot) == string(make([]byte, len(slot)))
			switch {
			case empty && (c < pagetest.Count || i == lock.Ring.Index(c+1)):
				continue // not written yet, or the slot that was in doubt
			case empty:
				return "an update is gone"
			case !whole:
				return "torn"
			case c-id >= pagetest.Count || lock.Ring.Index(id) != i:
				return "an update in the wrong place"
			}
			if first, ok := salts[id]; ok && first != string(slot) {
				return "one id, two payloads"
			}
			if len(salts) > 1000 {
				clear(salts)
			}
			salts[id] = string(slot)
		}
	}
}
