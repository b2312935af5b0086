package seqlock

import (
	"sync/atomic"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/futex"
)

// WriteBegin opens a write and returns q for WriteEnd. Only the holder of the
// writer lock may call it. Between the two, shared words are stored with Store.
func WriteBegin(seq *uint32) (q uint32) {
	// Not an add: on a page that a killed writer left odd, an add would turn the
	// parity round for ever.
	q = atomic.LoadUint32(seq) | 1
	atomic.StoreUint32(seq, q) // W1, pairs with R5
	// W2: the atomic stores that follow can not move above this one.
	return q
}

// WriteEnd closes the write that WriteBegin opened.
func WriteEnd(seq *uint32, q uint32) {
	atomic.StoreUint32(seq, q+1) // W5, pairs with R1
}

// Publish puts one record into the ring as the next update and returns its id
// (counter + 1). It is W1..W6 and wakes nobody: Wake is W7. record points at
// Ring.Stride bytes, aligned to the ring's unit. Only the holder of the writer
// lock may call it. It never blocks and does not allocate.
func (l *Lock) Publish(base, record unsafe.Pointer) (id uint64) {
	id = loadCounter(unsafe.Add(base, l.Counter)) + 1 // the writer owns the counter
	publishRecord(l, base, l.Ring.slot(base, l.Ring.Index(id)), record, id)
	return id
}

// Update replaces every guarded block by those of a copy, as one consistent
// write, and counts it where there is a counter: it returns the new counter, or
// 0 without one. The counter inside the copy is not looked at. It is for pages
// without a ring and for guarded records. See Publish for the rest.
func (l *Lock) Update(base, src unsafe.Pointer) (id uint64) {
	if l.Counter != None {
		id = loadCounter(unsafe.Add(base, l.Counter)) + 1
	}
	updateBlocks(l, base, src, id)
	return id
}

// Wake is W7: it wakes every process that sleeps on the futex word, at most
// 2147483647. Where the layout has a waiters word and nobody waits, it does not
// enter the kernel. It returns the number of threads woken; 0 without a futex.
func (l *Lock) Wake(base unsafe.Pointer) (woken int, err error) {
	if l.Futex == None {
		return 0, nil
	}
	// The load pairs with the waiter's increment before F3.
	if l.Waiters != None && atomic.LoadUint32(word32(base, l.Waiters)) == 0 {
		return 0, nil
	}
	return l.wakeAll(base) // W7
}

// wakeAll is W7 without a look at the waiters word.
func (l *Lock) wakeAll(base unsafe.Pointer) (woken int, err error) {
	return futex.Wake(word32(base, l.Futex), futex.All)
}
