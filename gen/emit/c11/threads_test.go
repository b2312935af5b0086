package c11_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/internal/ctest"
)

// TestThreads runs a writer against readers, plainly at both word sizes, and
// under clang's thread sanitizer, which must also find the race of a copy that
// is not atomic.
func TestThreads(t *testing.T) {
	dir := emitted(t, ctest.Shkv2(t))
	sources(t, dir, "threads.c")
	for name, command := range map[string]string{
		"64bit": "gcc -std=gnu11 -O2 -pthread",
		"32bit": "gcc -std=gnu11 -O2 -m32 -pthread",
		"tsan":  "clang -std=gnu11 -O1 -g -pthread -fsanitize=thread",
	} {
		t.Run(name, func(t *testing.T) {
			args := strings.Fields(command)
			if !ctest.Have(t, args[0]) || name == "tsan" && !haveSanitizer(t) {
				return
			}
			program := ctest.Build(t, dir, "threads-"+name, append(args, "threads.c")...)
			out, err := ctest.Run(t, dir, program)
			require.NoError(t, err, "%s", out)
			require.Equal(t, "ok\n", out)
		})
	}
}

// TestRaceIsFound makes the copy a plain one: if the sanitizer stays silent, it
// would not see a real mistake either.
func TestRaceIsFound(t *testing.T) {
	if !ctest.Have(t, "clang") || !haveSanitizer(t) {
		return
	}
	dir := emitted(t, ctest.Shkv2(t))
	sources(t, dir, "threads.c")
	path := dir + "/shmkv/detail/words.h"
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	atomic := "__atomic_load_n((const shmkv_u64 *)shmkv_at(from, i), __ATOMIC_RELAXED)"
	plain := strings.Replace(string(data), atomic, "*(const shmkv_u64 *)shmkv_at(from, i)", 1)
	require.NotEqual(t, string(data), plain)
	require.NoError(t, os.WriteFile(path, []byte(plain), 0o644))
	command := "clang -std=gnu11 -O1 -g -pthread -fsanitize=thread threads.c"
	program := ctest.Build(t, dir, "racy", strings.Fields(command)...)
	out, err := ctest.Run(t, dir, program)
	require.Error(t, err)
	require.Contains(t, out, "WARNING: ThreadSanitizer: data race")
}

// haveSanitizer tells whether clang's thread sanitizer links here. Without it
// the test fails, unless SHMKV_NARROW names tsan.
func haveSanitizer(t *testing.T) bool {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "main.c", "int main(void) { return 0; }\n")
	out, err := ctest.Run(t, dir, "clang", "-fsanitize=thread", "main.c", "-o", "main")
	if err == nil {
		return true
	}
	if strings.Contains(os.Getenv("SHMKV_NARROW"), "tsan") {
		t.Logf("NARROWED: no thread sanitizer, as SHMKV_NARROW says")
		return false
	}
	t.Errorf("clang -fsanitize=thread does not link (Debian: libclang-rt-14-dev); "+
		"install it, or set SHMKV_NARROW=tsan to do without\n%s", out)
	return false
}
