package bench

import (
	"errors"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/runtime/futex"
	"github.com/shmkv/shmkv/runtime/watch"
)

// alone is the part of a channel that is nothing but the page.
type alone struct{}

func (alone) files() []*os.File { return nil }
func (alone) started()          {}
func (alone) close()            {}

// futexChannel is the page's own way: the futex word.
type futexChannel struct{ alone }

func newFutex() (signaller, error) { return futexChannel{}, nil }

func (futexChannel) publish(p *producer) error {
	_, err := p.writer.PublishRecord(&p.record.slot) // W1..W7
	return err
}

// futexWaiter is the watch loop F1..F4 for one known update.
type futexWaiter struct {
	*page
	arm bool // say so before each sleep
}

func joinFutex(c *consumer) (waiter, error)  { return &futexWaiter{c.page, false}, nil }
func joinParked(c *consumer) (waiter, error) { return &futexWaiter{c.page, true}, nil }

func (w *futexWaiter) wait(c *consumer, round, id uint64) error {
	c.woken = false
	for {
		word := atomic.LoadUint32(w.word()) // F1, pairs with W6
		if there, err := w.reached(id); there || err != nil {
			return err // F2
		}
		if w.arm {
			c.control.armed.Store(uint32(round))
		}
		err := futex.Wait(w.word(), word, watch.MaxSleep) // F3, pairs with W7
		switch {
		case err == nil:
			c.woken = true
		case errors.Is(err, futex.ErrAgain),
			errors.Is(err, futex.ErrInterrupted), errors.Is(err, futex.ErrTimedOut):
		default:
			if e := w.seg.Check(); e != nil { // most often a file cut short
				return e
			}
			return err
		}
	} // F4
}

// pollChannel has no kernel object: the consumer looks every millisecond.
type pollChannel struct{ alone }

func newPoll() (signaller, error) { return pollChannel{}, nil }

func (pollChannel) publish(p *producer) error { return p.publishQuietly() }

type pollWaiter struct{ *page }

func joinPoll(c *consumer) (waiter, error) { return &pollWaiter{c.page}, nil }

// wait sleeps before it looks: an update never comes at the very moment of the
// answer to the one before.
func (w *pollWaiter) wait(_ *consumer, _, id uint64) error {
	period := unix.NsecToTimespec(int64(time.Millisecond))
	for {
		if err := unix.Nanosleep(&period, nil); err != nil && err != unix.EINTR {
			return os.NewSyscallError("nanosleep", err)
		}
		if there, err := w.reached(id); there || err != nil {
			return err
		}
	}
}
