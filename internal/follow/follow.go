// Package follow is the reader's side of the command: it prints each update of
// a page as it comes.
package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/stop"
	"github.com/shmkv/shmkv/runtime/segment"
)

// Options says what to follow, and until when.
type Options struct {
	Path    string
	Events  uint64        // updates to print; 0: until stopped
	Timeout time.Duration // for the whole run; 0: none
	Wait    bool          // for the file to appear
}

// Printer tells the reader of the program what happens. An error ends the run.
type Printer interface {
	// Start comes once, when the page is open.
	Start(ctx context.Context, path string, events uint64) error
	// Update comes for each update; u.Missed before it are lost.
	Update(ctx context.Context, u *shkv2.Update) error
	// Complete comes when all events asked for were told.
	Complete(ctx context.Context, events uint64) error
}

// errTimedOut is the cause of a context whose own time is up.
var errTimedOut = errors.New("timed out")

// Run prints updates until Options.Events are told, the time is up, or ctx ends.
// The last two are failures only where there was a number to reach.
func Run(ctx context.Context, o Options, p Printer) error {
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		cause := fmt.Errorf("%w after %v", errTimedOut, o.Timeout)
		ctx, cancel = context.WithTimeoutCause(ctx, o.Timeout, cause)
		defer cancel()
	}
	r, err := open(ctx, o)
	switch {
	case err == errStopped:
		return nil
	case err != nil:
		return err
	}
	defer r.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	unwatch := watchSize(o.Path, r.Segment(), cancel)
	defer unwatch()
	return run(ctx, r, o, p)
}

func run(ctx context.Context, r *shkv2.Reader, o Options, p Printer) error {
	seen := uint64(0)
	if err := p.Start(ctx, o.Path, o.Events); err != nil {
		return ended(ctx, r, o, seen, err)
	}
	for u, err := range r.Updates(ctx) {
		if err == nil {
			err = p.Update(ctx, &u)
		}
		if err != nil {
			return ended(ctx, r, o, seen, err)
		}
		if seen++; seen == o.Events {
			return p.Complete(ctx, seen)
		}
	}
	return nil
}

// ended says what the end of a run means. err is what ended it, which is news
// only if it was not the context.
func ended(ctx context.Context, r *shkv2.Reader, o Options, seen uint64, err error) error {
	cause := context.Cause(ctx)
	if cause == nil && errors.Is(err, segment.ErrTimedOut) {
		<-ctx.Done() // its timer is about to see what the deadline said
		cause = context.Cause(ctx)
	}
	var signal stop.Signal
	switch {
	case cause == nil:
		return err
	case !errors.As(cause, &signal) && !errors.Is(cause, errTimedOut):
		return cause
	case o.Events == 0:
		return nil
	}
	note := ""
	if alive, err := r.Segment().WriterAlive(); err == nil && !alive {
		note = "; no writer is alive"
	}
	return fmt.Errorf("%s: %w: %d of %d updates seen%s", o.Path, cause, seen, o.Events, note)
}
