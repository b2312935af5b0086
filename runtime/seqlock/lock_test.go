package seqlock_test

import (
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	for name, l := range map[string]*seqlock.Lock{
		"ring":          pagetest.SHKV2().Lock,
		"ring, waiters": pagetest.Elided().Lock,
		"narrow ring":   pagetest.Narrow().Lock,
		"no ring":       pagetest.Pose().Lock,
		"only seq":      pagetest.Plain(),
	} {
		require.NoError(t, l.Validate(pagetest.Size), name)
	}

	for name, spoil := range map[string]func(l *seqlock.Lock){
		"seq missing":            func(l *seqlock.Lock) { l.Seq = seqlock.None },
		"seq behind the end":     func(l *seqlock.Lock) { l.Seq = pagetest.Size },
		"seq misaligned":         func(l *seqlock.Lock) { l.Seq = 10 },
		"counter misaligned":     func(l *seqlock.Lock) { l.Counter = 20 },
		"counter missing":        func(l *seqlock.Lock) { l.Counter = seqlock.None },
		"words overlap":          func(l *seqlock.Lock) { l.Futex = l.Counter + 4 },
		"waiters without futex":  func(l *seqlock.Lock) { l.Futex, l.Waiters = seqlock.None, 24 },
		"zero value":             func(l *seqlock.Lock) { *l = seqlock.Lock{} },
		"block behind the end":   func(l *seqlock.Lock) { l.Blocks[0].Offset = pagetest.Size - 8 },
		"block before the start": func(l *seqlock.Lock) { l.Blocks[0].Offset = -8 },
		"block behind the copy":  func(l *seqlock.Lock) { l.Blocks[0].CopyOffset = 16 },
		"block of unit 2":        func(l *seqlock.Lock) { l.Blocks[0].Unit = 2 },
		"block misaligned":       func(l *seqlock.Lock) { l.Blocks[0].Offset = 60 },
		"no room for counter":    func(l *seqlock.Lock) { l.CopySize, l.Blocks = 4, nil },
		"ring behind the end":    func(l *seqlock.Lock) { l.Ring.Count = 64 },
		"ring that overflows":    func(l *seqlock.Lock) { l.Ring.Count, l.Ring.Stride = 1<<30, 1<<30 },
		"empty ring":             func(l *seqlock.Lock) { l.Ring.Count = 0 },
		"ring without stride":    func(l *seqlock.Lock) { l.Ring.Stride = 0 },
		"ring misaligned":        func(l *seqlock.Lock) { l.Ring.Stride = 60 },
	} {
		l := pagetest.SHKV2().Lock
		spoil(l)
		require.ErrorIs(t, l.Validate(pagetest.Size), seqlock.ErrLayout, name)
	}
}

func TestBind(t *testing.T) {
	mem := pagetest.Heap(pagetest.Size + 8)
	l := pagetest.SHKV2().Lock
	base, err := seqlock.Bind(mem[:pagetest.Size], l)
	require.NoError(t, err)
	require.Equal(t, pagetest.Ptr(mem), base)

	_, err = seqlock.Bind(mem[:64], l)
	require.ErrorIs(t, err, seqlock.ErrLayout, "too short")
	_, err = seqlock.Bind(mem[4:4+pagetest.Size], l)
	require.ErrorIs(t, err, seqlock.ErrLayout, "a counter at a multiple of 4 only")
}

func TestIndex(t *testing.T) {
	r := seqlock.Ring{Count: 8}
	require.Equal(t, 0, r.Index(1))
	require.Equal(t, 7, r.Index(8))
	require.Equal(t, 0, r.Index(9))
	require.Equal(t, 7, r.Index(0), "after the counter came round")
}
