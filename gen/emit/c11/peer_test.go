package c11_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen/internal/ctest"
)

// Exit codes of the peer: ten and the code of the library.
const (
	exitNotFound   = 11
	exitNotRegular = 12
	exitBadMagic   = 13
	exitWrongSize  = 14
	exitLocked     = 19
	exitTruncated  = 23
	exitTimedOut   = 24
	exitNoSpace    = 27
)

// peer builds the test peer in strict C11, which hides what is not ISO C.
func peer(t *testing.T, flags ...string) string {
	t.Helper()
	dir := emitted(t, ctest.Shkv2(t))
	sources(t, dir, "peer.c")
	command := append([]string{"gcc", "-std=c11", "-O2", "peer.c"}, flags...)
	return ctest.Build(t, dir, "peer", command...)
}

// running is a peer in the background.
type running struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err *strings.Builder
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command(args[0], args[1:]...), err: &strings.Builder{}}
	var err error
	r.in, err = r.StdinPipe()
	require.NoError(t, err)
	out, err := r.StdoutPipe()
	require.NoError(t, err)
	r.out, r.Stderr = bufio.NewReader(out), r.err
	require.NoError(t, r.Start())
	t.Cleanup(func() { _ = r.Process.Kill(); _ = r.Wait() })
	return r
}

// line reads the next line of output.
func (r *running) line(t *testing.T) string {
	t.Helper()
	line, err := r.out.ReadString('\n')
	require.NoError(t, err, "%s", r.err)
	return strings.TrimSuffix(line, "\n")
}

// fails runs a peer that must end with an exit code and a message.
func fails(t *testing.T, code int, message string, args ...string) {
	t.Helper()
	out, err := ctest.Run(t, ".", args...)
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	assert.Equal(t, code, exit.ExitCode(), "%s", out)
	assert.Contains(t, out, message)
	assert.Equal(t, 1, strings.Count(out, "\n"), "one line: %s", out)
}

func runs(t *testing.T, args ...string) string {
	t.Helper()
	out, err := ctest.Run(t, ".", args...)
	require.NoError(t, err, "%s", out)
	return out
}

// TestWatch lets two processes meet, 64-bit and 32-bit in each order: every
// update arrives, and within milliseconds.
func TestWatch(t *testing.T) {
	wide, narrow := peer(t), peer(t, "-m32")
	for _, pair := range [][2]string{{wide, wide}, {wide, narrow}, {narrow, wide}} {
		file := filepath.Join(t.TempDir(), "kv")
		runs(t, pair[0], "serve", file, "3", "0")
		w := start(t, pair[1], "watch", file, "13", "5000")
		require.Equal(t, "watching", w.line(t))
		for i := 1; i <= 3; i++ {
			require.Equal(t, fmt.Sprintf("%d 0 k%d=value-%d", i, i, i), w.line(t))
		}
		s := start(t, pair[0], "serve", file, "10", "20")
		began := time.Now()
		for i := 4; i <= 13; i++ {
			require.Equal(t, fmt.Sprintf("%d 0 k%d=value-%d", i, i, i), w.line(t))
		}
		assert.Less(t, time.Since(began), 1500*time.Millisecond) // a lost wake would cost 2 s
		require.NoError(t, s.Wait())
		require.NoError(t, w.Wait())
	}
}

// TestGap lets a watcher come late: what the ring lost is counted.
func TestGap(t *testing.T) {
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	runs(t, p, "serve", file, "20", "0")
	out := runs(t, p, "watch", file, "8", "1000")
	want := "watching\n13 12 k13=value-13\n14 0 k14=value-14\n"
	assert.True(t, strings.HasPrefix(out, want), "%s", out)
	late := start(t, p, "watch", file, "9", "100")
	_ = late.Wait()
	assert.Equal(t, exitTimedOut, late.ProcessState.ExitCode())
	assert.Equal(t, "peer: "+file+": timed out\n", late.err.String())
}

// TestLock holds the lock in one process and asks for it in others.
func TestLock(t *testing.T) {
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	first := start(t, p, "hold", file)
	require.Equal(t, "holding 0", first.line(t))
	fails(t, exitLocked, file+": another writer holds the lock", p, "create", file, "600")
	assert.Equal(t, "alive 1\n", runs(t, p, "open", file)) // opening and closing drops no lock
	fails(t, exitLocked, "lock", p, "create", file, "600")
	require.NoError(t, first.Process.Kill())
	_ = first.Wait()
	assert.Equal(t, "alive 0\n", runs(t, p, "open", file))
	second := start(t, p, "hold", file)
	require.Equal(t, "holding 0", second.line(t))
	require.NoError(t, second.in.Close())
	require.NoError(t, second.Wait())
	runs(t, p, "create", file, "600")
}

// TestKillStorm kills a writer at full speed, again and again; the next one
// always continues, and the page stays sound.
func TestKillStorm(t *testing.T) {
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	for i := range 30 {
		s := start(t, p, "serve", file, "100000000", "0")
		time.Sleep(time.Duration(2+i%5) * time.Millisecond)
		require.NoError(t, s.Process.Kill())
		_ = s.Wait()
		require.Empty(t, s.err.String())
	}
	runs(t, p, "create", file, "600")
	for line := range strings.Lines(runs(t, p, "watch", file, "7", "1000")) {
		var id, missed, key, value uint64
		if n, _ := fmt.Sscanf(line, "%d %d k%d=value-%d", &id, &missed, &key, &value); n == 4 {
			assert.Equal(t, [2]uint64{id, id}, [2]uint64{key, value}, "%s", line)
		}
	}
}

