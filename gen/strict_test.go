package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
	compile := func(program, language, std, header string) []string {
		script := fmt.Sprintf("echo '#include <shmkv/%s%s>' | %s -x %s %s \"$@\" -",
			name, header, program, language, std)
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

// systemHeaders define, in lower case, most of the macros that a member's name
// can meet, in GNU mode more than in standard mode.
var systemHeaders = strings.Fields(`arpa/inet.h assert.h complex.h errno.h fcntl.h iso646.h limits.h
	math.h netinet/in.h poll.h pthread.h setjmp.h signal.h stdarg.h stdatomic.h stdio.h stdlib.h
	stdnoreturn.h string.h sys/mman.h sys/param.h sys/select.h sys/socket.h sys/stat.h
	sys/sysmacros.h sys/time.h sys/types.h sys/un.h sys/wait.h tgmath.h threads.h time.h unistd.h`)

// onlyC have no place in C++.
var onlyC = strings.Fields(`complex.h stdatomic.h stdnoreturn.h tgmath.h threads.h`)

// TestNamesSurviveSystemHeaders: the header of the layout with the worst names
// compiles behind every system header, whose macros would rewrite them.
func TestNamesSurviveSystemHeaders(t *testing.T) {
	data, err := os.ReadFile("testdata/ok/reserved_words/layout.yaml")
	require.NoError(t, err)
	l, err := gen.Parse("layout.yaml", data)
	require.NoError(t, err)
	dir := t.TempDir()
	emitTo(t, dir, l)
	for header, compilers := range map[string][]string{
		".h": {"gcc -std=gnu17", "clang -std=gnu11"}, ".hpp": {"g++ -std=gnu++20", "clang++ -std=c++20"},
	} {
		var b strings.Builder
		for _, name := range systemHeaders {
			if header == ".h" || !slices.Contains(onlyC, name) {
				fmt.Fprintf(&b, "#include <%s>\n", name)
			}
		}
		fmt.Fprintf(&b, "#include <shmkv/%s%s>\n", l.Name, header)
		source := filepath.Join(dir, "all"+map[string]string{".h": ".c", ".hpp": ".cpp"}[header])
		require.NoError(t, os.WriteFile(source, []byte(b.String()), 0o644))
		for _, compiler := range compilers {
			args := append(strings.Fields(compiler), strictWarnings...)
			args = append(args, source)
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%v\n%s", args, out)
		}
	}
}

// TestHeadersLinkFromSeveralUnits: two C units and two C++ units with all
// headers make one program.
func TestHeadersLinkFromSeveralUnits(t *testing.T) {
	data, err := os.ReadFile("../layout.yaml")
	require.NoError(t, err)
	l, err := gen.Parse("layout.yaml", data)
	require.NoError(t, err)
	dir := t.TempDir()
	emitTo(t, dir, l)
	for name, text := range map[string]string{
		"a.c": "#include <shmkv/shkv2.h>\nint other(void);\n" +
			"int main(void) { return other() - SHKV2_SIZE; }\n",
		"b.c": "#include <shmkv/shkv2.h>\nint other(void);\nint other(void) { return SHKV2_SIZE; }\n",
		"a.cpp": "#include <shmkv/shkv2.hpp>\n#include <shmkv/shkv2.h>\nint other();\n" +
			"int main() { return other() - SHKV2_SIZE; }\n",
		"b.cpp": "#include <shmkv/shkv2.h>\n#include <shmkv/shkv2.hpp>\nint other();\n" +
			"int other() { return int(shkv2::size); }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, line := range []string{
		"gcc -std=c11 -Wall -Wextra -Werror -Ic a.c b.c -o two && ./two",
		"clang -std=c11 -Wall -Wextra -Werror -Ic a.c b.c -o two && ./two",
		"g++ -std=c++20 -Wall -Wextra -Werror -Ic a.cpp b.cpp -o two && ./two",
	} {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
	}
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
	defer specgen.Short(3)()
	paths, err := filepath.Glob("../layouts/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, dir := range cases(t, "ok") {
		paths = append(paths, filepath.Join(dir, "layout.yaml"))
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			l, err := gen.Parse(path, data)
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
