package segment_test

import (
	"errors"
	"os"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

var sink byte

// methods are all that touch the page: of a writer, of a reader, and Guard with
// a function of the test's.
func methods(w, r *segment.Segment, guarded func() error) map[string]func() error {
	lock := r.Layout().Lock
	dst := pagetest.Ptr(pagetest.Heap(lock.CopySize))
	return map[string]func() error{
		"Check": r.Check,
		"Guard": func() error { return r.Guard(guarded) },
		"Read":  func() error { return r.Read(lock, 0, dst, noDeadline) },
		"ReadSlot": func() error {
			_, err := r.ReadSlot(lock, 0, dst, noDeadline)
			return err
		},
		"ReadCounter": func() error {
			_, err := r.ReadCounter(lock, noDeadline)
			return err
		},
		"Publish": func() error {
			_, err := w.Publish(lock, dst)
			return err
		},
		"Update": func() error {
			_, err := w.Update(lock, 0, dst)
			return err
		},
	}
}

// A file cut short under its mapping is an error of every method, and never the
// end of the program.
func TestTruncated(t *testing.T) {
	onEach(t, func(t *testing.T, dir string) {
		path := dir + "/kv.shm"
		s := create(t, path, pagetest.SHKV2())
		r := open(t, path, pagetest.SHKV2())
		require.NoError(t, r.Check())
		require.NoError(t, os.Truncate(path, 0))

		touch := func() error { sink = r.Bytes()[pagetest.Size-1]; return nil }
		for name, f := range methods(s, r, touch) {
			err := f()
			require.ErrorIs(t, err, segment.ErrTruncated, name)
			require.EqualError(t, err, path+": the file was truncated: 0 bytes, want 4096", name)
		}

		// Back at its size it is a page of zeros: no error, and nothing to trust.
		require.NoError(t, os.Truncate(path, pagetest.Size))
		require.NoError(t, r.Check())
		require.NoError(t, os.Truncate(path, 2*pagetest.Size))
		require.NoError(t, r.Check(), "a longer file still holds the page")
		_, err := segment.Open(path, pagetest.SHKV2())
		require.ErrorIs(t, err, segment.ErrWrongSize)
	})
}

// A removed or replaced file is no error: the mapping stays whole.
func TestReplaced(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 3)
	s := create(t, path, pagetest.SHKV2())
	r := open(t, path, pagetest.SHKV2())
	require.NoError(t, os.Remove(path))
	require.NoError(t, r.Check())
	create(t, path, pagetest.SHKV2())
	require.NoError(t, r.Check())
	publish(t, s, 4)
	c, err := r.ReadCounter(r.Layout().Lock, noDeadline)
	require.NoError(t, err)
	require.EqualValues(t, 4, c)
}

// Guard passes errors and every panic that is not a fault of its mapping.
func TestGuardPassesOthers(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 1)
	r := open(t, path, pagetest.SHKV2())
	mine := errors.New("mine")
	require.Equal(t, mine, r.Guard(func() error { return mine }))
	require.PanicsWithValue(t, "mine", func() { _ = r.Guard(func() error { panic("mine") }) })
	require.PanicsWithError(t, "mine", func() { _ = r.Guard(func() error { panic(mine) }) })
	panics := func(what string, f func()) {
		t.Helper()
		require.Panics(t, func() { _ = r.Guard(func() error { f(); return nil }) }, what)
	}
	var p *int
	panics("a nil pointer", func() { *p = 1 })
	i := 8
	panics("an index", func() { sink = "abc"[i%9] })

	foreign, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	panics("another mapping", func() { sink = foreign[9] })
	require.NoError(t, unix.Munmap(foreign))

	// A store into a reader's page is a bug, not a truncated file.
	err = r.Guard(func() error { r.Bytes()[9] = 1; return nil })
	require.ErrorContains(t, err, "memory fault inside the page")
	require.NotErrorIs(t, err, segment.ErrTruncated)
	var fault runtime.Error
	require.ErrorAs(t, err, &fault)
}

func TestReadersCanNotWrite(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 1)
	r := open(t, path, pagetest.SHKV2())
	_, err := r.Publish(r.Layout().Lock, pagetest.Ptr(pagetest.Heap(64)))
	require.ErrorIs(t, err, segment.ErrReadOnly)
	_, err = r.Update(r.Layout().Lock, 0, pagetest.Ptr(pagetest.Heap(520)))
	require.ErrorIs(t, err, segment.ErrReadOnly)

	// Where the layout counts its waiters, readers map the page writable.
	path = newPage(t, pagetest.Elided(), 1)
	r = open(t, path, pagetest.Elided())
	require.NoError(t, r.Guard(func() error {
		atomic.AddUint32((*uint32)(pagetest.Ptr(r.Bytes()[pagetest.Waiters:])), 1)
		return nil
	}))
	_, err = r.Publish(r.Layout().Lock, pagetest.Ptr(pagetest.Heap(64)))
	require.ErrorIs(t, err, segment.ErrReadOnly, "and still are no writers")
}

func TestClose(t *testing.T) {
	path := newPage(t, pagetest.SHKV2(), 1)
	s := create(t, path, pagetest.SHKV2())
	r := open(t, path, pagetest.SHKV2())

	// Whoever is inside keeps the page; the lock goes at once.
	require.NoError(t, s.Guard(func() error {
		require.NoError(t, s.Close())
		sink = s.Bytes()[0]
		// Nobody comes in any more: two watchers could else keep each other's page.
		require.ErrorIs(t, s.Check(), segment.ErrClosed)
		create(t, path, pagetest.SHKV2())
		return nil
	}))
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	require.NoError(t, s.Close())
	_, err := r.WriterAlive()
	require.ErrorIs(t, err, segment.ErrClosed)
	never := func() error { t.Error("called"); return nil }
	for name, f := range methods(s, r, never) {
		err := f()
		require.ErrorIs(t, err, segment.ErrClosed, name)
		require.ErrorIs(t, err, os.ErrClosed, name)
	}
}

// No descriptor is left behind by anything that failed or was closed.
func TestNoDescriptorLeaks(t *testing.T) {
	count := func() int {
		e, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(e)
	}
	path := newPage(t, pagetest.SHKV2(), 1)
	held := create(t, path, pagetest.SHKV2())
	before := count()
	for range 5 {
		_, err := segment.Create(path, pagetest.SHKV2())
		require.ErrorIs(t, err, segment.ErrLocked)
		_, err = segment.Open(path, stamped())
		require.ErrorIs(t, err, segment.ErrWrongVersion)
		_, err = segment.Create(t.TempDir(), stamped())
		require.ErrorIs(t, err, segment.ErrNotRegular)
		require.NoError(t, open(t, path, pagetest.SHKV2()).Close())
	}
	require.Equal(t, before, count())
	require.NoError(t, held.Close())
}
