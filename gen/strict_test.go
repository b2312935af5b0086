package gen_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/internal/specgen"
	"github.com/shmkv/shmkv/gen/layout"
)

// strictWarnings are what the output must compile without.
var strictWarnings = []string{
	"-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror",
	"-fsyntax-only", "-Ic",
}

// strict lists the judges of the output: none may have anything to say. They
// run in the folder that holds go, c and rust.
func strict(name string) [][]string {
	include := func(header string) string { return fmt.Sprintf("#include <shmkv/%s%s>\n", name, header) }
	compile := func(program, language, std, header string) []string {
		script := fmt.Sprintf("printf '%%s' '%s' | %s -x %s %s \"$@\" -", include(header), program, language, std)
		return append([]string{"sh", "-c", script, "sh"}, strictWarnings...)
	}
	return [][]string{
		compile("gcc", "c", "-std=c11", ".h"), compile("clang", "c", "-std=c11", ".h"),
		compile("gcc -m32", "c", "-std=gnu17", ".h"), compile("g++", "c++", "-std=c++20", ".h"),
		compile("g++", "c++", "-std=c++20", ".hpp"), compile("clang++", "c++", "-std=c++20", ".hpp"),
		compile("g++ -m32", "c++", "-std=gnu++23", ".hpp"),
		{"sh", "-c", "clang-format --dry-run -Werror c/shmkv/*.h c/shmkv/*.hpp c/shmkv/*/*.h"},
		{"sh", "-c", "rustfmt --check --edition 2021 rust/src/lib.rs"},
		{"sh", "-c", `test -z "$(gofmt -l go)"`},
	}
}

// emitTo writes all languages of a layout below dir.
func emitTo(t require.TestingT, dir string, l *layout.Layout) {
	dirs := map[gen.Dir]string{}
	for _, d := range gen.Dirs {
		dirs[d] = filepath.Join(dir, string(d))
	}
	output, err := gen.Emit([]*layout.Layout{l}, dirs, gen.Options{})
	require.NoError(t, err)
	changes, err := output.Changes()
	require.NoError(t, err)
	require.NoError(t, gen.Apply(changes))
}

func judge(t require.TestingT, dir, name, text string) {
	for _, args := range strict(name) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%v\n%s\n%s", args, out, text)
	}
}

// TestOutputIsCleanInEveryLanguage: no compiler warns and no formatter would
// change a byte, for the layouts of testdata and for ones that are drawn. The
// long form: go test ./gen -run Clean -rapid.checks 200
func TestOutputIsCleanInEveryLanguage(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue {
		require.NoError(t, flag.Set("rapid.checks", "3"))
		defer func() { _ = flag.Set("rapid.checks", f.DefValue) }()
	}
	for _, dir := range cases(t, "ok") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "layout.yaml"))
			require.NoError(t, err)
			l, err := gen.Parse("layout.yaml", data)
			require.NoError(t, err)
			out := t.TempDir()
			emitTo(t, out, l)
			judge(t, out, l.Name, "")
		})
	}
	t.Run("drawn", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			text := specgen.Draw(t)
			l, err := gen.Parse("drawn.yaml", []byte(text))
			require.NoError(t, err)
			out, err := os.MkdirTemp("", "shmkv-strict-")
			require.NoError(t, err)
			defer os.RemoveAll(out)
			emitTo(t, out, l)
			judge(t, out, "drawn", text)
		})
	})
}
