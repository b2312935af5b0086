package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/internal/bench"
	"github.com/shmkv/shmkv/runtime/mq"
)

// TestKilledServer: whatever kill -9 leaves, the next server goes on from there.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for run := range 10 {
		p := launch(t, dir, program, "serve", "kv.shm", "--interval-ms", "0")
		if run == 0 {
			grows(t, page(dir))
		}
		time.Sleep(time.Duration(run) * 3 * time.Millisecond) // anywhere between start and full speed
		p.signal(unix.SIGKILL)
		<-p.done
		launch(t, dir, program, "serve", "kv.shm", "--updates", "1", "--interval-ms", "0").ends(0, "")
		w := launch(t, dir, program, "watch", "kv.shm", "--timeout", "10ms")
		<-w.done
		lines := w.rest()[1:]
		require.NotEmpty(t, lines)
		for _, line := range lines {
			var id uint64
			_, err := fmt.Sscanf(line, "observed update %d:", &id)
			require.NoError(t, err)
			assert.Equal(t, observed(id), line)
		}
	}
}

// TestSecondServer: one writer, whoever else opens and closes the file.
func TestSecondServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := launch(t, dir, program, "serve", "kv.shm", "--interval-ms", "1")
	grows(t, page(dir))
	for range 3 {
		launch(t, dir, program, "serve", "kv.shm").ends(1, "kv.shm: another writer holds the lock")
		w := launch(t, dir, program, "watch", "kv.shm", "--events", "1")
		assert.Contains(t, append(w.rest(), ""), "watch: complete events=1")
	}
	p.signal(unix.SIGTERM)
	p.ends(0, "")
	launch(t, dir, program, "serve", "kv.shm", "--updates", "1", "--interval-ms", "0").ends(0, "")
}

// endlessBench starts a bench that does not end by itself.
func endlessBench(t *testing.T, channel string) *process {
	t.Helper()
	return launch(t, t.TempDir(), program,
		"bench", "kv.shm", "--rounds", "100000000", "--channel", channel)
}

// consumerOf waits for the consumer of a bench that is at work.
func consumerOf(t *testing.T, p *process) (pid int) {
	t.Helper()
	grows(t, page(p.cmd.Dir))
	eventually(t, "a consumer", func() bool {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", p.pid()))
		_, err := fmt.Sscan(string(text), &pid)
		return err == nil
	})
	return pid
}

// queueGone waits until there is no queue of a process.
func queueGone(t *testing.T, pid int) {
	t.Helper()
	eventually(t, "the end of the queue", func() bool {
		q, err := mq.Open(fmt.Sprintf("shmkv-bench-%d", pid))
		if err == nil {
			require.NoError(t, q.Close())
			return false
		}
		require.ErrorIs(t, err, fs.ErrNotExist)
		return true
	})
}

// TestKilledBench: neither half of a row outlives the other, nor does a queue.
func TestKilledBench(t *testing.T) {
	t.Parallel()
	for _, channel := range bench.Names() {
		t.Run("consumer of "+channel, func(t *testing.T) {
			t.Parallel()
			p := endlessBench(t, channel)
			require.NoError(t, unix.Kill(consumerOf(t, p), unix.SIGKILL))
			p.ends(1, "bench: "+channel+": the consumer is gone: signal: killed")
			queueGone(t, p.pid())
		})
		t.Run("producer of "+channel, func(t *testing.T) {
			t.Parallel()
			p := endlessBench(t, channel)
			consumer := consumerOf(t, p)
			p.signal(unix.SIGKILL)
			<-p.done
			eventually(t, "the end of the consumer", func() bool {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", consumer))
				return err != nil || strings.Contains(string(text), ") Z ") // nobody may wait for it here
			})
			queueGone(t, p.pid())
		})
	}
}

// TestLeftQueue: when both halves are killed at once, the next bench removes
// what they left, wherever message queues are mounted. A live one's stays.
func TestLeftQueue(t *testing.T) {
	t.Parallel()
	if !mountQueues(t) {
		return
	}
	live := endlessBench(t, "mq")
	consumerOf(t, live)
	p := endlessBench(t, "mq")
	consumer := consumerOf(t, p)
	// Stopped first, or else the consumer would still tidy up.
	require.NoError(t, unix.Kill(consumer, unix.SIGSTOP))
	p.signal(unix.SIGKILL)
	require.NoError(t, unix.Kill(consumer, unix.SIGKILL))
	<-p.done
	q, err := mq.Open(fmt.Sprintf("shmkv-bench-%d", p.pid()))
	require.NoError(t, err, "the premise: a queue is left")
	require.NoError(t, q.Close())

	launch(t, t.TempDir(), program, "bench", "kv.shm", "--rounds", "1").ends(0, "")
	queueGone(t, p.pid())
	q, err = mq.Open(fmt.Sprintf("shmkv-bench-%d", live.pid()))
	require.NoError(t, err, "the queue of a bench at work")
	require.NoError(t, q.Close())
	live.signal(unix.SIGINT)
	live.ends(1, "bench: mq: stopped by SIGINT: .*")
	queueGone(t, live.pid())
}

// mountQueues makes sure that message queues are mounted somewhere.
func mountQueues(t *testing.T) bool {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	if strings.Contains(string(mounts), " - mqueue ") {
		return true
	}
	dir := filepath.Join(t.TempDir(), "message queues") // with a space, which mountinfo escapes
	require.NoError(t, os.Mkdir(dir, 0o700))
	if err := unix.Mount("mqueue", dir, "mqueue", 0, ""); err != nil {
		narrowed(t, "mqueue", "message queues are not mounted and can not be: "+err.Error())
		return false
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, 0)) })
	return true
}

// TestTwoBenches: each has a queue and a page of its own.
func TestTwoBenches(t *testing.T) {
	t.Parallel()
	var both []*process
	for range 2 {
		both = append(both, launch(t, t.TempDir(), program,
			"bench", "kv.shm", "--rounds", "300", "--channel", "mq,futex"))
	}
	for _, p := range both {
		p.ends(0, "")
		assert.Regexp(t, `^bench: channel=mq rounds=300 .*\nbench: channel=futex rounds=300 .*$`,
			strings.Join(p.rest(), "\n"))
		queueGone(t, p.pid())
	}
}
