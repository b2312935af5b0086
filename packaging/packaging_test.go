// Package packaging builds, from nothing, a project of each kind that takes
// shmkv the way its users do.
package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	return root
}

// run starts a program in a folder and returns what it prints.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil {
		stderr := ""
		if ok := asExit(err, &exit); ok {
			stderr = string(exit.Stderr)
		}
		require.NoError(t, err, "%v\n%s%s", args, out, stderr)
	}
	return string(out)
}

func asExit(err error, target **exec.ExitError) bool {
	exit, ok := err.(*exec.ExitError)
	*target = exit
	return ok
}

// project copies a project from testdata into a folder of its own.
func project(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	return dir
}

func installed(t *testing.T) string {
	t.Helper()
	build, prefix := t.TempDir(), t.TempDir()
	run(t, build, "cmake", "-S", repository(t), "-B", build, "-DCMAKE_INSTALL_PREFIX="+prefix)
	run(t, build, "cmake", "--install", build)
	return prefix
}

// pairWorks lets the project's C writer and C++ reader meet on one page.
func pairWorks(t *testing.T, writer, reader string) {
	t.Helper()
	page := filepath.Join(t.TempDir(), "page")
	run(t, "", writer, page)
	require.Equal(t, "1 from C\n", run(t, "", reader, page))
}

func TestFindPackage(t *testing.T) {
	t.Parallel()
	prefix, dir := installed(t), project(t, "cmake")
	run(t, dir, "cmake", "-S", ".", "-B", "build", "-DCMAKE_PREFIX_PATH="+prefix)
	run(t, dir, "cmake", "--build", "build")
	pairWorks(t, filepath.Join(dir, "build", "writer"), filepath.Join(dir, "build", "reader"))
}

// TestFetchContent takes the folder of this checkout for what would be
// downloaded.
func TestFetchContent(t *testing.T) {
	t.Parallel()
	dir := project(t, "cmake")
	run(t, dir, "cmake", "-S", ".", "-B", "build", "-DFETCH=ON",
		"-DFETCHCONTENT_SOURCE_DIR_SHMKV="+repository(t))
	run(t, dir, "cmake", "--build", "build")
	pairWorks(t, filepath.Join(dir, "build", "writer"), filepath.Join(dir, "build", "reader"))
}

func TestPkgConfig(t *testing.T) {
	t.Parallel()
	prefix, dir := installed(t), project(t, "cmake")
	found, err := filepath.Glob(filepath.Join(prefix, "lib*", "*", "pkgconfig"))
	require.NoError(t, err)
	more, err := filepath.Glob(filepath.Join(prefix, "lib*", "pkgconfig"))
	require.NoError(t, err)
	found = append(found, more...)
	require.Len(t, found, 1)
	script := "PKG_CONFIG_PATH=" + found[0] + "; export PKG_CONFIG_PATH; " +
		"cc -std=c11 $(pkg-config --cflags shmkv) writer.c -o writer && " +
		"c++ -std=c++20 $(pkg-config --cflags shmkv) reader.cpp -o reader"
	run(t, dir, "sh", "-ec", script)
	pairWorks(t, filepath.Join(dir, "writer"), filepath.Join(dir, "reader"))
}

// TestCargoPackage packs the crate, unpacks it elsewhere and builds on that: a
// file that the package forgets would be missed here.
func TestCargoPackage(t *testing.T) {
	t.Parallel()
	crate, dir := t.TempDir(), project(t, "rust")
	require.NoError(t, os.CopyFS(crate, os.DirFS(filepath.Join(repository(t), "generated", "rust"))))
	require.NoError(t, os.RemoveAll(filepath.Join(crate, "target")))
	run(t, crate, "cargo", "package", "--allow-dirty", "--offline", "--target-dir", crate+"/target")
	packed, err := filepath.Glob(filepath.Join(crate, "target", "package", "*.crate"))
	require.NoError(t, err)
	require.Len(t, packed, 1)
	run(t, dir, "tar", "-xzf", packed[0])
	unpacked, err := filepath.Glob(filepath.Join(dir, "shkv2-*"))
	require.NoError(t, err)
	require.Len(t, unpacked, 1)
	require.NoError(t, os.Rename(unpacked[0], filepath.Join(dir, "SHKV2")))
	page := filepath.Join(t.TempDir(), "page")
	require.Equal(t, "1 from Rust\n", run(t, dir, "cargo", "run", "--offline", "-q", "--", page))
}

// TestGoModule takes the folder of this checkout for what go get would bring.
func TestGoModule(t *testing.T) {
	t.Parallel()
	dir := project(t, "go")
	sums, err := os.ReadFile(filepath.Join(repository(t), "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o644))
	run(t, dir, "go", "mod", "init", "example.org/consumer")
	run(t, dir, "go", "mod", "edit", "-require=github.com/shmkv/shmkv@v0.0.0",
		"-replace=github.com/shmkv/shmkv="+repository(t))
	run(t, dir, "go", "list", "-mod=mod", "-deps", ".")
	page := filepath.Join(t.TempDir(), "page")
	require.Equal(t, "1 from Go\n", run(t, dir, "go", "run", ".", page))
}
