package segment_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	pagetest.Main(m, map[string]func([]string){
		"publish": publishForEver, "parent": writerWithChild, "linger": linger,
	})
}

// publishForEver is a writer at full speed; the second argument is the salt of
// its records.
func publishForEver(args []string) {
	layout := pagetest.SHKV2()
	s, err := segment.Create(args[0], layout)
	if err != nil {
		pagetest.Say("%v", err)
		return
	}
	pagetest.Say("%v", s.Recovery())
	salt, _ := strconv.Atoi(args[1])
	rec := pagetest.Heap(pagetest.SlotSize)
	for {
		pagetest.Fill(rec, pagetest.U64(s.Bytes(), pagetest.Counter)+1, uint32(salt))
		layout.Lock.Publish(s.Base(), pagetest.Ptr(rec)) // no wake: nearly all of the time inside W1..W6
	}
}

// writerWithChild holds the lock and starts a child that outlives it.
func writerWithChild(args []string) {
	s, err := segment.Create(args[0], pagetest.SHKV2())
	if err != nil {
		pagetest.Say("%v", err)
		return
	}
	pid, err := pagetest.Spawn("linger")
	pagetest.Say("%d %v", pid, err)
	time.Sleep(time.Minute)
	_ = s.Close()
}

func linger([]string) { time.Sleep(20 * time.Second) }

// onEach runs a test on the file system of temporary files and on a tmpfs.
func onEach(t *testing.T, test func(t *testing.T, dir string)) {
	t.Run("tmp", func(t *testing.T) { test(t, t.TempDir()) })
	t.Run("shm", func(t *testing.T) {
		dir, err := os.MkdirTemp("/dev/shm", "shmkv-test-")
		require.NoError(t, err)
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		test(t, dir)
	})
}

// newPage returns the path of a page with a few updates that nobody writes.
func newPage(t *testing.T, layout *segment.Layout, updates int) string {
	path := filepath.Join(t.TempDir(), "kv.shm")
	s := create(t, path, layout)
	for id := 1; id <= updates; id++ {
		publish(t, s, uint64(id))
	}
	require.NoError(t, s.Close())
	return path
}

func create(
	t *testing.T, path string, layout *segment.Layout, opts ...segment.Option,
) *segment.Segment {
	t.Helper()
	s, err := segment.Create(path, layout, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func open(t *testing.T, path string, layout *segment.Layout) *segment.Segment {
	t.Helper()
	s, err := segment.Open(path, layout)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func publish(t *testing.T, s *segment.Segment, id uint64) {
	t.Helper()
	lock := s.Layout().Lock
	got, err := s.Publish(lock, pagetest.Ptr(pagetest.Record(lock.Ring.Stride, id, 1)))
	require.NoError(t, err)
	require.Equal(t, id, got)
}

// poke changes bytes of a file.
func poke(t *testing.T, path string, at int, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteAt(b, int64(at))
	require.NoError(t, err)
}

// onlyFiles checks that a directory holds the named files and nothing half-made.
func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	found := []string{}
	for _, e := range entries {
		found = append(found, e.Name())
	}
	require.ElementsMatch(t, names, found)
}
