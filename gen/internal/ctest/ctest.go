// Package ctest helps the tests of the C and C++ emitters: layouts to emit, the
// compilers of this machine, and programs built of generated headers.
package ctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// root is the project's folder, seen from this file.
func root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "../../..")
}

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
	data, err := os.ReadFile(filepath.Join(root(), "layout.yaml"))
	require.NoError(t, err)
	return Parse(t, string(data))
}

// Layouts reads the project's own layout, every good one of the generator's
// test data, and those of this package: everything a header can be made of.
func Layouts(t testing.TB) []*layout.Layout {
	t.Helper()
	layouts := []*layout.Layout{Shkv2(t)}
	paths, err := filepath.Glob(filepath.Join(root(), "gen/testdata/ok/*/layout.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		layouts = append(layouts, Parse(t, string(data)))
	}
	for _, text := range []string{Long, LongRing, Waiters, Pose, Clashes} {
		layouts = append(layouts, Parse(t, text))
	}
	return slices.DeleteFunc(layouts, func(l *layout.Layout) bool { return l.Endian == layout.Big })
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

// Warnings are the flags every header must compile under.
var Warnings = []string{
	"-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror",
}

// Have tells whether a tool is there. One that is missing fails the test unless
// SHMKV_NARROW names it: then the test says so and goes on without.
func Have(t testing.TB, tool string) bool {
	t.Helper()
	if slices.Contains(strings.FieldsFunc(os.Getenv("SHMKV_NARROW"), isSeparator), tool) {
		t.Logf("NARROWED: %s is not used, as SHMKV_NARROW says", tool)
		return false
	}
	if _, err := exec.LookPath(tool); err != nil {
		t.Errorf("%s is not installed; install it, or set SHMKV_NARROW=%s to do without", tool, tool)
		return false
	}
	return true
}

func isSeparator(r rune) bool { return r == ' ' || r == ',' }

// Run runs a command in a folder and returns what it printed.
func Run(t testing.TB, dir string, command ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Build compiles and links a program from sources in dir and returns its path.
func Build(t testing.TB, dir, name string, command ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	args := append(slices.Clone(command), Warnings...)
	out, err := Run(t, dir, append(args, "-I.", "-o", path)...)
	require.NoError(t, err, "%s\n%s", strings.Join(args, " "), out)
	return path
}

// CheckFormat runs clang-format over every header below a folder that has
// a .clang-format file, and fails on the first difference of each.
func CheckFormat(t testing.TB, dir string) {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.h", "*.hpp", "detail/*.h"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.NotEmpty(t, files)
	out, err := Run(t, dir, append([]string{"clang-format", "--dry-run", "-Werror"}, files...)...)
	require.NoError(t, err, "%s", out)
}
