package watch

import (
	"context"
	"errors"
	"math"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/seqlock"
)

// poll is F2: it returns the next update that is due, if any.
func (w *Watcher) poll(ctx context.Context) (u Update, ok bool, err error) {
	if w.counter == w.last {
		c, err := w.readCounter(ctx)
		if err != nil || c == w.last {
			return Update{}, false, err
		}
		w.counter = c
	}
	if w.wentBack(w.counter) {
		// The counter went back: the page was started over. What it holds now is
		// not news behind last, so follow it from here.
		w.last, w.missed = w.counter, 0
		return Update{}, false, nil
	}
	if w.lock.Ring == nil {
		return w.pollPage(ctx)
	}
	return w.pollRing(ctx)
}

// pollRing finds the oldest update behind last that the ring still holds. Each
// record is read with the counter of the same moment, which tells whether the
// slot still holds the update it was read for.
func (w *Watcher) pollRing(ctx context.Context) (u Update, ok bool, err error) {
	r := w.lock.Ring
	kept := uint64(r.Count)
	for overtaken := 0; w.last != w.counter; {
		// A writer at full speed may overwrite the oldest slot again and again
		// before it is read: aim nearer to its newest update then.
		w.skip(w.counter, max(kept>>(overtaken/patience), 1))
		id := w.last + 1
		c, err := w.readSlot(ctx, r.Index(id))
		if err != nil {
			return Update{}, false, err
		}
		if w.wentBack(c) { // started over meanwhile
			w.last, w.counter, w.missed = c, c, 0
			return Update{}, false, nil
		}
		w.counter = c
		if c-id >= kept { // overwritten meanwhile
			overtaken++
			if err := ended(ctx, w.seg); err != nil {
				return Update{}, false, err
			}
			continue
		}
		w.last = id
		// Recovery zeroes the slot that the next update will take. That is the
		// oldest one here: the only place where zero means "no record".
		if c-id == kept-1 && isZero(w.record) {
			w.missed++
			continue
		}
		return w.report(id), true, nil
	}
	return Update{}, false, nil
}

// patience is how often a reader lets itself be overtaken before it gives up
// half of what it could still have.
const patience = 4

// wentBack tells whether the counter went back since the last update: the page
// was started over. To a watcher that has seen nothing yet (last is 0) every
// counter is news.
func (w *Watcher) wentBack(counter uint64) bool {
	return w.last != 0 && counter-w.last > math.MaxInt64
}

// skip gives up all but the newest n of the updates that are due.
func (w *Watcher) skip(counter, n uint64) {
	if due := counter - w.last; due > n {
		w.missed += due - n
		w.last = counter - n
	}
}

// pollPage copies a page that has no history.
func (w *Watcher) pollPage(ctx context.Context) (u Update, ok bool, err error) {
	err = w.patient(ctx, func(deadline time.Time) error {
		return w.seg.Read(w.lock, 0, unsafe.Pointer(unsafe.SliceData(w.record)), deadline)
	})
	if err != nil {
		return Update{}, false, err
	}
	id := *(*uint64)(unsafe.Pointer(unsafe.SliceData(w.record)))
	if w.wentBack(id) || id == w.last { // started over meanwhile
		w.last, w.counter, w.missed = id, id, 0
		return Update{}, false, nil
	}
	due := id - w.last
	w.last, w.counter = id, id
	w.missed += due - 1
	return w.report(id), true, nil
}

// report makes the update that was read last the newest reported.
func (w *Watcher) report(id uint64) Update {
	u := Update{ID: id, Missed: w.missed, Record: w.record}
	w.missed = 0
	return u
}

func (w *Watcher) readCounter(ctx context.Context) (counter uint64, err error) {
	err = w.patient(ctx, func(deadline time.Time) (err error) {
		counter, err = w.seg.ReadCounter(w.lock, deadline)
		return err
	})
	return counter, err
}

func (w *Watcher) readSlot(ctx context.Context, i int) (counter uint64, err error) {
	err = w.patient(ctx, func(deadline time.Time) (err error) {
		dst := unsafe.Pointer(unsafe.SliceData(w.record))
		counter, err = w.seg.ReadSlot(w.lock, i, dst, deadline)
		return err
	})
	return counter, err
}

// slice is how long one read may back off before ctx is looked at again.
const slice = 100 * time.Millisecond

// patient repeats a read until it succeeds, ctx ends, or the budget of one read
// is used up. A cancelled watcher is thus free within a slice even on a page
// that a dead writer left odd.
func (w *Watcher) patient(ctx context.Context, read func(deadline time.Time) error) error {
	start := time.Now()
	for now := start; ; now = time.Now() {
		err := read(now.Add(slice))
		if err == nil || !errors.Is(err, seqlock.ErrLivelocked) {
			return err
		}
		if err := ended(ctx, w.seg); err != nil {
			return err
		}
		if time.Since(start) >= seqlock.DefaultBudget {
			return err
		}
	}
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
