package seqlock

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Recovery is what the next writer found and did.
type Recovery int

// The results of Recover, from good to bad.
const (
	Clean         Recovery = iota // nothing to repair
	RolledForward                 // the last update was complete but not announced; it stands
	Zeroed                        // an update was in doubt: what it was writing is now zero
)

// String returns the name of the result.
func (r Recovery) String() string {
	switch r {
	case Clean:
		return "clean"
	case RolledForward:
		return "rolled forward"
	case Zeroed:
		return "zeroed"
	}
	return fmt.Sprintf("Recovery(%d)", int(r))
}

// Recover repairs what a killed writer left: a prefix of its stores. Only the
// holder of the writer lock may call it, before its first write. It then wakes
// every sleeper, since the wake may have died with the writer. It never takes seq
// back and may itself be killed at any point and be repeated.
//
// A state that no kill can leave is an ErrCorrupt, and the page is not touched.
func (l *Lock) Recover(base unsafe.Pointer) (Recovery, error) {
	r, err := l.repair(base)
	if err == nil && l.Futex != None {
		// Unconditional: also where a waiters word could elide it, because the
		// killed writer may have died between its look at that word and its wake.
		_, err = l.wakeAll(base)
	}
	return r, err
}

func (l *Lock) repair(base unsafe.Pointer) (Recovery, error) {
	seq := word32(base, l.Seq)
	q := atomic.LoadUint32(seq)
	odd := q&1 != 0
	if l.Futex == None {
		if !odd {
			return Clean, nil
		}
		// Without a futex word nothing tells how far the write came.
		l.zeroDoubtful(base)
		WriteEnd(seq, q) // as W5, pairs with R1
		return Zeroed, nil
	}
	word := atomic.LoadUint32(word32(base, l.Futex))
	counter := loadCounter(unsafe.Add(base, l.Counter))
	switch low := uint32(counter); {
	case word == low && !odd: // everything arrived
		return Clean, nil
	case word == low: // killed in W1..W4: the payload is in doubt
		l.zeroDoubtful(base)
		WriteEnd(seq, q) // as W5, pairs with R1
		return Zeroed, nil
	case word == low-1: // killed in W4..W6: the payload is complete
		if odd {
			WriteEnd(seq, q) // as W5, pairs with R1
		}
		storeFutex(l, base, low) // as W6, pairs with F1
		return RolledForward, nil
	}
	return Clean, fmt.Errorf("%w: seq %d, counter %d, futex word %d: a foreign writer was here",
		ErrCorrupt, q, counter, word)
}

// zeroDoubtful clears what a write in progress may have touched, while seq is
// odd: the slot of the next update, or every block where there is no ring.
func (l *Lock) zeroDoubtful(base unsafe.Pointer) {
	if r := l.Ring; r != nil {
		next := loadCounter(unsafe.Add(base, l.Counter)) + 1
		zero(r.slot(base, r.Index(next)), r.Stride, r.Unit)
		return
	}
	for _, b := range l.Blocks {
		zero(unsafe.Add(base, b.Offset), b.Size, b.Unit)
	}
}

// Reset clears the counter, every block and the futex word as one write, and
// wakes every sleeper. Readers see the counter go back and start over. seq goes
// on, so that no reader takes a torn copy for a whole one. Only the holder of
// the writer lock may call it. A kill inside leaves a page that Recover may
// refuse and that Reset mends.
func (l *Lock) Reset(base unsafe.Pointer) error {
	seq := word32(base, l.Seq)
	q := WriteBegin(seq) // W1, W2
	for _, b := range l.Blocks {
		zero(unsafe.Add(base, b.Offset), b.Size, b.Unit) // W3
	}
	if l.Counter != None {
		storeCounter(unsafe.Add(base, l.Counter), 0) // W4
	}
	WriteEnd(seq, q) // W5
	if l.Futex == None {
		return nil
	}
	storeFutex(l, base, 0) // W6
	_, err := l.wakeAll(base)
	return err
}
