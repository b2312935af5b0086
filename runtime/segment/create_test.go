package segment_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestCreateFresh(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		defer unix.Umask(unix.Umask(0o077))
		path := filepath.Join(dir, "kv.shm")
		s := create(t, path, pagetest.SHKV2(), segment.Mode(0o666|fs.ModeSetuid))
		require.True(t, s.Created())
		require.True(t, s.Writable())
		require.Equal(t, seqlock.Clean, s.Recovery())
		require.Equal(t, path, s.Path())
		onlyFiles(t, dir, "kv.shm")

		var st unix.Stat_t
		require.NoError(t, unix.Stat(path, &st))
		require.EqualValues(t, 0o666, st.Mode&0o7777, "whatever the umask, and no more than permissions")
		require.EqualValues(t, pagetest.Size, st.Size)
		require.GreaterOrEqual(t, st.Blocks*512, int64(pagetest.Size), "blocks stand behind the page")
		want := make([]byte, pagetest.Size)
		copy(want, "SHKV2")
		found, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, found)

		other := filepath.Join(dir, "other")
		create(t, other, pagetest.SHKV2())
		require.NoError(t, unix.Stat(other, &st))
		require.EqualValues(t, 0o600, st.Mode&0o7777, "the default")
	})
}

func TestCreateContinues(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		path := filepath.Join(dir, "kv.shm")
		s := create(t, path, pagetest.SHKV2(), segment.Mode(0o640))
		for id := uint64(1); id <= 10; id++ {
			publish(t, s, id)
		}
		require.NoError(t, s.Close())

		s = create(t, path, pagetest.SHKV2(), segment.Mode(0o600))
		require.False(t, s.Created())
		require.Equal(t, seqlock.Clean, s.Recovery())
		publish(t, s, 11)
		st, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, 0o640, st.Mode(), "an existing file keeps its mode")

		r := open(t, path, pagetest.SHKV2())
		require.False(t, r.Writable())
		rec, lock := pagetest.Heap(pagetest.SlotSize), r.Layout().Lock
		for id := uint64(4); id <= 11; id++ {
			i := lock.Ring.Index(id)
			c, err := r.ReadSlot(lock, i, pagetest.Ptr(rec), noDeadline)
			require.NoError(t, err)
			require.EqualValues(t, 11, c)
			require.Equal(t, pagetest.Record(pagetest.SlotSize, id, 1), rec)
		}
	})
}

func TestCreateReset(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 10)
	r := open(t, path, pagetest.SHKV2())
	s := create(t, path, pagetest.SHKV2(), segment.Reset())
	c, err := r.ReadCounter(r.Layout().Lock, noDeadline)
	require.NoError(t, err)
	require.Zero(t, c)
	require.Equal(t, make([]byte, 512), r.Bytes()[64:576])
	require.EqualValues(t, 22, pagetest.U32(r.Bytes(), pagetest.Seq), "seq goes on")
	publish(t, s, 1)

	poke(t, path, 0, []byte("SHKV3"))
	require.NoError(t, s.Close())
	_, err = segment.Create(path, pagetest.SHKV2(), segment.Reset())
	require.ErrorIs(t, err, segment.ErrBadMagic, "a foreign file is not reformatted")
}

// A long name still leaves room for the temporary one.
func TestCreateLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", unix.NAME_MAX)
	create(t, filepath.Join(dir, name), pagetest.SHKV2())
	onlyFiles(t, dir, name)
	_, err := segment.Create(filepath.Join(dir, name+"n"), pagetest.SHKV2())
	require.ErrorIs(t, err, unix.ENAMETOOLONG)
}

// The file in the current directory needs no slash.
func TestCreateRelative(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	create(t, "kv", pagetest.SHKV2())
	onlyFiles(t, dir, "kv")
	open(t, "kv", pagetest.SHKV2())
}

// A layout that does not fit itself is refused before any file is touched.
func TestCreateBadLayout(t *testing.T) {
	dir := t.TempDir()
	for _, spoil := range []func(l *segment.Layout){
		func(l *segment.Layout) { l.Size = 0 },
		func(l *segment.Layout) { l.Size = 128 },
		func(l *segment.Layout) { l.Stamps[0].Offset = pagetest.Size - 4 },
		func(l *segment.Layout) { l.Guarded[0].Count = 1000 },
		func(l *segment.Layout) { l.Guarded[0].Offset = 1026 },
		func(l *segment.Layout) { l.Guarded[0].Stride = 16 },
	} {
		l := pagetest.Pose()
		spoil(l)
		_, err := segment.Create(filepath.Join(dir, "kv"), l)
		require.ErrorIs(t, err, segment.ErrLayout)
		_, err = segment.Open(filepath.Join(dir, "kv"), l)
		require.ErrorIs(t, err, segment.ErrLayout)
	}
	onlyFiles(t, dir)
}

// 100 writers and 100 readers meet on a file that does not exist yet: one writer
// gets it, every other is refused, and no reader ever sees a half-made page.
func TestCreateRace(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		path := filepath.Join(dir, "kv.shm")
		start := make(chan struct{})
		var wg sync.WaitGroup
		var writers, readers atomic.Int32
		for range 100 {
			wg.Go(func() {
				<-start
				s, err := segment.Create(path, pagetest.SHKV2())
				if err == nil {
					writers.Add(1)
					t.Cleanup(func() { _ = s.Close() })
				} else if !isKind(err, segment.ErrLocked) {
					t.Error(err)
				}
			})
			wg.Go(func() {
				<-start
				for {
					s, err := segment.Open(path, pagetest.SHKV2())
					if err == nil {
						readers.Add(1)
						_ = s.Close()
						return
					}
					if !isKind(err, segment.ErrNotFound) {
						t.Error(err)
						return
					}
				}
			})
		}
		close(start)
		wg.Wait()
		require.EqualValues(t, 1, writers.Load())
		require.EqualValues(t, 100, readers.Load())
		onlyFiles(t, dir, "kv.shm")
	})
}

// Writers that remove the file before they give up the lock: whoever then holds
// a lock holds that of the file the path names.
func TestCreateAgainstReplacement(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kv.shm")
	var wg sync.WaitGroup
	var turns atomic.Int32
	for range 8 {
		wg.Go(func() {
			for turns.Load() < 300 {
				s, err := segment.Create(path, pagetest.SHKV2())
				if err != nil {
					if !isKind(err, segment.ErrLocked) {
						t.Error(err)
						return
					}
					continue
				}
				turns.Add(1)
				if same, err := s.Named(); err != nil || !same {
					t.Errorf("the lock of a file that is gone: %v", err)
				}
				if err := os.Remove(path); err != nil {
					t.Error(err)
				}
				_ = s.Close()
			}
		})
	}
	wg.Wait()
}
