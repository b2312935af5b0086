package pagetest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// childEnv names the part that a re-executed test binary plays.
const childEnv = "SHMKV_TEST_CHILD"

// Main runs the tests, or, in a child started by Start, the part it was asked to
// play: a function that gets the arguments and prints lines to its parent.
func Main(m *testing.M, parts map[string]func(args []string)) {
	if spec := os.Getenv(childEnv); spec != "" {
		words := strings.Split(spec, "\x1f")
		parts[words[0]](words[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Child is a process that plays a part.
type Child struct {
	t     testing.TB
	cmd   *exec.Cmd
	lines chan string
}

// Start runs a part in a process of its own, which is killed when the test ends.
func Start(t testing.TB, part string, args ...string) *Child {
	t.Helper()
	return StartIn(t, 0, part, args...)
}

// StartIn is Start in new namespaces, such as unix.CLONE_NEWIPC.
func StartIn(t testing.TB, namespaces uintptr, part string, args ...string) *Child {
	t.Helper()
	c := &Child{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string, 64)}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces}
	words := append([]string{part}, args...)
	c.cmd.Env = append(os.Environ(), childEnv+"="+strings.Join(words, "\x1f"))
	c.cmd.Stderr = os.Stderr
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			c.lines <- s.Text()
		}
	}()
	t.Cleanup(c.Kill)
	return c
}

// Line returns the next line the child prints; "" when it has ended. A child
// that says nothing for 20 seconds fails the test.
func (c *Child) Line() string {
	c.t.Helper()
	select {
	case line := <-c.lines:
		return line
	case <-time.After(20 * time.Second):
		c.t.Fatal("the child process says nothing")
		return ""
	}
}

// Kill kills the child with SIGKILL, if it still runs, and reaps it.
func (c *Child) Kill() {
	if c.cmd.ProcessState == nil {
		_ = c.cmd.Process.Kill()
		for range c.lines { // until the pipe ends: Wait would close it under the reader
		}
		_ = c.cmd.Wait()
	}
}

// PID returns the child's process id.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Say prints one line from a child to its parent.
func Say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// Storm sends SIGURG to every thread of this process, a thousand times a second
// each, until the test ends.
func Storm(t testing.TB) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
			select {
			case <-stop:
				tick.Stop()
				return
			default:
			}
			threads, _ := os.ReadDir("/proc/self/task")
			for _, thread := range threads {
				var tid int
				if _, err := fmt.Sscan(thread.Name(), &tid); err == nil {
					_ = unix.Tgkill(unix.Getpid(), tid, unix.SIGURG)
				}
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-done
	})
}

// CPU returns the processor time this process has used.
func CPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Spawn runs a part in a process that nobody waits for and that outlives its
// parent; it returns the process id.
func Spawn(part string) (pid int, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+part)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	return cmd.Process.Pid, nil
}
