// Package watch waits for updates of a page: the loop F1..F4 of
// docs/protocol.md over a segment, for any layout with a counter and a futex
// word.
//
// The loop, not the system call, owns correctness: a wake, a changed word, a
// signal and a timeout all lead back to F1. An idle watcher sleeps once per
// update.
package watch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
)

// Update is one update of the page.
type Update struct {
	// ID is the update's number, from 1. It wraps modulo 2^64.
	ID uint64

	// Missed counts the updates since the one reported before that can not be
	// told any more: the ring had overwritten them, or a writer was killed over
	// them. On a page without a ring only the newest is ever told.
	Missed uint64

	// Record is a private copy: of the record in the ring, or, on a page without
	// one, of everything the seqlock guards (counter first). It is aligned to 8
	// bytes and valid until the next update is asked for.
	Record []byte
}

// Option changes where a Watcher starts.
type Option func(*Watcher)

// From makes the watcher start behind update last: the first one it reports is
// last+1, if the ring still has it. The default is 0: everything the ring holds.
func From(last uint64) Option { return func(w *Watcher) { w.last = last } }

// ErrNoFutex: the layout has no futex word to sleep on, or no counter to follow.
var ErrNoFutex = errors.New("the layout has no futex word")

// Watcher follows the updates of one page. It remembers the last update it
// reported. It belongs to one goroutine.
type Watcher struct {
	seg  *segment.Segment
	lock *seqlock.Lock

	last    uint64 // the last update reported, or given up
	missed  uint64 // since the last one reported
	counter uint64 // as last read: last..counter are due
	record  []byte
}

// New returns a watcher for the page's lock. The layout must have a counter and
// a futex word.
func New(seg *segment.Segment, lock *seqlock.Lock, opts ...Option) (*Watcher, error) {
	if lock == nil || lock.Futex == seqlock.None || lock.Counter == seqlock.None {
		return nil, fmt.Errorf("%s: %w", seg.Path(), ErrNoFutex)
	}
	w := &Watcher{seg: seg, lock: lock}
	for _, opt := range opts {
		opt(w)
	}
	w.counter = w.last
	size := lock.CopySize
	if lock.Ring != nil {
		size = lock.Ring.Stride
	}
	// Of words, because a byte slice alone need not be aligned to 8.
	words := make([]uint64, (size+7)/8)
	w.record = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
	return w, nil
}

// Last returns the id of the last update reported (or skipped as missed).
func (w *Watcher) Last() uint64 { return w.last }

// Updates returns every update of the page from now on, as a loop to range over:
// first what the ring still holds, then each new one as it comes. It ends with
// an error, told once: an ErrCancelled or ErrTimedOut that wraps the context's
// cause, ErrTruncated, ErrLivelocked (with ErrWriterDead where that is why), or
// ErrClosed, all of package segment.
func Updates(
	ctx context.Context, seg *segment.Segment, lock *seqlock.Lock, opts ...Option,
) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		w, err := New(seg, lock, opts...)
		if err != nil {
			yield(Update{}, err)
			return
		}
		w.Updates(ctx)(yield)
	}
}

// Updates is the function Updates for a watcher that may have reported some
// already.
func (w *Watcher) Updates(ctx context.Context) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		for {
			u, err := w.Next(ctx)
			if !yield(u, err) || err != nil {
				return
			}
		}
	}
}

// Next waits for the next update and returns it. It blocks until there is one,
// ctx ends (within milliseconds), the file is cut short (within two seconds) or
// the page can not be read. For the errors see the function Updates. After an
// error it may be called again.
func (w *Watcher) Next(ctx context.Context) (u Update, err error) {
	for {
		word, err := w.futexWord() // F1
		if err != nil {
			return Update{}, err
		}
		u, ok, err := w.poll(ctx) // F2
		if ok || err != nil {
			return u, err
		}
		if err := w.sleep(ctx, word); err != nil { // F3
			return Update{}, err
		}
	} // F4
}

// Poll returns the next update if there is one already. It does not wait for
// one, but like every read it may back off while a write is in progress.
func (w *Watcher) Poll() (u Update, ok bool, err error) {
	return w.poll(context.Background())
}

// Wait blocks until the counter is no longer Last and returns it, without a copy
// of anything: for those who then take a snapshot. Whatever lay between is given
// up. For the errors see the function Updates.
func (w *Watcher) Wait(ctx context.Context) (counter uint64, err error) {
	for {
		word, err := w.futexWord() // F1
		if err != nil {
			return 0, err
		}
		if counter, err = w.readCounter(ctx); err != nil { // F2
			return 0, err
		}
		if counter != w.last {
			w.last, w.counter, w.missed = counter, counter, 0
			return counter, nil
		}
		if err := w.sleep(ctx, word); err != nil { // F3
			return 0, err
		}
	} // F4
}
