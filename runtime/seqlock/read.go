package seqlock

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// ReadBegin starts a read attempt: R1 and R2. Shared words are then copied with
// Load, and ReadRetry tells whether the copy is consistent.
func ReadBegin(seq *uint32) (s uint32) {
	return atomic.LoadUint32(seq) // R1 and R2, pairs with W5
}

// ReadRetry ends a read attempt: R4 and R5. It reports whether the copy must be
// thrown away: a write was in progress, or one began since ReadBegin.
func ReadRetry(seq *uint32, s uint32) bool {
	return s&1 != 0 || atomic.LoadUint32(seq) != s // R4 and R5, pairs with W1
}

// TryRead makes one attempt, R1..R6, to copy the counter and every block into
// dst (CopySize bytes, aligned to 8). It reports whether dst holds one
// consistent state. It never blocks.
func (l *Lock) TryRead(base, dst unsafe.Pointer) bool { return readAttempt(l, base, dst) }

// TryReadSlot makes one attempt, R1..R6, to copy the record at index i of the
// ring into dst (Ring.Stride bytes). counter is the update counter of the same
// moment. It panics when i is out of range.
func (l *Lock) TryReadSlot(
	base unsafe.Pointer, i int, dst unsafe.Pointer,
) (counter uint64, ok bool) {
	if uint(i) >= uint(l.Ring.Count) {
		panic("seqlock: slot out of range")
	}
	return readSlotAttempt(l, base, l.Ring.slot(base, i), dst)
}

// TryReadCounter makes one attempt, R1..R6, to read the update counter.
func (l *Lock) TryReadCounter(base unsafe.Pointer) (counter uint64, ok bool) {
	return readCounterAttempt(l, base)
}

// Read copies the counter and every block into dst, as TryRead does, and tries
// again until the copy is consistent. It gives up with ErrLivelocked after
// MaxAttempts, after DefaultBudget, or at the deadline if that is sooner; a zero
// deadline stands for none. It may sleep up to a millisecond at a time while it
// backs off.
func (l *Lock) Read(base, dst unsafe.Pointer, deadline time.Time) error {
	if readAttempt(l, base, dst) {
		return nil
	}
	return l.readSlow(base, dst, deadline)
}

//go:noinline
func (l *Lock) readSlow(base, dst unsafe.Pointer, deadline time.Time) error {
	b := backoff{deadline: deadline}
	for b.again() {
		if readAttempt(l, base, dst) {
			return nil
		}
	}
	return ErrLivelocked
}

// ReadSlot copies the record at index i of the ring, as TryReadSlot does, and
// tries again as Read does.
func (l *Lock) ReadSlot(
	base unsafe.Pointer, i int, dst unsafe.Pointer, deadline time.Time,
) (counter uint64, err error) {
	if counter, ok := l.TryReadSlot(base, i, dst); ok {
		return counter, nil
	}
	b := backoff{deadline: deadline}
	for b.again() {
		if counter, ok := readSlotAttempt(l, base, l.Ring.slot(base, i), dst); ok {
			return counter, nil
		}
	}
	return 0, ErrLivelocked
}

// ReadCounter reads the update counter and tries again as Read does.
func (l *Lock) ReadCounter(base unsafe.Pointer, deadline time.Time) (counter uint64, err error) {
	b := backoff{deadline: deadline}
	for {
		if counter, ok := readCounterAttempt(l, base); ok {
			return counter, nil
		}
		if !b.again() {
			return 0, ErrLivelocked
		}
	}
}
