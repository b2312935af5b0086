package c11_test

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
	"github.com/shmkv/shmkv/gen/internal/ctest"
	"github.com/shmkv/shmkv/gen/layout"
)

// emitted writes the headers of layouts into a folder.
func emitted(t *testing.T, layouts ...*layout.Layout) string {
	t.Helper()
	dir := t.TempDir()
	files, err := c11.Emit(layouts)
	require.NoError(t, err)
	ctest.Write(t, dir, files)
	return dir
}

// includes returns a source that includes every layout header, twice.
func includes(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	headers, err := filepath.Glob(filepath.Join(dir, "shmkv/*.h"))
	require.NoError(t, err)
	for range 2 {
		for _, h := range headers {
			if filepath.Base(h) != "segment.h" { // the others include it where there is a system
				fmt.Fprintf(&b, "#include \"shmkv/%s\"\n", filepath.Base(h))
			}
		}
	}
	return b.String()
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

// TestCompile compiles every layout's header, in one unit each way, with each
// compiler, standard, word size and optimisation, and no warning.
func TestCompile(t *testing.T) {
	dir := emitted(t, ctest.Layouts(t)...)
	source := includes(t, dir)
	// Other headers first, as users have them: no feature macro is set in time.
	write(t, dir, "hosted.c",
		"#include <fcntl.h>\n#include <stdio.h>\n"+source+"int main(void) { return 0; }\n")
	write(t, dir, "bare.c", source)
	write(t, dir, "hosted.cc", source+"int main() { return 0; }\n")
	type way struct {
		compiler string
		flags    string
	}
	var ways []way
	for _, bits := range []string{"-m64", "-m32"} {
		for _, macros := range []string{
			"-D_GNU_SOURCE", "-D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64",
		} {
			ways = append(ways, way{"gcc", fmt.Sprintf("-std=c11 %s %s hosted.c", macros, bits)})
		}
		for _, level := range []string{"-O0", "-O2"} {
			for _, cc := range []string{"gcc", "clang"} {
				for _, std := range []string{"c11", "gnu11", "c17"} {
					ways = append(ways, way{cc, fmt.Sprintf("-std=%s %s %s hosted.c", std, bits, level)})
				}
				ways = append(ways, way{cc, fmt.Sprintf("-std=c11 -ffreestanding %s %s bare.c", bits, level)})
			}
			for _, cc := range []string{"g++", "clang++"} {
				ways = append(ways, way{cc, fmt.Sprintf("-std=c++20 %s %s hosted.cc", bits, level)})
			}
		}
	}
	for _, w := range ways {
		t.Run(w.compiler+" "+w.flags, func(t *testing.T) {
			t.Parallel()
			if !ctest.Have(t, w.compiler) {
				return
			}
			args := append([]string{w.compiler}, strings.Fields(w.flags)...)
			args = append(append(args, ctest.Warnings...), "-I.", "-c", "-o", "/dev/null")
			out, err := ctest.Run(t, dir, args...)
			require.NoError(t, err, "%s", out)
		})
	}
}

// TestWrongEndian compiles a layout of the other byte order: it must say why
// it can not be used.
func TestWrongEndian(t *testing.T) {
	dir := emitted(t, ctest.Parse(t, "layout: network\nendian: big\nsize: 64\npage: {x: u32}\n"))
	write(t, dir, "main.c", "#include \"shmkv/network.h\"\n")
	out, err := ctest.Run(t, dir, "gcc", "-std=c11", "-c", "-o", "/dev/null", "main.c")
	require.Error(t, err)
	assert.Contains(t, out, "network is big-endian; this target is little-endian")
}

// TestTargets compiles for machines that are not here, freestanding: the ones
// that can must compile, the others must say why not.
func TestTargets(t *testing.T) {
	if !ctest.Have(t, "clang") {
		return
	}
	dir := emitted(t, ctest.Layouts(t)...)
	write(t, dir, "bare.c", includes(t, dir))
	for target, want := range map[string]string{
		"aarch64-linux-gnu":      "",
		"armv7-linux-gnueabihf":  "",
		"riscv64-linux-gnu":      "",
		"i686-linux-gnu":         "",
		"powerpc64le-linux-gnu":  "",
		"powerpc64-linux-gnu":    "shkv2 is little-endian; this target is big-endian",
		"armv6m-none-eabi":       "shmkv needs lock-free atomics of the machine word",
		"aarch64_be-linux-gnu":   "shkv2 is little-endian; this target is big-endian",
		"mips64el-unknown-linux": "",
	} {
		args := []string{"clang", "--target=" + target, "-std=c11", "-ffreestanding", "-O2", "-S"}
		args = append(append(args, ctest.Warnings...), "-o", "/dev/null", "bare.c")
		out, err := ctest.Run(t, dir, args...)
		if want == "" {
			assert.NoError(t, err, "%s: %s", target, out)
		} else {
			assert.Error(t, err, "%s", target)
			assert.Contains(t, out, want, "%s", target)
		}
	}
}

// TestFormat holds the output to the clang-format style that is shipped with
// it, and the static files also to the project's.
func TestFormat(t *testing.T) {
	if !ctest.Have(t, "clang-format") {
		return
	}
	dir := emitted(t, ctest.Layouts(t)...)
	ctest.CheckFormat(t, filepath.Join(dir, "shmkv"))
}

// TestDeterministic emits twice and compares.
func TestDeterministic(t *testing.T) {
	first, err := c11.Emit(ctest.Layouts(t))
	require.NoError(t, err)
	for range 5 {
		again, err := c11.Emit(ctest.Layouts(t))
		require.NoError(t, err)
		require.Equal(t, first, again)
	}
	for _, f := range first {
		line, _, _ := strings.Cut(string(f.Data), "\n")
		assert.Contains(t, line, emit.Marker, f.Path)
		assert.True(t, strings.HasSuffix(string(f.Data), "\n"), f.Path)
	}
}
