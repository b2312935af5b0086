package segment_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fullTmpfs mounts a tmpfs of two pages, one of which is taken.
func fullTmpfs(t *testing.T) (dir string) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a tmpfs needs root")
	}
	dir = t.TempDir()
	require.NoError(t, unix.Mount("shmkv", dir, "tmpfs", 0, "size=8k"))
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	require.NoError(t, os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 4097), 0o600))
	return dir
}

// A full file system is an error at creation, not a SIGBUS at the first store,
// and leaves no half-made file.
func TestNoSpace(t *testing.T) {
	dir := fullTmpfs(t)
	path := filepath.Join(dir, "kv.shm")
	_, err := segment.Create(path, pagetest.SHKV2())
	require.ErrorIs(t, err, segment.ErrNoSpace)
	require.ErrorIs(t, err, unix.ENOSPC)
	require.EqualError(t, err, path+": no space for 4096 bytes: no space left on device")
	onlyFiles(t, dir, "filler")

	// A file of the right size without blocks behind it would fault later.
	// Its magic is in the page that is there; the rest is a hole.
	layout := pagetest.SHKV2()
	layout.Size = 3 * pagetest.Size
	require.NoError(t, os.Truncate(filepath.Join(dir, "filler"), 0))
	require.NoError(t, os.WriteFile(path, []byte("SHKV2"), 0o600))
	require.NoError(t, os.Truncate(path, 3*pagetest.Size))
	_, err = segment.Create(path, layout)
	require.ErrorIs(t, err, segment.ErrNoSpace)
	open(t, path, layout)

	require.NoError(t, os.Remove(path))
	s := create(t, path, pagetest.SHKV2())
	publish(t, s, 1)
	require.NoError(t, s.Close())
}
