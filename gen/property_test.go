package gen_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/internal/specgen"
	"github.com/shmkv/shmkv/gen/layout"
)

// TestDrawnLayoutsResolve: whatever the generator of legal layouts draws is
// accepted, and what is resolved keeps the rules that emitters lean on.
func TestDrawnLayoutsResolve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := specgen.Draw(t)
		l, err := gen.Parse("drawn.yaml", []byte(text))
		require.NoError(t, err, text)
		for _, r := range l.AllRecords() {
			sound(t, r)
		}
		for _, s := range []*layout.Record{l.Page, l.Records[len(l.Records)-1]} {
			if s.Seqlock != nil {
				covered(t, s)
			}
		}
	})
}

// sound holds a record to what a struct declaration needs.
func sound(t *rapid.T, r *layout.Record) {
	at := 0
	for _, m := range r.Members() {
		require.Equal(t, at, m.Offset, "%s has a hole or an overlap", r.Name)
		require.Positive(t, m.Size)
		at = m.Offset + m.Size
		if m.Field != nil {
			require.Zero(t, m.Offset%m.Field.Type.Align(), "%s.%s", r.Name, m.Field.Name)
		}
	}
	require.Equal(t, r.Size, at)
	require.Zero(t, r.Size%r.Align)
}

// covered holds the blocks of a seqlock to its fields: every guarded byte is
// copied by exactly one block, and no byte that is not guarded is but padding.
func covered(t *rapid.T, r *layout.Record) {
	owner := make([]int, r.Size)
	if ring := r.Seqlock.Ring; ring != nil {
		require.Len(t, r.Seqlock.Blocks, 1)
		require.Equal(t, r.Seqlock.RingUnit(), r.Seqlock.Blocks[0].Unit)
		require.Zero(t, ring.Type.ElemSize()%r.Seqlock.RingUnit())
	}
	for i, b := range r.Seqlock.Blocks {
		require.Zero(t, b.Offset%b.Unit)
		require.Zero(t, b.Size%b.Unit)
		require.Zero(t, b.CopyOffset%b.Unit)
		require.LessOrEqual(t, b.CopyOffset+b.Size, r.Seqlock.Copy.Size)
		for at := b.Offset; at < b.Offset+b.Size; at++ {
			require.Zero(t, owner[at], "byte %d is copied twice", at)
			owner[at] = i + 1
		}
	}
	for _, f := range r.Fields {
		inside := f.Guarded && f.Role != layout.RoleCounter
		for at := f.Offset; at < f.End() && f.Type.Kind != layout.KindReserved; at++ {
			require.Equal(t, inside, owner[at] != 0, "%s.%s byte %d", r.Name, f.Name, at)
		}
	}
}
