package seqlock

import (
	"errors"
	"fmt"
	"unsafe"
)

// None stands for a word that a layout does not have.
const None = -1

// counterSize is the size of the update counter in bytes.
const counterSize = 8

// Errors of the package. Compare with errors.Is.
var (
	// ErrLivelocked: no attempt gave a consistent copy within the budget. Either
	// a writer died inside an update (the next writer repairs the page) or it
	// writes faster than this reader copies.
	ErrLivelocked = errors.New("seqlock read livelocked")

	// ErrCorrupt: the words of a seqlock are in a state that no kill of a writer
	// can leave behind.
	ErrCorrupt = errors.New("corrupt seqlock")

	// ErrLayout: a descriptor does not fit its memory.
	ErrLayout = errors.New("bad seqlock layout")
)

// Block is a run of guarded bytes that is copied with accesses of Unit bytes
// (8, done as two of 4 on 32-bit targets; or 4). Offset counts from the start of
// the record that carries the seqlock, CopyOffset from the start of the private
// copy. Offset, CopyOffset and Size are in bytes and multiples of Unit.
type Block struct {
	Offset, CopyOffset, Size, Unit int
}

// Ring is a history of Count records, Stride bytes apart, the first at Offset.
// Update id lies at index (id-1) % Count. All in bytes but Count.
type Ring struct {
	Offset, Stride, Count, Unit int
}

// Lock describes one seqlock: the offsets of its words from the start of the
// record that carries it, None where a word does not exist, and what it guards.
//
// Seq, Futex and Waiters are u32, Counter is u64. The blocks never include the
// counter; where there is a counter, it takes the first 8 bytes of the copy. A
// ring is also covered by the blocks.
type Lock struct {
	Seq, Counter, Futex, Waiters int

	// CopySize is the size of the private copy in bytes.
	CopySize int

	Blocks []Block
	Ring   *Ring
}

// Bind checks once that lock fits into mem and that mem is aligned as its words
// need, and returns the base address the other functions take. Whoever holds
// the address must keep mem alive and mapped.
func Bind(mem []byte, lock *Lock) (unsafe.Pointer, error) {
	if err := lock.Validate(len(mem)); err != nil {
		return nil, err
	}
	base := unsafe.Pointer(unsafe.SliceData(mem))
	if a := lock.align(); uintptr(base)%uintptr(a) != 0 {
		return nil, fmt.Errorf("%w: the page is not aligned to %d bytes", ErrLayout, a)
	}
	return base, nil
}

// align returns the alignment of the base in bytes that the accesses need.
func (l *Lock) align() int {
	a := 4
	if l.Counter != None {
		a = 8
	}
	for _, b := range l.Blocks {
		a = max(a, b.Unit)
	}
	return a
}

// Validate tells whether every byte the lock names lies inside a record of size
// bytes and inside the copy, aligned as its accesses need. The error is an
// ErrLayout.
func (l *Lock) Validate(size int) error {
	words := []struct {
		name       string
		offset     int
		size       int
		compulsory bool
	}{
		{"seq", l.Seq, 4, true},
		{"counter", l.Counter, counterSize, l.Ring != nil || l.Futex != None},
		{"futex", l.Futex, 4, l.Waiters != None},
		{"waiters", l.Waiters, 4, false},
	}
	for i, w := range words {
		if w.offset == None && !w.compulsory {
			continue
		}
		if !fits(w.offset, w.size, size) || w.offset%w.size != 0 {
			return fmt.Errorf("%w: %s at %d of %d bytes", ErrLayout, w.name, w.offset, size)
		}
		for _, o := range words[:i] {
			if o.offset != None && w.offset < o.offset+o.size && o.offset < w.offset+w.size {
				return fmt.Errorf("%w: %s and %s overlap at %d",
					ErrLayout, o.name, w.name, w.offset)
			}
		}
	}
	if l.Counter != None && l.CopySize < counterSize {
		return fmt.Errorf("%w: a copy of %d bytes has no room for the counter",
			ErrLayout, l.CopySize)
	}
	for _, b := range l.Blocks {
		if !b.fits(size, l.CopySize) {
			return fmt.Errorf("%w: block %+v of %d bytes, copy of %d",
				ErrLayout, b, size, l.CopySize)
		}
	}
	if r := l.Ring; r != nil && !r.fits(size) {
		return fmt.Errorf("%w: ring %+v of %d bytes", ErrLayout, *r, size)
	}
	return nil
}

func (b Block) fits(size, copySize int) bool {
	return (b.Unit == 4 || b.Unit == 8) &&
		fits(b.Offset, b.Size, size) && fits(b.CopyOffset, b.Size, copySize) &&
		(b.Offset|b.CopyOffset|b.Size)%b.Unit == 0
}

func (r Ring) fits(size int) bool {
	return (r.Unit == 4 || r.Unit == 8) && r.Count > 0 && r.Stride > 0 &&
		r.Stride <= size/r.Count && fits(r.Offset, r.Stride*r.Count, size) &&
		(r.Offset|r.Stride)%r.Unit == 0
}

// fits tells whether n bytes at offset lie inside size bytes.
func fits(offset, n, size int) bool {
	return offset >= 0 && n >= 0 && n <= size && offset <= size-n
}

// word32 returns the 32-bit word at offset. It must be aligned to 4.
func word32(base unsafe.Pointer, offset int) *uint32 {
	return (*uint32)(unsafe.Add(base, offset))
}

// slot returns the address of the record at index i of the ring.
func (r *Ring) slot(base unsafe.Pointer, i int) unsafe.Pointer {
	return unsafe.Add(base, r.Offset+i*r.Stride)
}

// Index returns the place of update id in the ring: (id-1) % Count.
func (r *Ring) Index(id uint64) int { return int((id - 1) % uint64(r.Count)) }