// TestRefusals opens and creates what is no page.
func TestRefusals(t *testing.T) {
	p, dir := peer(t), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	runs(t, p, "create", at("good"), "600")
	require.NoError(t, os.Symlink("good", at("link")))
	require.NoError(t, os.Symlink("nowhere", at("dangling")))
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	socket, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer socket.Close()
	write(t, dir, "short", "SHKV2\x00\x00\x00")
	write(t, dir, "empty", "")
	write(t, dir, "zeros", strings.Repeat("\x00", 4096))
	write(t, dir, "long", "SHKV2"+strings.Repeat("\x00", 4097))
	for _, verb := range [][]string{{"open"}, {"create", "600"}} {
		for _, c := range []struct {
			name string
			code int
			want string
		}{
			{at("link"), exitNotRegular, "is a symbolic link"},
			{at("dangling"), exitNotRegular, "is a symbolic link"},
			{at("fifo"), exitNotRegular, "is a FIFO"},
			{at("socket"), exitNotRegular, "is a socket"},
			{dir, exitNotRegular, "is a folder"},
			{"/dev/zero", exitNotRegular, "is a device"},
			{at("short"), exitWrongSize, "wrong size: 8 bytes, want 4096"},
			{at("empty"), exitWrongSize, "wrong size: 0 bytes, want 4096"},
			{at("long"), exitWrongSize, "wrong size: 4102 bytes, want 4096"},
			{at("zeros"), exitBadMagic, "bad magic (want SHKV2)"},
			{at("no/such"), exitNotFound, "No such file"},
		} {
			args := append([]string{p, verb[0], c.name}, verb[1:]...)
			fails(t, c.code, c.name+": ", args...)
			fails(t, c.code, c.want, args...)
		}
	}
	fails(t, exitNotFound, "No such file", p, "open", at("missing"))
	left, err := filepath.Glob(at(".*"))
	require.NoError(t, err)
	assert.Empty(t, left, "a temporary file was left behind")
}

// TestMode creates with a mode that the umask would take bits of.
func TestMode(t *testing.T) {
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	runs(t, "sh", "-c", "umask 077; exec "+p+" create "+file+" 644")
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o644), info.Mode())
	runs(t, p, "serve", file+"2", "1", "0")
	info, err = os.Stat(file + "2")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
}

// TestTruncated cuts the file under a watcher: one line, soon, and no fault.
func TestTruncated(t *testing.T) {
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	runs(t, p, "create", file, "600")
	w := start(t, p, "watch", file, "1", "10000")
	require.Equal(t, "watching", w.line(t))
	time.Sleep(50 * time.Millisecond)
	began := time.Now()
	require.NoError(t, os.Truncate(file, 0))
	_ = w.Wait()
	assert.Equal(t, exitTruncated, w.ProcessState.ExitCode(), "%s", w.err)
	assert.Contains(t, w.err.String(), "truncated")
	assert.Less(t, time.Since(began), 2500*time.Millisecond)
}

// TestFull creates on a file system without room: an error, and no file.
func TestFull(t *testing.T) {
	p, dir := peer(t), t.TempDir()
	mount := []string{"mount", "-t", "tmpfs", "-o", "size=8k", "none", dir}
	if out, err := ctest.Run(t, dir, mount...); err != nil {
		if strings.Contains(os.Getenv("SHMKV_NARROW"), "mount") {
			t.Skipf("NARROWED: no tmpfs can be mounted: %s", out)
		}
		t.Fatalf("mounting needs root, or SHMKV_NARROW=mount to do without: %s", out)
	}
	defer func() { _, _ = ctest.Run(t, "/", "umount", dir) }()
	write(t, dir, "filler", strings.Repeat("x", 8192))
	fails(t, exitNoSpace, "No space left", p, "create", filepath.Join(dir, "kv"), "600")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoError(t, os.Remove(filepath.Join(dir, "filler")))
	runs(t, p, "create", filepath.Join(dir, "kv"), "600")
	write(t, dir, "sparse", "") // a hole that the full file system could not fill
	require.NoError(t, os.Remove(filepath.Join(dir, "kv")))
	write(t, dir, "sparse", "SHKV2")
	require.NoError(t, os.Truncate(filepath.Join(dir, "sparse"), 4096))
	runs(t, p, "create", filepath.Join(dir, "sparse"), "600")
}

// TestSystemCalls looks at a watcher and a server from outside.
func TestSystemCalls(t *testing.T) {
	if !ctest.Have(t, "strace") {
		return
	}
	p, file := peer(t), filepath.Join(t.TempDir(), "kv")
	trace := filepath.Join(t.TempDir(), "trace")
	runs(t, p, "create", file, "600")
	w := start(t, "strace", "-f", "-e", "trace=futex", "-o", trace, p, "watch", file, "3", "30000")
	require.Equal(t, "watching", w.line(t))
	out := runs(t, "strace", "-f", "-e", "trace=futex", p, "serve", file, "3", "100")
	require.NoError(t, w.Wait())
	// One at once, for a wake that a killed writer may have lost, and one per update.
	assert.Equal(t, 4, strings.Count(out, "00c, FUTEX_WAKE, 2147483647) = 1"), "%s", out)
	waits, err := os.ReadFile(trace)
	require.NoError(t, err)
	for i := range 3 {
		want := fmt.Sprintf("00c, FUTEX_WAIT, %d, {tv_sec=2, tv_nsec=0}) = 0", i)
		assert.Contains(t, string(waits), want)
	}
	assert.NotContains(t, string(waits)+out, "PRIVATE")
}
