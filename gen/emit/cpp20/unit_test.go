package cpp20_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/internal/ctest"
	"github.com/shmkv/shmkv/gen/layout"
)

// sources copies test programs beside the headers they include.
func sources(t *testing.T, dir string, paths ...string) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		write(t, dir, filepath.Base(path), string(data))
	}
}

// layouts are those that the test programs use.
func layouts(t *testing.T) []*layout.Layout {
	t.Helper()
	everything, err := os.ReadFile("../../testdata/ok/everything/layout.yaml")
	require.NoError(t, err)
	return []*layout.Layout{
		ctest.Shkv2(t), ctest.Parse(t, ctest.Pose), ctest.Parse(t, ctest.Waiters),
		ctest.Parse(t, ctest.LongRing), ctest.Parse(t, string(everything)),
	}
}

// TestUnit runs the checks that one process can make, of two units linked
// together, as 64-bit and 32-bit programs and under the sanitizers.
func TestUnit(t *testing.T) {
	dir := emitted(t, layouts(t)...)
	sources(t, dir, "testdata/unit.cc", "testdata/other.cc")
	for name, command := range map[string]string{
		"clang":     "clang++ -std=c++20 -O2 -pthread",
		"32bit":     "g++ -std=c++20 -O0 -m32 -pthread",
		"sanitized": "g++ -std=c++20 -O1 -pthread -fsanitize=address,undefined -fno-sanitize-recover=all",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(command)
			if !ctest.Have(t, args[0]) {
				return
			}
			program := ctest.Build(t, dir, "unit-"+name, append(args, "unit.cc", "other.cc")...)
			out, err := ctest.Run(t, dir, program, t.TempDir())
			require.NoError(t, err, "%s", out)
			require.Equal(t, "ok\n", out)
		})
	}
}

// TestPeers lets C and C++ meet in two processes, in each order.
func TestPeers(t *testing.T) {
	dir := emitted(t, ctest.Shkv2(t))
	sources(t, dir, "testdata/peer.cc", "../c11/testdata/peer.c")
	cpp := ctest.Build(t, dir, "cpp", "g++", "-std=c++20", "-O1", "peer.cc")
	c := ctest.Build(t, dir, "c", "gcc", "-std=c11", "-O1", "peer.c")
	for _, pair := range [][2]string{{cpp, cpp}, {cpp, c}, {c, cpp}} {
		file := filepath.Join(t.TempDir(), "kv")
		serve := func(interval string) {
			out, err := ctest.Run(t, dir, pair[0], "serve", file, "5", interval)
			require.NoError(t, err, "%s", out)
		}
		serve("0")
		watcher := exec.Command(pair[1], "watch", file, "10", "5000")
		pipe, err := watcher.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, watcher.Start())
		lines := bufio.NewScanner(pipe)
		require.True(t, lines.Scan())
		require.Equal(t, "watching", lines.Text())
		began := time.Now()
		serve("20")
		for i := 1; i <= 10; i++ {
			require.True(t, lines.Scan())
			require.Equal(t, fmt.Sprintf("%d 0 k%d=value-%d", i, i, i), lines.Text())
		}
		require.NoError(t, watcher.Wait())
		assert.Less(t, time.Since(began), 1500*time.Millisecond) // a lost wake would cost 2 s
	}
}
