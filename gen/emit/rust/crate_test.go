package rust_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/rust"
	"github.com/shmkv/shmkv/gen/internal/specgen"
	"github.com/shmkv/shmkv/gen/layout"
)

// drawn is how many random layouts are compiled.
const drawn = 6

// need fails the test where a tool is missing, unless SHMKV_NARROW names it.
func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if slices.Contains(strings.Fields(os.Getenv("SHMKV_NARROW")), tool) {
			t.Skipf("NARROWED: %s is missing", tool)
		}
		t.Fatalf("%s is missing; SHMKV_NARROW=%s leaves these tests out", tool, tool)
	}
}

// crate writes the crate of some layouts, and tests of testdata beside it.
func crate(t *testing.T, ls []*layout.Layout, tests ...string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := rust.Emit(ls)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		to := "tests/" + name + ".rs"
		if name == "common" {
			to = "tests/common/mod.rs"
		}
		data := []byte(read(t, "testdata/"+name+".rs"))
		files = append(files, emit.File{Path: to, Data: data})
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// cargo runs cargo in a crate. All crates share one folder of compiled code.
func cargo(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("cargo", args...)
	cmd.Dir = dir
	target := filepath.Join(os.TempDir(), fmt.Sprintf("shmkv-rust-target-%d", os.Getuid()))
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+target, "CARGO_NET_OFFLINE=true",
		"CARGO_TERM_COLOR=never", "RUSTDOCFLAGS=-D warnings", "RUSTFLAGS=-D warnings")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustCargo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := cargo(t, dir, args...)
	if err != nil {
		t.Fatalf("cargo %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// layouts returns SHKV2 first, then every other layout that the tests have.
func layouts(t *testing.T) []*layout.Layout {
	t.Helper()
	ls := []*layout.Layout{parse(t, "layout.yaml", read(t, "../../../layout.yaml"))}
	paths, err := filepath.Glob("../../testdata/ok/*/layout.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no layouts to test with", err)
	}
	for _, path := range paths {
		ls = append(ls, parse(t, path, read(t, path)))
	}
	ls = append(ls, hostileLayout(t))
	for i := range drawn {
		text := rapid.Custom(specgen.Draw).Example(i)
		l := parse(t, "drawn", text)
		l.Name = fmt.Sprintf("drawn_%d", i)
		ls = append(ls, l)
	}
	return ls
}

func TestTheCrateIsClean(t *testing.T) {
	need(t, "cargo", "rustfmt", "cargo-clippy")
	dir := crate(t, layouts(t), "common", "pages", "refusals", "shapes", "core")
	// Every unsafe block and function says why it may, private ones too.
	config := filepath.Join(dir, "clippy.toml")
	if err := os.WriteFile(config, []byte("check-private-items = true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	strict := []string{"--", "-D", "warnings", "-D", "clippy::undocumented_unsafe_blocks"}
	mustCargo(t, dir, "fmt", "--check")
	mustCargo(t, dir, append([]string{"clippy", "--all-targets"}, strict...)...)
	mustCargo(t, dir, append([]string{"clippy", "--no-default-features"}, strict...)...)
	mustCargo(t, dir, "doc")
}

func TestNamesOfAnyLengthAreFormatted(t *testing.T) {
	need(t, "cargo", "rustfmt")
	l := parse(t, "sweep", sweep())
	dir := crate(t, []*layout.Layout{l})
	mustCargo(t, dir, "fmt", "--check")
	mustCargo(t, dir, "check")
	text := read(t, filepath.Join(dir, "src", "sweep.rs"))
	if n := strings.Count(text, "rustfmt::skip"); n > 4 {
		t.Errorf("%d items are kept from rustfmt; they should be laid out instead", n)
	}
}

func TestPagesBehave(t *testing.T) {
	need(t, "cargo", "mkfifo")
	var ls []*layout.Layout
	for _, path := range []string{"../../../layout.yaml", "../../testdata/ok/everything/layout.yaml",
		"../../testdata/ok/pose/layout.yaml", "../../testdata/ok/table/layout.yaml"} {
		ls = append(ls, parse(t, path, read(t, path)))
	}
	dir := crate(t, ls, "common", "pages", "refusals", "shapes", "core")
	// Optimised, where the copy loops are unrolled and inlined, and with the
	// checks for overflow that a debug build has.
	t.Setenv("CARGO_PROFILE_DEV_OPT_LEVEL", "2")
	t.Log(mustCargo(t, dir, "test"))
	mustCargo(t, dir, "test", "--no-default-features", "--test", "core")

	out := mustCargo(t, dir, "package", "--allow-dirty", "--no-verify")
	if strings.Contains(out, "warning") {
		t.Errorf("cargo package warns:\n%s", out)
	}
}

func TestOtherByteOrdersDoNotCompile(t *testing.T) {
	need(t, "cargo")
	l := parse(t, "big", "layout: big\nendian: big\npage: {a: u32}\n")
	out, err := cargo(t, crate(t, []*layout.Layout{l}), "check")
	want := "this layout is big-endian: it can not be used on a little-endian target"
	if err == nil || !strings.Contains(out, want) {
		t.Errorf("got %v\n%s", err, out)
	}
}

// TestAssertionsBite shifts one field: a struct that is not laid out as the spec
// says must not compile.
func TestAssertionsBite(t *testing.T) {
	need(t, "cargo")
	l := parse(t, "layout.yaml", read(t, "../../../layout.yaml"))
	dir := crate(t, []*layout.Layout{l})
	path := filepath.Join(dir, "src", "shkv2.rs")
	text := read(t, path)
	for _, change := range [][2]string{
		{"_reserved_reserved: [u8; 40]", "_reserved_reserved: [u8; 48]"},
		{"#[repr(C, align(8))]", "#[repr(C, align(16))]"},
		{"pub seq: u32", "pub seq: u64"},
	} {
		broken := strings.Replace(text, change[0], change[1], 1)
		if broken == text {
			t.Fatalf("no %q in the source", change[0])
		}
		if err := os.WriteFile(path, []byte(broken), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := cargo(t, dir, "check"); err == nil || !strings.Contains(out, "assertion failed") {
			t.Errorf("%v compiles: %v\n%s", change, err, out)
		}
	}
}

func TestEveryFileCarriesTheMarker(t *testing.T) {
	files, err := rust.Emit(layouts(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		line, _, _ := strings.Cut(string(f.Data), "\n")
		if !strings.Contains(line, emit.Marker) {
			t.Errorf("%s begins with %q", f.Path, line)
		}
		if strings.Contains(string(f.Data), "transmute") {
			t.Errorf("%s transmutes", f.Path)
		}
	}
}

func TestOutputIsDeterministic(t *testing.T) {
	first, err := rust.Emit(layouts(t))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := rust.Emit(layouts(t))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(first, again, func(a, b emit.File) bool {
			return a.Path == b.Path && string(a.Data) == string(b.Data)
		}) {
			t.Fatal("two runs differ")
		}
	}
}

func TestEmitRefuses(t *testing.T) {
	if _, err := rust.Emit(nil); err == nil {
		t.Error("a crate of no layout")
	}
	l := parse(t, "a", "layout: a\npage: {a: u32}\n")
	if _, err := rust.Emit([]*layout.Layout{l, l}); err == nil {
		t.Error("two layouts of one name")
	}
}

// TestHostileNamesMakePackages gives crates names that Cargo or Rust reserve.
func TestHostileNamesMakePackages(t *testing.T) {
	need(t, "cargo")
	for _, name := range []string{"type", "core", "test", "words"} {
		l := parse(t, "a", "layout: keep\npage: {a: u32}\n")
		l.Name = name
		mustCargo(t, crate(t, []*layout.Layout{l}), "check")
	}
}
