package gen_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/report"
)

// cases lists the folders below testdata/kind: each holds a layout.yaml beside
// what must come of it.
func cases(t *testing.T, kind string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("testdata", kind, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	return dirs
}

// golden compares got with a file. SHMKV_UPDATE=1 rewrites the file and fails
// the run on purpose, so that a refresh is never taken for a pass.
func golden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if os.Getenv("SHMKV_UPDATE") == "1" {
		if err != nil || string(want) != got {
			require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			t.Errorf("%s rewritten", path)
		}
		return
	}
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestBadLayoutsAreExplained(t *testing.T) {
	for _, dir := range cases(t, "bad") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "layout.yaml"))
			require.NoError(t, err)
			l, err := gen.Parse("layout.yaml", data)
			require.Error(t, err)
			require.Nil(t, l)
			var list *diag.List
			require.True(t, errors.As(err, &list))
			golden(t, filepath.Join(dir, "want.txt"), list.Error()+"\n")
		})
	}
}

func TestGoodLayoutsAreResolved(t *testing.T) {
	for _, dir := range cases(t, "ok") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "layout.yaml"))
			require.NoError(t, err)
			l, err := gen.Parse("layout.yaml", data)
			require.NoError(t, err)
			var out strings.Builder
			require.NoError(t, report.New(l).Write(&out))
			out.WriteString("\ncanonical text:\n" + l.Canonical)
			golden(t, filepath.Join(dir, "want.txt"), out.String())
		})
	}
}
