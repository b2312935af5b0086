// Package ctest helps the tests of the C and C++ emitters: layouts to emit, the
// compilers of this machine, and programs built of generated headers.
package ctest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Parse reads a layout from text.
func Parse(t testing.TB, text string) *layout.Layout {
	t.Helper()
	l, err := gen.Parse("layout.yaml", []byte(text))
	require.NoError(t, err)
	return l
}

// Shkv2 reads the project's own layout.
func Shkv2(t testing.TB) *layout.Layout {
	t.Helper()
	data, err := os.ReadFile("../../../layout.yaml")
	require.NoError(t, err)
	return Parse(t, string(data))
}

// Write writes emitted files below a folder.
func Write(t testing.TB, dir string, files []emit.File) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
}
