// Package pagetest holds layouts and records for the tests of the packages
// beside it. Nothing else imports it.
package pagetest

import (
	"encoding/binary"
	"hash/crc32"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
)

// Places of the SHKV2 page.
const (
	Size     = 4096
	Seq      = 8
	Futex    = 12
	Counter  = 16
	Waiters  = 24 // of the layout that has them
	Slots    = 64
	SlotSize = 64
	Count    = 8
)

const none = seqlock.None

// SHKV2 is the pinned page: counter, futex and a ring of 8.
func SHKV2() *segment.Layout {
	return &segment.Layout{
		Name: "shkv2", Size: Size, Magic: "SHKV2",
		Stamps: []segment.Stamp{{
			Kind: segment.KindMagic, Field: "magic", Offset: 0, Value: []byte("SHKV2\x00\x00\x00"),
		}},
		Lock: &seqlock.Lock{
			Seq: Seq, Counter: Counter, Futex: Futex, Waiters: none, CopySize: 8 + Count*SlotSize,
			Blocks: []seqlock.Block{
				{Offset: Slots, CopyOffset: 8, Size: Count * SlotSize, Unit: 8},
			},
			Ring: &seqlock.Ring{Offset: Slots, Stride: SlotSize, Count: Count, Unit: 8},
		},
	}
}

// Elided is SHKV2 with a waiters word.
func Elided() *segment.Layout {
	l := SHKV2()
	l.Name = "elided"
	l.Lock.Waiters = Waiters
	return l
}

// Narrow has a ring of 3 records of 20 bytes, copied in units of 4: a count that
// does not divide 2^32.
func Narrow() *segment.Layout {
	l := SHKV2()
	l.Name = "narrow"
	l.Lock.CopySize = 8 + 64
	l.Lock.Blocks = []seqlock.Block{{Offset: 68, CopyOffset: 8, Size: 60, Unit: 4}}
	l.Lock.Ring = &seqlock.Ring{Offset: 68, Stride: 20, Count: 3, Unit: 4}
	return l
}

// Pose has a counter and a futex but no ring, two blocks, and three records with
// seqlocks of their own (seq at 0, 24 guarded bytes at 8).
func Pose() *segment.Layout {
	l := SHKV2()
	l.Name = "pose"
	l.Lock = &seqlock.Lock{
		Seq: Seq, Counter: Counter, Futex: Futex, Waiters: none, CopySize: 8 + 48,
		Blocks: []seqlock.Block{
			{Offset: 64, CopyOffset: 8, Size: 40, Unit: 8},
			{Offset: 116, CopyOffset: 48, Size: 8, Unit: 4},
		},
	}
	l.Guarded = []segment.Guarded{{Lock: Plain(), Offset: 1024, Stride: 32, Count: 3}}
	return l
}

// Plain is a seqlock with nothing but seq at 0 and 24 guarded bytes at 8.
func Plain() *seqlock.Lock {
	return &seqlock.Lock{
		Seq: 0, Counter: none, Futex: none, Waiters: none, CopySize: 24,
		Blocks: []seqlock.Block{{Offset: 8, CopyOffset: 0, Size: 24, Unit: 8}},
	}
}

// Heap returns a zeroed page of ordinary memory, aligned to 8: the race detector
// is blind on mapped files.
func Heap(size int) []byte {
	words := make([]uint64, (size+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
}

// Fill makes b a record of update id: the id, what follows from the salt, and a
// checksum. len(b) is a multiple of 4, at least 16.
func Fill(b []byte, id uint64, salt uint32) {
	binary.NativeEndian.PutUint64(b, id)
	for at := 8; at < len(b)-4; at += 4 {
		binary.NativeEndian.PutUint32(b[at:], salt^uint32(id)*2654435761+uint32(at))
	}
	binary.NativeEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[:len(b)-4]))
}

// Record is Fill on new memory, aligned to 8.
func Record(size int, id uint64, salt uint32) []byte {
	b := Heap(size)
	Fill(b, id, salt)
	return b
}

// ID returns the id of a record and whether the record is whole.
func ID(b []byte) (id uint64, whole bool) {
	sum := binary.NativeEndian.Uint32(b[len(b)-4:])
	return binary.NativeEndian.Uint64(b), sum == crc32.ChecksumIEEE(b[:len(b)-4])
}

// U32 and U64 peek at bytes that nobody else writes.
func U32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }
func U64(b []byte, at int) uint64 { return binary.NativeEndian.Uint64(b[at:]) }

// Put32 and Put64 poke into them.
func Put32(b []byte, at int, v uint32) { binary.NativeEndian.PutUint32(b[at:], v) }
func Put64(b []byte, at int, v uint64) { binary.NativeEndian.PutUint64(b[at:], v) }

// Ptr returns the address of the first byte.
func Ptr(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
