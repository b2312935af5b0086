package ctext

import (
	"fmt"

	"github.com/shmkv/shmkv/gen/layout"
)

// Endian writes the check that the target has the byte order of the layout.
func Endian(s *Source, l *layout.Layout) {
	want, other := "__ORDER_LITTLE_ENDIAN__", "big"
	switch l.Endian {
	case layout.Native:
		return
	case layout.Big:
		want, other = "__ORDER_BIG_ENDIAN__", "little"
	}
	s.Line("#if __BYTE_ORDER__ != %s", want)
	text := fmt.Sprintf("%s is %s-endian; this target is %s-endian", l.Name, l.Endian, other)
	s.Line("#error %s", Quote([]byte(text)))
	s.Line("#endif")
	s.Blank()
}

// Check refuses what the protocol can not copy: records of a ring that are not
// whole 4-byte words, whose neighbours a copy would touch.
func Check(l *layout.Layout) error {
	if l.Page.Seqlock == nil || l.Page.Seqlock.Ring == nil {
		return nil
	}
	ring := l.Page.Seqlock.Ring
	if size := ring.Type.ElemSize(); size%4 != 0 || ring.Offset%4 != 0 {
		return fmt.Errorf("%s: field %q: records of a ring must be whole 4-byte words; "+
			"these have %d bytes, from offset %d", ring.Pos, ring.Name, size, ring.Offset)
	}
	return nil
}

// Words lists the fields of a page that are accessed as atomic words of their
// own, for the assertion that the target can.
func Words(lock *layout.Seqlock) []*layout.Field {
	var words []*layout.Field
	if lock == nil {
		return nil
	}
	for _, f := range []*layout.Field{lock.Seq, lock.Futex, lock.Waiters} {
		if f != nil {
			words = append(words, f)
		}
	}
	return words
}

// Unit returns the width that an unguarded field is copied by: that of its
// alignment, so that no scalar in it is ever torn on a machine with such words.
func Unit(f *layout.Field) int { return f.Type.Align() }

// NeedsAlign tells the alignment that a member must be given by hand, 0 for
// none: 8-byte scalars, which i386 would align to 4, and the first member of
// a record whose members ask for less than the record.
func NeedsAlign(r *layout.Record, m layout.Member) int {
	if m.Field != nil && m.Field.Type.Kind != layout.KindRecord && m.Field.Type.Align() == 8 {
		return 8
	}
	if m.Offset != 0 {
		return 0
	}
	natural := 1
	for _, f := range r.Fields {
		if f.Type.Kind != layout.KindReserved {
			natural = max(natural, f.Type.Align())
		}
	}
	if natural < r.Align {
		return r.Align
	}
	return 0
}

// View is an unguarded field that views give access to: of the page, or of
// every record of an array below it.
type View struct {
	Field  *layout.Field
	In     *layout.Guarded // nil: of the page itself
	Offset int             // in the page, of the first
}

// Views lists what views show: fields of the page that no seqlock guards, and
// such fields of records with a seqlock of their own.
func Views(l *layout.Layout) []View {
	var views []View
	guarded := map[*layout.Field]bool{}
	for _, g := range l.Guarded {
		guarded[g.Field] = true
	}
	add := func(f *layout.Field, g *layout.Guarded, base int) {
		hidden := f.Guarded && f.Role != layout.RoleCounter
		if f.Type.Kind != layout.KindReserved && !guarded[f] && !hidden {
			views = append(views, View{Field: f, In: g, Offset: base + f.Offset})
		}
	}
	for _, f := range l.Page.Fields {
		add(f, nil, 0)
	}
	for _, g := range l.Guarded {
		for _, f := range g.Record.Fields {
			add(f, g, g.Offset)
		}
	}
	return views
}

// Writable tells whether a view may store to a field: what the protocol writes
// and what never changes are out of bounds.
func (v View) Writable() bool {
	f := v.Field
	plain := f.Role == layout.RoleNone || f.Role == layout.RoleCounter
	return plain && !f.ReadOnly && !f.Guarded && f.Const == nil
}
