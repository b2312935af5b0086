// Package stop turns the signals that end a program into the end of a context,
// so that every way out passes the same deferred clean-up.
package stop

import (
	"context"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// Signal is the cause of a context that a signal ended.
type Signal struct{ unix.Signal }

// Error says which signal it was.
func (s Signal) Error() string { return "stopped by " + unix.SignalName(s.Signal) }

// Context returns a context that ends at the first SIGINT, SIGTERM, SIGQUIT or
// SIGHUP, with a Signal as its cause. A hang-up that was ignored when the
// program started, as nohup does, stays ignored.
//
// From then on a write to a closed pipe is an EPIPE for the caller to report,
// and no longer ends the process before it could clean up.
func Context() (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGQUIT}
	if !signal.Ignored(unix.SIGHUP) {
		signals = append(signals, unix.SIGHUP)
	}
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, signals...)
	// Caught, not ignored: an ignored signal would stay so in child processes.
	signal.Notify(make(chan os.Signal, 1), unix.SIGPIPE)
	go func() {
		select {
		case s := <-caught:
			cancel(Signal{s.(unix.Signal)})
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
