package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/generated/go/shkv2"
)

// TestOneSleepPerUpdate: an idle watcher sleeps, and each update wakes it once.
func TestOneSleepPerUpdate(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	p := launch(t, dir, program, "watch", "kv.shm")
	sleepsOn(t, p.pid(), 0)
	before := voluntarySwitches(t, p.pid())
	const updates = 40
	for id := uint32(1); id <= updates; id++ {
		publish(t, w)
		sleepsOn(t, p.pid(), id)
	}
	slept := voluntarySwitches(t, p.pid()) - before
	assert.GreaterOrEqual(t, slept, updates)
	assert.LessOrEqual(t, slept, updates+updates/2)
}

// TestWaitForTheFile: also for one that is made in place, half by half.
func TestWaitForTheFile(t *testing.T) {
	t.Parallel()
	made := filepath.Join(t.TempDir(), "made.shm")
	w, err := shkv2.Create(made)
	require.NoError(t, err)
	publish(t, w)
	require.NoError(t, w.Close())
	image, err := os.ReadFile(made)
	require.NoError(t, err)

	dir := t.TempDir()
	p := launch(t, dir, program, "watch", "kv.shm", "--wait", "--events", "1")
	loops(t, p)
	f, err := os.Create(page(dir))
	require.NoError(t, err)
	defer f.Close()
	loops(t, p)
	require.NoError(t, f.Truncate(4096))
	loops(t, p)
	assert.Empty(t, p.lines, "a page of zeros is no page")
	_, err = f.WriteAt(image[8:], 8)
	require.NoError(t, err)
	loops(t, p)
	assert.Empty(t, p.lines, "a page without its magic is no page")
	_, err = f.WriteAt(image[:8], 0)
	require.NoError(t, err)
	assert.Equal(t, "watch: file=kv.shm events=1", p.line())
	assert.Equal(t, observed(1), p.line())
	p.ends(0, "")
}

// loops waits until a process that looks for its file has looked a few times.
func loops(t *testing.T, p *process) {
	t.Helper()
	n := voluntarySwitches(t, p.pid())
	// More than a program sleeps while it starts, when no handler is there yet.
	const looks = 20
	eventually(t, "looks", func() bool { return voluntarySwitches(t, p.pid()) > n+looks })
}

// TestRestartedWriter: a watcher goes on when another writer continues the page.
func TestRestartedWriter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launch(t, dir, program, "watch", "kv.shm", "--wait", "--events", "24")
	for run := range uint64(3) {
		// As many as the ring keeps: none can be missed.
		launch(t, dir, program, "serve", "kv.shm", "--updates", "8", "--interval-ms", "1").ends(0, "")
		if run == 0 {
			assert.Equal(t, "watch: file=kv.shm events=24", p.line())
		}
		for id := run*8 + 1; id <= run*8+8; id++ {
			assert.Equal(t, observed(id), p.line())
		}
	}
	p.ends(0, "")
}

// TestStuckPage: a writer killed inside a write leaves the word odd. A reader
// says so in bounded time and does not burn the processor meanwhile.
func TestStuckPage(t *testing.T) {
	t.Parallel()
	w, dir := writer(t)
	publish(t, w)
	require.NoError(t, w.Close())
	poke(t, page(dir), 8, 3)
	started := time.Now()
	p := launch(t, dir, program, "watch", "kv.shm")
	p.ends(1, "kv.shm: seqlock read livelocked.*")
	assert.Less(t, time.Since(started), 10*time.Second)
	used := p.cmd.ProcessState.SystemTime() + p.cmd.ProcessState.UserTime()
	assert.Less(t, used, time.Second)

	// The next writer repairs it.
	launch(t, dir, program, "serve", "kv.shm", "--updates", "1", "--interval-ms", "0").ends(0, "")
	p = launch(t, dir, program, "watch", "kv.shm", "--events", "2")
	p.ends(0, "")
	assert.Equal(t, []string{
		"watch: file=kv.shm events=2", observed(1), observed(2), "watch: complete events=2",
	}, p.rest())
}

// poke stores one byte in a file.
func poke(t *testing.T, path string, offset int64, value byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.WriteAt([]byte{value}, offset)
	require.NoError(t, err)
}

// TestTruncatedFile: one line, exit code 1, no trace of a fault.
func TestTruncatedFile(t *testing.T) {
	t.Parallel()
	const lost = "kv.shm: the file was truncated: 0 bytes, want 4096"
	t.Run("watch", func(t *testing.T) {
		t.Parallel()
		_, dir := writer(t)
		p := launch(t, dir, program, "watch", "kv.shm")
		sleepsOn(t, p.pid(), 0)
		started := time.Now()
		require.NoError(t, os.Truncate(page(dir), 0))
		p.ends(1, lost)
		assert.Less(t, time.Since(started), 2*time.Second, "sooner than the sleep of 2 s by itself")
	})
	for name, args := range map[string][]string{
		"serve": {"serve", "kv.shm", "--interval-ms", "5"},
		"bench": {"bench", "kv.shm", "--rounds", "100000000"},
		"mq":    {"bench", "kv.shm", "--rounds", "100000000", "--channel", "mq"},
		"poll":  {"bench", "kv.shm", "--rounds", "100000000", "--channel", "poll"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := launch(t, dir, program, args...)
			grows(t, page(dir))
			require.NoError(t, exec.Command("truncate", "-s", "0", page(dir)).Run())
			p.ends(1, "(bench: .*)?"+lost)
		})
	}
}

// grows waits until a page exists and somebody publishes into it.
func grows(t *testing.T, path string) {
	t.Helper()
	eventually(t, "updates of "+path, func() bool {
		r, err := shkv2.Open(path)
		if err != nil {
			return false
		}
		defer r.Close()
		n, err := r.Segment().ReadCounter(shkv2.Layout().Lock, time.Time{})
		return err == nil && n > 2
	})
}
