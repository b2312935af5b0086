package watch_test

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/watch"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	pagetest.Main(m, map[string]func([]string){"serve": serve})
}

// soon is far above what anything here takes that does not wait for a timeout.
const soon = 10 * time.Second

// serve publishes updates of SHKV2 at an interval: file, count, microseconds.
func serve(args []string) {
	s, err := segment.Create(args[0], pagetest.SHKV2())
	if err != nil {
		pagetest.Say("%v", err)
		return
	}
	defer s.Close()
	count, _ := strconv.Atoi(args[1])
	interval, _ := strconv.Atoi(args[2])
	pagetest.Say("ready")
	lock := s.Layout().Lock
	first := pagetest.U64(s.Bytes(), pagetest.Counter)
	rec := pagetest.Heap(pagetest.SlotSize)
	for i := 1; i <= count; i++ {
		time.Sleep(time.Duration(interval) * time.Microsecond)
		pagetest.Fill(rec, first+uint64(i), 1)
		if _, err := s.Publish(lock, pagetest.Ptr(rec)); err != nil {
			pagetest.Say("%v", err)
			return
		}
	}
	pagetest.Say("done")
}

// page is a file with its writer and one reader.
type page struct {
	t    *testing.T
	path string
	w, r *segment.Segment
}

func newPage(t *testing.T, layout *segment.Layout) *page {
	p := &page{t: t, path: filepath.Join(t.TempDir(), "kv.shm")}
	p.w, p.r = p.create(layout), p.open(layout)
	return p
}

func (p *page) create(layout *segment.Layout, opts ...segment.Option) *segment.Segment {
	p.t.Helper()
	s, err := segment.Create(p.path, layout, opts...)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (p *page) open(layout *segment.Layout) *segment.Segment {
	p.t.Helper()
	s, err := segment.Open(p.path, layout)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = s.Close() })
	return s
}

// publish publishes n more updates.
func (p *page) publish(n int) {
	p.t.Helper()
	lock := p.w.Layout().Lock
	for range n {
		id := pagetest.U64(p.w.Bytes(), pagetest.Counter) + 1
		got, err := p.w.Publish(lock, pagetest.Ptr(pagetest.Record(lock.Ring.Stride, id, 1)))
		require.NoError(p.t, err)
		require.Equal(p.t, id, got)
	}
}

func (p *page) watcher(opts ...watch.Option) *watch.Watcher {
	p.t.Helper()
	w, err := watch.New(p.r, p.r.Layout().Lock, opts...)
	require.NoError(p.t, err)
	return w
}

// next expects one update, at once or after a wake.
func next(t *testing.T, w *watch.Watcher, id, missed uint64) watch.Update {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	u, err := w.Next(ctx)
	require.NoError(t, err)
	require.Equal(t, id, u.ID)
	require.Equal(t, missed, u.Missed, "before update %d", id)
	return u
}

// nothing expects that no update is due.
func nothing(t *testing.T, w *watch.Watcher) {
	t.Helper()
	u, ok, err := w.Poll()
	require.NoError(t, err)
	require.False(t, ok, "update %d", u.ID)
}
