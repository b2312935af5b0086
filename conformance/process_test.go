package conformance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds what should take milliseconds, on a machine however busy.
const patience = 30 * time.Second

// process is a running command.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string // of standard output; closed at its end
	stderr bytes.Buffer
	done   chan struct{} // closed when it has ended
}

// launch starts a peer in a directory. It is killed at the latest when the test
// ends.
func launch(t *testing.T, dir string, p peer, args ...string) *process {
	t.Helper()
	return start(t, dir, p.command(t, args...)...)
}

// start is launch for any command. Its standard input is a pipe.
func start(t *testing.T, dir string, command ...string) *process {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	p := &process{t: t, cmd: cmd, lines: make(chan string, 1<<16), done: make(chan struct{})}
	cmd.Dir, cmd.Stderr = dir, &p.stderr
	cmd.WaitDelay = patience // should a descendant keep an output open
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	p.in, err = cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
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

func (p *process) signal(s syscall.Signal) { require.NoError(p.t, p.cmd.Process.Signal(s)) }

// writes a line to standard input.
func (p *process) writes(format string, args ...any) {
	p.t.Helper()
	_, err := fmt.Fprintf(p.in, format+"\n", args...)
	require.NoError(p.t, err)
}

// line returns the next line of standard output.
func (p *process) line() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			<-p.done
			p.t.Fatalf("%v: no more lines: %s", p.cmd.Args, &p.stderr)
		}
		return line
	case <-time.After(patience):
		p.fatal("no line")
	}
	return ""
}

// rest returns all further lines, up to the end.
func (p *process) rest() []string {
	p.t.Helper()
	p.finish()
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
	require.Equal(p.t, code, p.cmd.ProcessState.ExitCode(),
		"%v: %v: %s", p.cmd.Args, p.cmd.ProcessState, &p.stderr)
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
	_ = p.cmd.Process.Kill()
	<-p.done
	p.t.Fatalf("%v: %s within %v: %s", p.cmd.Args, what, patience, &p.stderr)
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

func file(dir string) string { return filepath.Join(dir, "kv.shm") }

// observed is the line of watch for an update of serve.
func observed(id uint64) string {
	return fmt.Sprintf("observed update %d: k%d=value-%d", id, id, id)
}

// serves lets a peer publish n updates at once and end.
func serves(t *testing.T, dir string, p peer, n int) {
	t.Helper()
	launch(t, dir, p, "serve", "kv.shm", "--updates", fmt.Sprint(n), "--interval-ms", "0").ends(0, "")
}

// feeds starts a peer that publishes what it is told, and waits for its page.
func feeds(t *testing.T, dir string, p peer) *process {
	t.Helper()
	s := launch(t, dir, p, "serve", "kv.shm", "--stdin")
	eventually(t, "a page", func() bool { return exists(file(dir)) })
	return s
}
