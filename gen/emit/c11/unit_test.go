package c11_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/internal/ctest"
)

// sources copies a test program beside the headers it includes.
func sources(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		require.NoError(t, err)
		write(t, dir, name, string(data))
	}
}

// TestUnit runs the checks that one process can make, as 64-bit and 32-bit
// programs, at both ends of optimisation, and under the sanitizers.
func TestUnit(t *testing.T) {
	dir := emitted(t, ctest.Shkv2(t), ctest.Parse(t, ctest.Pose), ctest.Parse(t, ctest.Waiters))
	sources(t, dir, "unit.c")
	for name, command := range map[string]string{
		"gcc":       "gcc -std=gnu11 -O2",
		"clang":     "clang -std=gnu11 -O0",
		"32bit":     "gcc -std=gnu11 -O2 -m32",
		"sanitized": "gcc -std=gnu11 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(command)
			if !ctest.Have(t, args[0]) {
				return
			}
			program := ctest.Build(t, dir, "unit-"+name, append(args, "unit.c")...)
			out, err := ctest.Run(t, dir, program, t.TempDir())
			require.NoError(t, err, "%s", out)
			require.Equal(t, "ok\n", out)
		})
	}
}
