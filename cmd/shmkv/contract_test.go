package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/internal/arg"
)

// TestGoldenImage compares the page with the contract's picture of it.
func TestGoldenImage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	launch(t, dir, program, "serve", "kv.shm", "--updates", "6", "--interval-ms", "10").ends(0, "")

	want, err := hex.DecodeString(strings.ReplaceAll(
		"53 48 4b 56 32 00 00 00  0c 00 00 00  06 00 00 00"+
			"06 00 00 00 00 00 00 00", " ", ""))
	require.NoError(t, err)
	want = append(want, make([]byte, 40)...)
	for id := 1; id <= 6; id++ {
		slot := make([]byte, 64)
		copy(slot, fmt.Sprintf("k%d", id))
		copy(slot[24:], fmt.Sprintf("value-%d", id))
		want = append(want, slot...)
	}
	want = append(want, make([]byte, 2*64)...)
	require.Len(t, want, 576)

	image, err := os.ReadFile(page(dir))
	require.NoError(t, err)
	require.Len(t, image, 4096)
	assert.Equal(t, hex.Dump(want), hex.Dump(image[:576]))
	assert.True(t, bytes.Equal(image[576:], make([]byte, 3520)), "the rest of the page is zero")
}

func TestModeOfTheFile(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]os.FileMode{
		"": 0o600, "--mode=644": 0o644, "--mode=0666": 0o666,
	} {
		dir := t.TempDir()
		script := "umask 027; exec shmkv serve kv.shm --updates 1 --interval-ms 0 " + args
		launch(t, dir, "bash", "-c", script).ends(0, "")
		info, err := os.Stat(page(dir))
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), args)
	}
}

// TestLinesComeAtOnce: a pipe must not hold lines back until it is full.
func TestLinesComeAtOnce(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	const script = "shmkv watch kv.shm --events 3"
	for _, script := range []string{script, script + " | cat"} {
		before := counter(t, w)
		p := launch(t, dir, "bash", "-c", script)
		assert.Equal(t, "watch: file=kv.shm events=3", p.line())
		if before == 0 {
			for id := uint64(1); id <= 3; id++ {
				publish(t, w)
				assert.Equal(t, observed(id), p.line())
			}
		}
		p.ends(0, "")
	}
}

// TestClosedPipe: whoever reads may leave, also while nothing happens.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	for _, c := range []struct {
		name, script string
		events       int // before the start
	}{
		{"waiting", "shmkv watch kv.shm | head -1", 0},
		{"waiting for a file", "shmkv watch --wait nope.shm | true", 0},
		{"writing", "shmkv watch kv.shm --events 8 | head -2", 8},
		{"json", "shmkv watch kv.shm --json | head -1", 0},
		{"bench", "shmkv bench own.shm --rounds 100000000 --channel mq | true", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range c.events {
				publish(t, w)
			}
			p := launch(t, dir, "bash", "-c", "set -o pipefail; "+c.script)
			p.finish()
			assert.Empty(t, p.stderr.String())
			// Not finished, and nobody is left to be told.
			assert.Contains(t, []int{0, 1}, p.cmd.ProcessState.ExitCode())
		})
	}
}

// TestClosedNotes: whoever reads standard error may leave too, and the lines of
// the updates go on.
func TestClosedNotes(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	for range 20 {
		publish(t, w)
	}
	r, closed, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	defer closed.Close()
	cmd := exec.Command(program, "watch", "kv.shm", "--events", "8") // which tells of 12 lost ones
	cmd.Stderr = closed
	p := start(t, dir, cmd)
	p.ends(0, "")
	assert.Len(t, p.rest(), 10)

	cmd = exec.Command(program, "watch", "kv.shm", "--events", "9", "--timeout", "10ms")
	cmd.Stderr = closed
	start(t, dir, cmd).ends(1, "") // and not by a signal
}

// TestDeadline of the contract: 30 s while --events is given.
func TestDeadline(t *testing.T) {
	t.Parallel()
	none, short := arg.Timeout(0), arg.Timeout(time.Second)
	assert.Equal(t, 30*time.Second, (&watchCmd{Events: 1}).timeout())
	assert.Zero(t, (&watchCmd{}).timeout())
	assert.Zero(t, (&watchCmd{Events: 1, Timeout: &none}).timeout())
	assert.Equal(t, time.Second, (&watchCmd{Events: 1, Timeout: &short}).timeout())
	assert.Equal(t, time.Second, (&watchCmd{Timeout: &short}).timeout())
}

// TestNoColour: not even where colours are asked for.
func TestNoColour(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	publish(t, w)
	for _, env := range []string{"NO_COLOR=1", "CLICOLOR_FORCE=1", "FORCE_COLOR=1"} {
		for _, args := range [][]string{
			{"watch", "kv.shm", "--events", "1"}, {"--help"}, {"watch", "nope"},
		} {
			cmd := exec.Command(program, args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), env)
			out, err := cmd.CombinedOutput()
			assert.LessOrEqual(t, exitCode(err), 1)
			assert.NotContains(t, string(out), "\x1b", "%v %v", env, args)
		}
	}
}
