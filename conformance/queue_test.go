package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func queueName(pid int) string { return fmt.Sprintf("shmkv-bench-%d", pid) }

// queueExists asks the kernel: message queues need not be mounted.
func queueExists(t *testing.T, pid int) bool {
	t.Helper()
	fd, err := openQueue(queueName(pid), unix.O_RDONLY)
	if err == nil {
		require.NoError(t, unix.Close(fd))
		return true
	}
	require.ErrorIs(t, err, os.ErrNotExist)
	return false
}

func openQueue(name string, flags int) (fd int, err error) {
	text, err := unix.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	r, errno := mqOpen(text, flags, 0o600)
	if errno != 0 {
		return -1, errno
	}
	return r, nil
}

func queueGone(t *testing.T, pid int) {
	t.Helper()
	eventually(t, "the end of the queue", func() bool { return !queueExists(t, pid) })
}

// endless are the arguments of a bench that does not end by itself.
func endless(channel string) []string {
	return []string{"bench", "kv.shm", "--rounds", "100000000", "--channel", channel}
}

// TestQueueIsRemoved: no queue is left by a bench that ends, is stopped, or is
// killed: there, its other half removes it, or the next bench.
func TestQueueIsRemoved(t *testing.T) {
	t.Parallel()
	for _, p := range here() {
		t.Run(p.name+"/end", func(t *testing.T) {
			t.Parallel()
			b := launch(t, t.TempDir(), p, "bench", "kv.shm", "--rounds", "5", "--channel", "mq,futex")
			assert.Len(t, b.rest(), 2)
			b.ends(0, "")
			assert.False(t, queueExists(t, b.pid()))
		})
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			t.Run(p.name+"/"+unix.SignalName(signal), func(t *testing.T) {
				t.Parallel()
				b := launch(t, t.TempDir(), p, endless("mq")...)
				grows(t, file(b.cmd.Dir))
				require.True(t, queueExists(t, b.pid()), "the premise: a queue, named without a slash")
				b.signal(signal)
				b.ends(1, ".+")
				assert.False(t, queueExists(t, b.pid()))
			})
		}
		t.Run(p.name+"/SIGKILL", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			b := launch(t, dir, p, endless("mq")...)
			grows(t, file(dir))
			others := descendants(b.pid())
			b.signal(syscall.SIGKILL)
			<-b.done
			for _, pid := range others {
				eventually(t, "the end of the other half", func() bool { return ended(pid) })
			}
			launch(t, dir, p, "bench", "kv.shm", "--rounds", "1", "--channel", "mq").ends(0, "")
			queueGone(t, b.pid())
		})
	}
}

// TestLeftQueue: the next bench removes the queue of a process that is no more,
// wherever message queues are mounted. That of a living one stays.
func TestLeftQueue(t *testing.T) {
	t.Parallel()
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dead := exec.Command("true")
			require.NoError(t, dead.Run())
			living := exec.Command("sleep", "1000")
			require.NoError(t, living.Start())
			t.Cleanup(func() { _, _ = living.Process.Kill(), living.Wait() })
			for _, pid := range []int{dead.Process.Pid, living.Process.Pid} {
				fd, err := openQueue(queueName(pid), unix.O_RDWR|unix.O_CREAT|unix.O_EXCL)
				require.NoError(t, err)
				require.NoError(t, unix.Close(fd))
				t.Cleanup(func() { unlinkQueue(t, queueName(pid)) })
			}
			prefix := mounted(t)
			if prefix == nil {
				return
			}
			command := append(prefix, p.command(t, "bench", "kv.shm", "--rounds", "1")...)
			start(t, t.TempDir(), command...).ends(0, "")
			assert.False(t, queueExists(t, dead.Process.Pid), "the queue of a dead process")
			assert.True(t, queueExists(t, living.Process.Pid), "the queue of a living process")
		})
	}
}

// mounted returns what starts a command where message queues are mounted: in a
// mount namespace of its own, unless they are anyway.
func mounted(t *testing.T) (prefix []string) {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	require.NoError(t, err)
	if strings.Contains(string(mounts), " - mqueue ") {
		return []string{"env"}
	}
	dir := filepath.Join(t.TempDir(), "message queues") // with a space, which mountinfo escapes
	require.NoError(t, os.Mkdir(dir, 0o700))
	prefix = []string{
		"unshare", "--mount", "bash", "-c", `mount -t mqueue none "$0" && exec "$@"`, dir,
	}
	out, err := exec.Command(prefix[0], append(prefix[1:], "true")...).CombinedOutput()
	if err == nil {
		return prefix
	}
	if !narrowed("message queues in "+t.Name(), "mqueue") {
		t.Fatalf("message queues are not mounted and can not be, "+
			"SHMKV_NARROW=mqueue to do without: %s", out)
	}
	return nil
}

func unlinkQueue(t *testing.T, name string) {
	text, err := unix.BytePtrFromString(name)
	require.NoError(t, err)
	if errno := mqUnlink(text); errno != 0 && !errors.Is(errno, os.ErrNotExist) {
		t.Errorf("mq_unlink %s: %v", name, errno)
	}
}

// descendants of a process.
func descendants(pid int) (all []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	for _, field := range strings.Fields(string(text)) {
		var child int
		_, _ = fmt.Sscan(field, &child)
		all = append(append(all, child), descendants(child)...)
	}
	return all
}

// ended tells whether a process is no more, or only waits to be asked for its end.
func ended(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(text), ") Z ")
}
