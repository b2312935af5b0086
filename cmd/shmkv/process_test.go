package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/generated/go/shkv2"
)

// patience bounds what should take milliseconds, on a host however busy. No test
// passes because of it.
const patience = 20 * time.Second

// need fails a test whose tool is missing, unless SHMKV_NARROW names the tool.
func need(t *testing.T, tool string) (there bool) {
	t.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return true
	}
	narrowed(t, tool, tool+" is not installed")
	return false
}

// narrowed fails for a thing that is missing, unless SHMKV_NARROW names it.
func narrowed(t *testing.T, thing, why string) {
	t.Helper()
	separator := func(r rune) bool { return r == ',' || r == ' ' }
	names := strings.FieldsFunc(os.Getenv("SHMKV_NARROW"), separator)
	if !slices.Contains(names, thing) {
		t.Fatalf("%s; set SHMKV_NARROW=%s to do without", why, thing)
	}
	t.Logf("NARROWED: %s", why)
}

// process is a running command.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  chan string // of standard output; closed at its end
	stderr bytes.Buffer
	done   chan struct{} // closed when it has ended
}

// launch starts a command in a directory. It is killed at the latest when the
// test ends.
func launch(t *testing.T, dir, name string, args ...string) *process {
	t.Helper()
	return start(t, dir, exec.Command(name, args...))
}

// start is launch for a command that is made up already, apart from its output.
func start(t *testing.T, dir string, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, lines: make(chan string, 1<<16), done: make(chan struct{})}
	cmd.Dir = dir
	if cmd.Stderr == nil {
		cmd.Stderr = &p.stderr
	}
	// A group, so that a shell's children end with it.
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		p.kill()
		<-p.done
	})
	go func() {
		for s := bufio.NewScanner(stdout); s.Scan(); {
			p.lines <- s.Text()
		}
		close(p.lines)
		_ = cmd.Wait()
		close(p.done)
	}()
	return p
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) signal(s unix.Signal) { require.NoError(p.t, p.cmd.Process.Signal(s)) }

// kill ends what is left of the process and its children.
func (p *process) kill() { _ = unix.Kill(-p.pid(), unix.SIGKILL) }

// line returns the next line of standard output.
func (p *process) line() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.fatal("no more lines")
		}
		return line
	case <-time.After(patience):
		p.fatal("no line")
	}
	return ""
}

// rest returns all further lines, up to the end.
func (p *process) rest() []string {
	var lines []string
	for line := range p.lines {
		lines = append(lines, line)
	}
	return lines
}

// ends waits for the end and checks the exit code and standard error: nothing,
// or one line behind the program's name.
func (p *process) ends(code int, stderr string) {
	p.t.Helper()
	p.finish()
	require.Equal(p.t, code, p.cmd.ProcessState.ExitCode(), "%v: %s", p.cmd.Args, &p.stderr)
	if stderr == "" {
		require.Empty(p.t, p.stderr.String())
		return
	}
	require.Regexp(p.t, "^shmkv: "+stderr+"\n$", p.stderr.String())
}

// finish waits for the end.
func (p *process) finish() {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(patience):
		p.fatal("no end")
	}
}

func (p *process) fatal(what string) {
	p.t.Helper()
	p.kill()
	p.t.Fatalf("%v: %s within %v", p.cmd.Args, what, patience)
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// sleepsOn waits until the main thread of a process is in a shared FUTEX_WAIT on
// the page's word with the value expected, by /proc/PID/syscall.
func sleepsOn(t *testing.T, pid int, expected uint32) {
	t.Helper()
	var text []byte
	eventually(t, fmt.Sprintf("process %d sleeps on %d", pid, expected), func() bool {
		text, _ = os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		f := strings.Fields(string(text))
		return len(f) > 3 && f[0] == strconv.Itoa(unix.SYS_FUTEX) && strings.HasSuffix(f[1], "00c") &&
			f[2] == "0x0" && f[3] == fmt.Sprintf("%#x", expected)
	})
}

// voluntarySwitches of a process's main thread.
func voluntarySwitches(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	require.NoError(t, err)
	return n
}

// writer makes this process the writer of kv.shm in a new directory.
func writer(t *testing.T) (w *shkv2.Writer, dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := shkv2.Create(page(dir))
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w, dir
}

func page(dir string) string { return filepath.Join(dir, "kv.shm") }

// publish publishes as serve does.
func publish(t *testing.T, w *shkv2.Writer) {
	t.Helper()
	id := strconv.FormatUint(counter(t, w)+1, 10)
	_, err := w.Publish("k"+id, "value-"+id)
	require.NoError(t, err)
}

func counter(t *testing.T, w *shkv2.Writer) uint64 {
	t.Helper()
	n, err := w.Segment().ReadCounter(shkv2.Layout().Lock, time.Time{})
	require.NoError(t, err)
	return n
}

func observed(id uint64) string {
	return fmt.Sprintf("observed update %d: k%[1]d=value-%[1]d", id)
}

// exitCode of a finished command.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}
