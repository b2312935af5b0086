package golang

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/shmkv/shmkv/gen/emit"
)

// repo returns the root of this repository, three levels above this package.
func repo(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	check(t, err)
	return root
}

// scratch writes generated files into a module of their own, which takes the
// runtime from this repository, and returns its folder.
func scratch(t *testing.T, files []emit.File) string {
	t.Helper()
	dir, root := t.TempDir(), repo(t)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(t, err)
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module scratch")
	text += "\nrequire github.com/shmkv/shmkv v0.0.0\n" +
		"replace github.com/shmkv/shmkv => " + root + "\n"
	check(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	write(t, dir, files)
	return dir
}

// tool runs the go command for one architecture and returns what it printed.
func tool(dir, arch string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustRun(t *testing.T, dir, arch string, args ...string) {
	t.Helper()
	if out, err := tool(dir, arch, args...); err != nil {
		t.Errorf("%s: go %s: %v\n%s", arch, strings.Join(args, " "), err, out)
	}
}

// Every layout compiles and vets for every width, and the assertions of size,
// alignment and offset hold there. On 386 vet takes a record that aligns to 8
// for a lock (see align_32bit.go), so one of its checks is off.
func TestVet(t *testing.T) {
	dir := scratch(t, emitAll(t, load(t)))
	mustRun(t, dir, "amd64", "vet", "./...")
	mustRun(t, dir, "arm64", "vet", "./...")
	mustRun(t, dir, "386", "vet", "-copylocks=false", "./...")
	for _, arch := range []string{"arm", "mipsle"} {
		mustRun(t, dir, arch, "build", "./types", "./shkv2")
	}
}

// The generated packages do what their documentation says: see testdata/run.
func TestRun(t *testing.T) {
	dir := scratch(t, emitAll(t, load(t)))
	check(t, os.CopyFS(filepath.Join(dir, "run"), os.DirFS("testdata/run")))
	mustRun(t, dir, runtime.GOARCH, "test", "-timeout=60s", "./run")
	if runtime.GOARCH == "amd64" {
		mustRun(t, dir, "386", "test", "-vet=off", "-timeout=60s", "./run")
	}
}

// The runtime copies by whole words, so what aligns to less goes through
// something that does not. Few processors would tell the difference.
func TestAlignedCopies(t *testing.T) {
	want := map[string]bool{
		"narrow/reader.go": true, "narrow/writer.go": true, "samples/reader.go": true,
		"shkv2/reader.go": true, "trades/reader.go": false, "state/reader.go": false,
		"state/writer.go": false, "table/writer.go": false,
	}
	for _, f := range emitAll(t, load(t)) {
		found := strings.Contains(string(f.Data), "[0]uint64")
		if aligned, ok := want[f.Path]; ok && aligned != found {
			t.Errorf("%s: aligned copies: %v, want %v", f.Path, found, aligned)
		}
		delete(want, f.Path)
	}
	if len(want) > 0 {
		t.Errorf("not emitted: %v", want)
	}
}

// A target of the other byte order fails with a name that says why, and a
// native layout compiles there.
func TestByteOrder(t *testing.T) {
	ls := load(t)
	big := parse(t, "big.yaml", []byte("layout: big\nendian: big\npage: {n: u32, m: u64}\n"))
	dir := scratch(t, emitAll(t, append(ls, big)))
	for _, c := range []struct{ arch, pkg, want string }{
		{"mips", "./shkv2", "this_layout_is_little_endian_and_this_target_is_not"},
		{"amd64", "./big", "this_layout_is_big_endian_and_this_target_is_not"},
		{"mips", "./big", ""}, {"mips", "./bare", ""},
	} {
		out, err := tool(dir, c.arch, "build", c.pkg)
		ok := err == nil
		if c.want != "" {
			ok = err != nil && strings.Contains(out, "undefined: "+c.want)
		}
		if !ok {
			t.Errorf("%s %s: %v\n%s", c.arch, c.pkg, err, out)
		}
	}
}

// layout.go and the align files compile alone, without the runtime.
func TestLayoutAlone(t *testing.T) {
	var files []emit.File
	for _, f := range emitAll(t, load(t)) {
		if name := filepath.Base(f.Path); name == "layout.go" || strings.HasPrefix(name, "align_") {
			files = append(files, f)
		}
	}
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module alone\n\ngo 1.26\n"), 0o644))
	write(t, dir, files)
	mustRun(t, dir, "amd64", "build", "./...")
	mustRun(t, dir, "386", "build", "./...")
}

// The compiler refuses a record that is not laid out as the layout says.
func TestAssertions(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"\tvalueRaw [40]byte", "\tvalueRaw [48]byte",
			"[unsafe.Sizeof(Slot{})]byte)(nil) (value of type *[72]byte) as *[64]byte"},
		{"\tkeyRaw [24]byte", "\t_ byte\nkeyRaw [24]byte",
			"[unsafe.Offsetof(Slot{}.keyRaw)]byte)(nil) (value of type *[1]byte)"},
		{"\t_ align8\n", "", "[unsafe.Alignof(Page{})]byte)(nil) (value of type *[4]byte) as *[8]byte"},
	} {
		files := emitAll(t, load(t))
		for i := range files {
			if files[i].Path == "shkv2/layout.go" {
				text := string(files[i].Data)
				if !strings.Contains(text, c.old) {
					t.Fatalf("no %q in layout.go:\n%s", c.old, text)
				}
				files[i].Data = []byte(strings.Replace(text, c.old, c.new, 1))
			}
		}
		dir := scratch(t, files)
		out, err := tool(dir, "386", "build", "./shkv2")
		if err == nil || !strings.Contains(out, c.want) {
			t.Errorf("%q was accepted: %v\n%s", c.new, err, out)
		}
	}
}
