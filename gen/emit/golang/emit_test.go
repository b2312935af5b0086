package golang

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
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

// Every file starts with the marker, is formatted, imports only what it may,
// and comes out the same each time.
func TestFiles(t *testing.T) {
	ls := load(t)
	files := emitAll(t, ls)
	for range 3 {
		if again := emitAll(t, ls); !reflect.DeepEqual(files, again) {
			t.Fatal("two runs differ")
		}
	}
	own := regexp.MustCompile(`^"github\.com/shmkv/shmkv/runtime/(segment|seqlock|watch|futex)"$`)
	for _, f := range files {
		if !strings.HasPrefix(string(f.Data), "// "+emit.Marker+"\n") {
			t.Errorf("%s: no marker", f.Path)
		}
		formatted, err := format.Source(f.Data)
		check(t, err)
		if !bytes.Equal(formatted, f.Data) {
			t.Errorf("%s: not formatted", f.Path)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Path, f.Data, parser.ImportsOnly)
		check(t, err)
		for _, i := range tree.Imports {
			if strings.Contains(i.Path.Value, ".") && !own.MatchString(i.Path.Value) {
				t.Errorf("%s imports %s", f.Path, i.Path.Value)
			}
			if strings.Contains(i.Path.Value, ".") && filepath.Base(f.Path) == "layout.go" {
				t.Errorf("%s imports %s and must compile alone", f.Path, i.Path.Value)
			}
		}
	}
}

func paths(files []emit.File) string {
	var list []string
	for _, f := range files {
		list = append(list, f.Path)
	}
	return strings.Join(list, " ")
}

func TestOptions(t *testing.T) {
	two := load(t)[:2]
	for _, opt := range []Options{{Package: "p"}, {Flat: true}} {
		if _, err := Emit(two, opt); err == nil {
			t.Errorf("%+v was taken for two layouts", opt)
		}
	}
	for _, bad := range []string{"func", "a-b", "_", "1"} {
		if _, err := Emit(two[:1], Options{Package: bad}); err == nil {
			t.Errorf("package name %q was taken", bad)
		}
	}
	bare := parse(t, "x", []byte("layout: foo_bar\npage: {n: u8}\n"))
	files, err := Emit([]*layout.Layout{bare}, Options{Package: "other", Flat: true})
	check(t, err)
	if got := paths(files); got != "layout.go endian.go view.go descriptor.go reader.go writer.go" {
		t.Error(got)
	}
	if !strings.Contains(string(files[0].Data), "\npackage other\n") {
		t.Error("the package is not called other")
	}
	files = emitAll(t, []*layout.Layout{bare})
	if files[0].Path != "foobar/layout.go" {
		t.Error(files[0].Path)
	}
	if _, err := Emit([]*layout.Layout{bare, bare}, Options{}); err == nil {
		t.Error("two layouts in one folder were taken")
	}
}

// A declaration that would stand twice is an error, never a broken package.
func TestCollision(t *testing.T) {
	l := parse(t, "x", []byte("layout: x\npage: {m: u8}\n"+
		"constants: {n_offset: {type: u8, value: 1}}\n"))
	l.Page.Fields[0].Name = "n"
	_, err := Emit([]*layout.Layout{l}, Options{})
	if err == nil || !strings.Contains(err.Error(), "constant n_offset are both NOffset") {
		t.Error(err)
	}
}

// Documentation can not break out of its comment, nor be a build constraint.
func TestDocs(t *testing.T) {
	for text, want := range map[string]string{
		"a */ b \\":                           "// a */ b \\",
		"+build ignore":                       `// "+build ignore`,
		"a\x00b\ufeff\xff":                    "// a\ufffdb\ufffd\ufffd",
		strings.Repeat("x", 70) + " +build x": "// " + strings.Repeat("x", 70) + "\n// \"+build x",
		"one\n\ntwo":                          "// one\n//\n// two",
	} {
		if got := commentText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
