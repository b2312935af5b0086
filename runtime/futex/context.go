package futex

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// nudgeEvery is how often a cancelled waiter is signalled until it has returned.
// The first signal may arrive just before the thread enters the kernel and is
// then lost; the next is not.
const nudgeEvery = 2 * time.Millisecond

// WaitContext is Wait that also ends, within milliseconds, when ctx does: it
// then returns context.Cause(ctx). Nobody else who sleeps on the word is woken,
// and the wait itself stays a plain FUTEX_WAIT.
//
// It works by sending SIGURG to the waiting thread alone. The Go runtime has a
// handler for that signal (it preempts goroutines with it), and after a handler
// ran, the kernel ends a FUTEX_WAIT that has a timeout with EINTR (futex(2),
// signal(7)). A context that can not be cancelled costs nothing.
func WaitContext(ctx context.Context, addr *uint32, expected uint32, timeout time.Duration) error {
	if ctx.Done() == nil {
		return Wait(addr, expected, timeout)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// Between gettid and the wait the goroutine must not move to another thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := nudger{tid: unix.Gettid()}
	stop := context.AfterFunc(ctx, n.nudge)
	err := Wait(addr, expected, timeout)
	if !stop() { // the nudger has started: let it end before the thread is free
		n.finish()
	}
	if ctx.Err() != nil && err != nil {
		return context.Cause(ctx)
	}
	return err
}

// nudger signals one thread until the thread says that it has returned.
type nudger struct {
	tid int

	mu   sync.Mutex
	done bool
}

func (n *nudger) nudge() {
	pid := unix.Getpid()
	for n.signal(pid) {
		time.Sleep(nudgeEvery)
	}
}

// signal sends one signal, unless the waiter is done. The lock keeps the waiter
// from leaving its thread in between, so that no other code is interrupted.
func (n *nudger) signal(pid int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.done {
		return false
	}
	// An error can only mean that signals are filtered; the timeout ends the wait then.
	_ = unix.Tgkill(pid, n.tid, unix.SIGURG)
	return true
}

func (n *nudger) finish() {
	n.mu.Lock()
	n.done = true
	n.mu.Unlock()
}
