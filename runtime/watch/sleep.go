package watch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/futex"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
)

// MaxSleep bounds one FUTEX_WAIT. It covers what no wake announces: a word that
// comes round after 2^32 updates, a writer killed between W6 and W7 that nobody
// succeeds, a file cut short.
const MaxSleep = 2 * time.Second

// futexWord is F1: it must come before the read of the counter, and the value is
// never compared with an update's id. A writer killed between W5 and W6 leaves
// the two different for ever.
func (w *Watcher) futexWord() (word uint32, err error) {
	err = w.seg.Guard(func() error {
		word = atomic.LoadUint32(w.word(w.lock.Futex)) // F1, pairs with W6
		return nil
	})
	return word, err
}

func (w *Watcher) word(offset int) *uint32 {
	return (*uint32)(unsafe.Add(w.seg.Base(), offset))
}

// sleep is F3: it sleeps while the futex word is still expected, at most
// MaxSleep or until ctx ends. nil means: look again.
func (w *Watcher) sleep(ctx context.Context, expected uint32) error {
	if err := ended(ctx, w.seg); err != nil {
		return err
	}
	if err := w.seg.Check(); err != nil {
		return err
	}
	timeout := MaxSleep
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	err := w.seg.Guard(func() error {
		if w.lock.Waiters != seqlock.None {
			waiters := w.word(w.lock.Waiters)
			// Sequentially consistent, as is the kernel's look at the futex word
			// behind it: either the writer sees this waiter, or the waiter sees
			// the writer's word. Pairs with W6 and W7.
			atomic.AddUint32(waiters, 1)
			defer atomic.AddUint32(waiters, ^uint32(0))
		}
		return futex.WaitContext(ctx, w.word(w.lock.Futex), expected, timeout)
	})
	switch {
	case err == nil, errors.Is(err, futex.ErrAgain),
		errors.Is(err, futex.ErrInterrupted), errors.Is(err, futex.ErrTimedOut):
		return nil // F4
	}
	// The reason for a wait that failed is most often a file cut short (EFAULT).
	if err := ended(ctx, w.seg); err != nil {
		return err
	}
	if err := w.seg.Check(); err != nil {
		return err
	}
	if errors.Is(err, segment.ErrClosed) {
		return err
	}
	return &segment.Error{Path: w.seg.Path(), Cause: err}
}

// ended turns the end of ctx into an error that names the file.
func ended(ctx context.Context, seg *segment.Segment) error {
	err := ctx.Err()
	if err == nil {
		if deadline, ok := ctx.Deadline(); !ok || time.Now().Before(deadline) {
			return nil
		}
		// The context's own timer is late; the deadline is not.
		err = context.DeadlineExceeded
	}
	cause := context.Cause(ctx)
	if cause == nil {
		cause = err
	}
	e := &segment.Error{Path: seg.Path(), Cause: both(err, cause)}
	if errors.Is(err, context.DeadlineExceeded) {
		e.Kind, e.Text = segment.ErrTimedOut, "timed out"
	} else {
		e.Kind, e.Text = segment.ErrCancelled, "cancelled"
	}
	return e
}

// both keeps the context's error and the cause its owner gave for errors.Is.
func both(err, cause error) error {
	if errors.Is(cause, err) {
		return cause
	}
	return errors.Join(err, cause)
}
