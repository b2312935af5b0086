package cpp20_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/c11"
	"github.com/shmkv/shmkv/gen/emit/cpp20"
	"github.com/shmkv/shmkv/gen/internal/ctest"
	"github.com/shmkv/shmkv/gen/layout"
)

// emitted writes the headers of layouts, of C and of C++, into a folder.
func emitted(t *testing.T, layouts ...*layout.Layout) string {
	t.Helper()
	dir := t.TempDir()
	paths := map[string]bool{}
	for _, emitter := range []func([]*layout.Layout) ([]emit.File, error){c11.Emit, cpp20.Emit} {
		files, err := emitter(layouts)
		require.NoError(t, err)
		for _, f := range files {
			require.False(t, paths[f.Path], "%s is emitted twice", f.Path)
			paths[f.Path] = true
		}
		ctest.Write(t, dir, files)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// includes returns a source that includes every header of C++, and of C too
// when asked, and instantiates every view.
func includes(t *testing.T, dir string, both bool) string {
	t.Helper()
	var b strings.Builder
	headers, err := filepath.Glob(filepath.Join(dir, "shmkv/*.hpp"))
	require.NoError(t, err)
	for _, h := range headers {
		base := filepath.Base(h)
		fmt.Fprintf(&b, "#include \"shmkv/%s\"\n", base)
		if both && base != "segment.hpp" {
			fmt.Fprintf(&b, "#include \"shmkv/%s.h\"\n", strings.TrimSuffix(base, ".hpp"))
		}
	}
	for _, h := range headers {
		if name := strings.TrimSuffix(filepath.Base(h), ".hpp"); name != "segment" {
			if name == "clock" { // the C library has a function of that name
				name = "clock_"
			}
			fmt.Fprintf(&b, "template class %s::basic_view<std::byte>;\n", name)
		}
	}
	return b.String()
}

// TestCompile compiles every layout's headers, in one unit, with each compiler,
// standard, word size and optimisation, and no warning.
func TestCompile(t *testing.T) {
	dir := emitted(t, ctest.Layouts(t)...)
	write(t, dir, "both.cc", "#include <ctime>\n#include <unistd.h>\n"+includes(t, dir, true))
	type way struct {
		compiler string
		flags    string
	}
	var ways []way
	for _, bits := range []string{"-m64", "-m32"} {
		for _, std := range []string{"-std=c++20 -O2", "-std=c++2b -O0"} {
			for _, cc := range []string{"g++", "clang++"} {
				ways = append(ways, way{cc, bits + " " + std})
			}
		}
	}
	ways = append(ways, way{"g++", "-std=gnu++20 -O2 -fno-exceptions -fno-rtti"})
	for _, w := range ways {
		t.Run(w.compiler+" "+w.flags, func(t *testing.T) {
			t.Parallel()
			if !ctest.Have(t, w.compiler) {
				return
			}
			args := append([]string{w.compiler}, strings.Fields(w.flags)...)
			args = append(append(args, ctest.Warnings...), "-I.", "-c", "-o", "/dev/null", "both.cc")
			out, err := ctest.Run(t, dir, args...)
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestWrongEndian compiles a layout of the other byte order: it must say why
// it can not be used.
func TestWrongEndian(t *testing.T) {
	dir := emitted(t, ctest.Parse(t, "layout: network\nendian: big\nsize: 64\npage: {x: u32}\n"))
	write(t, dir, "main.cc", "#include \"shmkv/network.hpp\"\n")
	out, err := ctest.Run(t, dir, "g++", "-std=c++20", "-fsyntax-only", "main.cc")
	require.Error(t, err)
	assert.Contains(t, out, "network is big-endian; this target is little-endian")
}

// TestFormat holds the output to the clang-format style that is shipped with it.
func TestFormat(t *testing.T) {
	if !ctest.Have(t, "clang-format") {
		return
	}
	dir := emitted(t, ctest.Layouts(t)...)
	ctest.CheckFormat(t, filepath.Join(dir, "shmkv"))
}

// TestDeterministic emits several times and compares.
func TestDeterministic(t *testing.T) {
	first, err := cpp20.Emit(ctest.Layouts(t))
	require.NoError(t, err)
	for range 5 {
		again, err := cpp20.Emit(ctest.Layouts(t))
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
	for _, f := range first {
		line, _, _ := strings.Cut(string(f.Data), "\n")
		assert.Contains(t, line, emit.Marker, f.Path)
	}
}
