package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

var errConsumerGone = errors.New("the consumer is gone")

// process is a running consumer.
type process struct {
	cmd      *exec.Cmd
	lifeline io.Closer
	stderr   bytes.Buffer
	done     chan struct{} // closed when it has ended; err is valid then
	err      error
	stat     *os.File // of its thread in /proc
}

// start runs the program again as a consumer.
func start(args []string, files []*os.File) (*process, error) {
	// The path of the program may name another file by now; this link does not.
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = append([]string{os.Args[0]}, args...)
	cmd.ExtraFiles = files
	// A group of its own: signals of the terminal are the producer's to handle.
	cmd.SysProcAttr = &unix.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	p := &process{cmd: cmd, done: make(chan struct{})}
	cmd.Stderr = &p.stderr
	var err error
	if p.lifeline, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the consumer: %w", err)
	}
	go func() {
		defer close(p.done)
		p.err = cmd.Wait()
	}()
	return p, nil
}

// end waits for a consumer that has answered its last round.
func (p *process) end() error {
	defer p.kill()
	select {
	case <-p.done:
		return p.reason()
	case <-time.After(maxSlices * slice):
		return errTooSlow
	}
}

// kill leaves nothing of the consumer, whatever it was doing.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
	_ = p.lifeline.Close()
	if p.stat != nil {
		_ = p.stat.Close()
	}
}

// reason says why a consumer has ended: its last words, or else its state. It
// waits a moment, because a broken channel is the first sign of an end.
func (p *process) reason() error {
	select {
	case <-p.done:
	case <-time.After(time.Second):
		return nil
	}
	if p.err == nil {
		return nil
	}
	words, _, _ := strings.Cut(strings.TrimSpace(p.stderr.String()), "\n")
	if words == "" {
		return fmt.Errorf("%w: %w", errConsumerGone, p.err)
	}
	_, words, _ = strings.Cut(words, ": ") // the name of the program is ours too
	return fmt.Errorf("%w: %s", errConsumerGone, words)
}

// asleep tells whether a thread of the consumer is in an interruptible sleep,
// by the third field of /proc/PID/task/TID/stat (proc_pid_stat(5)).
func (p *process) asleep(thread uint32) (bool, error) {
	if p.stat == nil {
		f, err := os.Open(fmt.Sprintf("/proc/%d/task/%d/stat", p.cmd.Process.Pid, thread))
		if err != nil {
			return false, err
		}
		p.stat = f
	}
	var buf [128]byte
	n, err := p.stat.ReadAt(buf[:], 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	// The second field, the name, is in parentheses and may hold anything.
	at := bytes.LastIndexByte(buf[:n], ')')
	return at >= 0 && at+2 < n && buf[at+2] == 'S', nil
}
