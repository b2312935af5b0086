package seqlock

import (
	"sync/atomic"
	"unsafe"
)

// wordSize is the size of the widest access that is atomic between processes on
// every target: the machine word.
const wordSize = int(unsafe.Sizeof(uintptr(0)))

// Load copies size bytes from shared memory into private memory, with atomic
// loads of unit bytes (8: machine words). It orders nothing by itself beyond
// what sync/atomic says; it is step R3 for those who build a read of their own.
// size and both addresses are multiples of unit (on 32-bit targets: of 4).
func Load(dst, src unsafe.Pointer, size, unit int) {
	if unit == 8 {
		loadWords(dst, src, size)
	} else {
		loadHalves(dst, src, size)
	}
}

// Store copies size bytes from private memory into shared memory, with atomic
// stores of unit bytes (8: machine words): step W3. See Load.
func Store(dst, src unsafe.Pointer, size, unit int) {
	if unit == 8 {
		storeWords(dst, src, size)
	} else {
		storeHalves(dst, src, size)
	}
}

func loadWords(dst, src unsafe.Pointer, size int) {
	for o := 0; o < size; o += wordSize {
		// R3, pairs with W3 and W4
		*(*uintptr)(unsafe.Add(dst, o)) = atomic.LoadUintptr((*uintptr)(unsafe.Add(src, o)))
	}
}

func loadHalves(dst, src unsafe.Pointer, size int) {
	for o := 0; o < size; o += 4 {
		// R3, pairs with W3
		*(*uint32)(unsafe.Add(dst, o)) = atomic.LoadUint32((*uint32)(unsafe.Add(src, o)))
	}
}

func storeWords(dst, src unsafe.Pointer, size int) {
	for o := 0; o < size; o += wordSize {
		// W3 and W4, pair with R3
		atomic.StoreUintptr((*uintptr)(unsafe.Add(dst, o)), *(*uintptr)(unsafe.Add(src, o)))
	}
}

func storeHalves(dst, src unsafe.Pointer, size int) {
	for o := 0; o < size; o += 4 {
		// W3, pairs with R3
		atomic.StoreUint32((*uint32)(unsafe.Add(dst, o)), *(*uint32)(unsafe.Add(src, o)))
	}
}

// zero clears size bytes of shared memory with atomic stores of unit bytes.
func zero(dst unsafe.Pointer, size, unit int) {
	if unit == 8 {
		for o := 0; o < size; o += wordSize {
			atomic.StoreUintptr((*uintptr)(unsafe.Add(dst, o)), 0) // as W3, pairs with R3
		}
		return
	}
	for o := 0; o < size; o += 4 {
		atomic.StoreUint32((*uint32)(unsafe.Add(dst, o)), 0) // as W3, pairs with R3
	}
}

// loadCounter reads the counter: one load on 64-bit targets, two on 32-bit
// ones, where only the seqlock makes the pair consistent.
func loadCounter(src unsafe.Pointer) uint64 {
	var c uint64
	loadWords(unsafe.Pointer(&c), src, counterSize)
	return c
}

// storeCounter is W4, pairs with R3 and R6. On a 32-bit target it is two stores,
// low half first on a little-endian one: a writer killed between the two of the
// one update in 2^32 that carries leaves a counter that is 2^32 too small, and
// nothing on the page could tell.
func storeCounter(dst unsafe.Pointer, c uint64) {
	storeWords(dst, unsafe.Pointer(&c), counterSize)
}
