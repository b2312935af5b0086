package seqlock_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
)

// slotOf is a slot of the pinned page: 24 bytes of key, 40 of value.
func slotOf(key, value string) []byte {
	b := pagetest.Heap(pagetest.SlotSize)
	copy(b, key)
	copy(b[24:], value)
	return b
}

// The golden image of the contract, after six updates on a fresh page.
func TestPublishGolden(t *testing.T) {
	l := pagetest.SHKV2().Lock
	mem := pagetest.Heap(pagetest.Size)
	want := make([]byte, pagetest.Size)
	for id := uint64(1); id <= 6; id++ {
		slot := slotOf(fmt.Sprintf("k%d", id), fmt.Sprintf("value-%d", id))
		require.Equal(t, id, l.Publish(pagetest.Ptr(mem), pagetest.Ptr(slot)))
		copy(want[64+64*(id-1):], slot)
	}
	copy(want[8:], []byte{12, 0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0})
	require.Equal(t, want, mem)
}

func TestRingComesRound(t *testing.T) {
	l := pagetest.Narrow().Lock
	mem := pagetest.Heap(pagetest.Size)
	for id := uint64(1); id <= 10; id++ {
		l.Publish(pagetest.Ptr(mem), pagetest.Ptr(pagetest.Record(20, id, 7)))
	}
	dst := pagetest.Heap(20)
	for _, id := range []uint64{8, 9, 10} {
		c, ok := l.TryReadSlot(pagetest.Ptr(mem), l.Ring.Index(id), pagetest.Ptr(dst))
		require.True(t, ok)
		require.EqualValues(t, 10, c)
		require.Equal(t, pagetest.Record(20, id, 7), dst)
	}
	require.Panics(t, func() { l.TryReadSlot(pagetest.Ptr(mem), 3, pagetest.Ptr(dst)) })
	require.Panics(t, func() { l.TryReadSlot(pagetest.Ptr(mem), -1, pagetest.Ptr(dst)) })
}

func TestUpdateAndRead(t *testing.T) {
	l := pagetest.Pose().Lock
	mem := pagetest.Heap(pagetest.Size)
	src := pagetest.Heap(l.CopySize)
	pagetest.Put64(src, 0, 999) // not looked at
	for i := 8; i < len(src); i++ {
		src[i] = byte(i)
	}
	require.EqualValues(t, 1, l.Update(pagetest.Ptr(mem), pagetest.Ptr(src)))
	require.EqualValues(t, 2, l.Update(pagetest.Ptr(mem), pagetest.Ptr(src)))
	require.EqualValues(t, 4, pagetest.U32(mem, pagetest.Seq))
	require.EqualValues(t, 2, pagetest.U32(mem, pagetest.Futex))
	require.Equal(t, src[8:48], mem[64:104])
	require.Equal(t, src[48:56], mem[116:124])
	require.Equal(t, make([]byte, 12), mem[104:116], "between the blocks")

	dst := pagetest.Heap(l.CopySize)
	require.NoError(t, l.Read(pagetest.Ptr(mem), pagetest.Ptr(dst), time.Time{}))
	pagetest.Put64(src, 0, 2)
	require.Equal(t, src, dst)

	c, err := l.ReadCounter(pagetest.Ptr(mem), time.Time{})
	require.NoError(t, err)
	require.EqualValues(t, 2, c)
}

func TestUpdateWithoutCounter(t *testing.T) {
	l := pagetest.Plain()
	mem := pagetest.Heap(32)
	src := pagetest.Record(24, 5, 5)
	require.Zero(t, l.Update(pagetest.Ptr(mem), pagetest.Ptr(src)))
	require.EqualValues(t, 2, pagetest.U32(mem, 0))
	dst := pagetest.Heap(24)
	require.True(t, l.TryRead(pagetest.Ptr(mem), pagetest.Ptr(dst)))
	require.Equal(t, src, dst)
	n, err := l.Wake(pagetest.Ptr(mem))
	require.NoError(t, err)
	require.Zero(t, n)
}

// Every counter of the page comes round: seq after 2^31 updates, the futex word
// after 2^32, the counter after 2^64.
func TestWordsComeRound(t *testing.T) {
	for _, start := range []uint64{math.MaxUint32 - 2, math.MaxUint64 - 2} {
		l := pagetest.SHKV2().Lock
		mem := pagetest.Heap(pagetest.Size)
		pagetest.Put32(mem, pagetest.Seq, math.MaxUint32-3)
		pagetest.Put32(mem, pagetest.Futex, uint32(start))
		pagetest.Put64(mem, pagetest.Counter, start)
		dst := pagetest.Heap(l.CopySize)
		for i := uint64(1); i <= 6; i++ {
			id := start + i
			rec := pagetest.Record(pagetest.SlotSize, id, 1)
			require.Equal(t, id, l.Publish(pagetest.Ptr(mem), pagetest.Ptr(rec)))
			require.True(t, l.TryRead(pagetest.Ptr(mem), pagetest.Ptr(dst)))
			require.Equal(t, id, pagetest.U64(dst, 0))
			require.Equal(t, uint32(id), pagetest.U32(mem, pagetest.Futex))
			at := 8 + pagetest.SlotSize*l.Ring.Index(id)
			require.Equal(t, rec, dst[at:at+pagetest.SlotSize])
		}
		require.EqualValues(t, 8, pagetest.U32(mem, pagetest.Seq))
	}
}

// A page left odd keeps its parity: the next write closes it.
func TestWriteBeginOnOddPage(t *testing.T) {
	seq := uint32(7)
	q := seqlock.WriteBegin(&seq)
	require.EqualValues(t, 7, seq)
	seqlock.WriteEnd(&seq, q)
	require.EqualValues(t, 8, seq)

	s := seqlock.ReadBegin(&seq)
	require.False(t, seqlock.ReadRetry(&seq, s))
	q = seqlock.WriteBegin(&seq)
	require.True(t, seqlock.ReadRetry(&seq, s))
	require.True(t, seqlock.ReadRetry(&seq, seqlock.ReadBegin(&seq)), "odd")
	seqlock.WriteEnd(&seq, q)
	require.True(t, seqlock.ReadRetry(&seq, s))
}
