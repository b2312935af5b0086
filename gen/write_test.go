package gen_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen"
)

// tree reads every file below a folder.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

func changes(dir string, n, size int) []gen.Change {
	var all []gen.Change
	for i := range n {
		path := filepath.Join(dir, "sub", fmt.Sprint(i%3), fmt.Sprint(i))
		all = append(all, gen.Change{Path: path, New: make([]byte, size)})
	}
	return all
}

// TestFullDiskLeavesEverythingAsItWas: a run that finds no room writes nothing.
func TestFullDiskLeavesEverythingAsItWas(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	dir := t.TempDir()
	require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"))
	defer func() { require.NoError(t, syscall.Unmount(dir, 0)) }()
	require.NoError(t, gen.Apply(changes(dir, 3, 4096)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), []byte("mine"), 0o644))
	before := tree(t, dir)

	err := gen.Apply(changes(dir, 30, 4096))
	require.True(t, errors.Is(err, syscall.ENOSPC), "%v", err)
	require.Equal(t, before, tree(t, dir))

	require.NoError(t, gen.Apply(changes(dir, 3, 4095)))
}

// TestAFailureHalfWayIsUndone: whichever step fails, files, folders and
// temporary files are as before.
func TestAFailureHalfWayIsUndone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, gen.Apply(changes(dir, 3, 10)))
	// The last of the files to write is a folder.
	blocked := filepath.Join(dir, "sub", "2", "8")
	require.NoError(t, os.MkdirAll(blocked, 0o755))
	before := tree(t, dir)
	list := changes(dir, 9, 20)
	for i, c := range list {
		if old, ok := before[c.Path]; ok {
			list[i].Old = []byte(old)
		}
	}
	fresh := filepath.Join(dir, "new", "folder", "file")
	list = append([]gen.Change{{Path: fresh, New: []byte("x")}}, list...)
	require.Error(t, gen.Apply(list))
	require.Equal(t, before, tree(t, dir))
	require.NoDirExists(t, filepath.Join(dir, "new"))

	// A stale file that can not be removed undoes the writes before it.
	list = changes(dir, 3, 30)
	for i := range list {
		list[i].Old = []byte(before[list[i].Path])
	}
	list = append(list, gen.Change{Path: filepath.Join(dir, "gone"), Old: []byte("x")})
	require.Error(t, gen.Apply(list))
	require.Equal(t, before, tree(t, dir))
}
