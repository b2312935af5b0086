package golang

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
	"github.com/shmkv/shmkv/gen/spec"
)

// parse resolves one layout file. gen.Parse would import this package.
func parse(t *testing.T, name string, data []byte) *layout.Layout {
	t.Helper()
	var errs diag.List
	tree := spec.Parse(name, data, &errs)
	check(t, errs.Err())
	l := layout.Lower(tree, &errs)
	check(t, errs.Err())
	naming.Check(l, &errs)
	check(t, errs.Err())
	return l
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// load resolves the layouts under test: the default one and those of testdata,
// each for one shape of a page.
func load(t *testing.T) []*layout.Layout {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.yaml")
	check(t, err)
	paths = append(paths, "../../../layout.yaml")
	var ls []*layout.Layout
	for _, p := range paths {
		data, err := os.ReadFile(p)
		check(t, err)
		ls = append(ls, parse(t, filepath.Base(p), data))
	}
	if len(ls) < 9 {
		t.Fatalf("only %d layouts under test", len(ls))
	}
	return ls
}

func emitAll(t *testing.T, ls []*layout.Layout) []emit.File {
	t.Helper()
	files, err := Emit(ls, Options{})
	check(t, err)
	return files
}

func write(t *testing.T, dir string, files []emit.File) {
	t.Helper()
	for _, f := range files {
		p := filepath.Join(dir, filepath.FromSlash(f.Path))
		check(t, os.MkdirAll(filepath.Dir(p), 0o755))
		check(t, os.WriteFile(p, f.Data, 0o644))
	}
}

func TestDump(t *testing.T) {
	dir := os.Getenv("SHMKV_DUMP")
	if dir == "" {
		t.Skip()
	}
	write(t, dir, emitAll(t, load(t)))
}
