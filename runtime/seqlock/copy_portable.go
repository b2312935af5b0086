package seqlock

import (
	"sync/atomic"
	"unsafe"
)

// This file is the seam for assembly: whole attempts, without loops around
// them. A version for one architecture replaces all of these functions, is
// built with !race, and keeps the steps in this order.

// readAttempt is R1..R6 over the counter and every block. It reports whether dst
// now holds one consistent state; on false dst holds rubbish.
func readAttempt(l *Lock, base, dst unsafe.Pointer) bool {
	seq := word32(base, l.Seq)
	s := atomic.LoadUint32(seq) // R1 and R2 (the load acquires), pairs with W5
	if s&1 != 0 {
		return false
	}
	if l.Counter != None {
		loadWords(dst, unsafe.Add(base, l.Counter), counterSize) // R3, pairs with W4
	}
	for i := range l.Blocks {
		b := &l.Blocks[i]
		Load(unsafe.Add(dst, b.CopyOffset), unsafe.Add(base, b.Offset), b.Size, b.Unit) // R3
	}
	if atomic.LoadUint32(seq) != s { // R4 (every load above acquires) and R5, pairs with W1
		return false
	}
	// R6, pairs with W4: seq comes round after 2^31 publishes, the counter does not.
	return l.Counter == None || loadCounter(unsafe.Add(base, l.Counter)) == *(*uint64)(dst)
}

// readSlotAttempt is R1..R6 over the counter and one record of the ring.
func readSlotAttempt(l *Lock, base, slot, dst unsafe.Pointer) (counter uint64, ok bool) {
	seq := word32(base, l.Seq)
	s := atomic.LoadUint32(seq) // R1 and R2, pairs with W5
	if s&1 != 0 {
		return 0, false
	}
	counter = loadCounter(unsafe.Add(base, l.Counter)) // R3, pairs with W4
	Load(dst, slot, l.Ring.Stride, l.Ring.Unit)        // R3, pairs with W3
	if atomic.LoadUint32(seq) != s {                   // R4 and R5, pairs with W1
		return 0, false
	}
	return counter, loadCounter(unsafe.Add(base, l.Counter)) == counter // R6, pairs with W4
}

// readCounterAttempt is R1..R6 over the counter alone.
func readCounterAttempt(l *Lock, base unsafe.Pointer) (counter uint64, ok bool) {
	seq := word32(base, l.Seq)
	s := atomic.LoadUint32(seq) // R1 and R2, pairs with W5
	if s&1 != 0 {
		return 0, false
	}
	counter = loadCounter(unsafe.Add(base, l.Counter)) // R3, pairs with W4
	if atomic.LoadUint32(seq) != s {                   // R4 and R5, pairs with W1
		return 0, false
	}
	return counter, loadCounter(unsafe.Add(base, l.Counter)) == counter // R6, pairs with W4
}

// publishRecord is W1..W6: the record goes into the ring as update id.
func publishRecord(l *Lock, base, slot, record unsafe.Pointer, id uint64) {
	seq := word32(base, l.Seq)
	q := WriteBegin(seq)                            // W1, W2
	Store(slot, record, l.Ring.Stride, l.Ring.Unit) // W3, pairs with R3
	storeCounter(unsafe.Add(base, l.Counter), id)   // W4, behind the slot: recovery relies on it
	WriteEnd(seq, q)                                // W5
	if l.Futex != None {
		storeFutex(l, base, uint32(id)) // W6
	}
}

// updateBlocks is W1..W6 over every block. id counts only where there is a
// counter.
func updateBlocks(l *Lock, base, src unsafe.Pointer, id uint64) {
	seq := word32(base, l.Seq)
	q := WriteBegin(seq) // W1, W2
	for i := range l.Blocks {
		b := &l.Blocks[i]
		Store(unsafe.Add(base, b.Offset), unsafe.Add(src, b.CopyOffset), b.Size, b.Unit) // W3
	}
	if l.Counter != None {
		storeCounter(unsafe.Add(base, l.Counter), id) // W4, behind the blocks
	}
	WriteEnd(seq, q) // W5
	if l.Futex != None {
		storeFutex(l, base, uint32(id)) // W6
	}
}

// storeFutex is W6, pairs with F1. Where the layout elides wakes it is an
// exchange: W7 reads the waiters word behind it, and release order would let
// that load overtake the store (a lost wake). Here both are sequentially
// consistent; an assembly version must keep the exchange.
func storeFutex(l *Lock, base unsafe.Pointer, low uint32) {
	if l.Waiters != None {
		atomic.SwapUint32(word32(base, l.Futex), low)
		return
	}
	atomic.StoreUint32(word32(base, l.Futex), low)
}
