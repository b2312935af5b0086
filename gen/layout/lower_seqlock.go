package layout

import (
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/spec"
)

// seqlocks works out what each seqlock guards and how its bytes are copied.
func (lo *lowering) seqlocks() {
	for _, r := range lo.layout.Records {
		lo.seqlock(r)
	}
	page := lo.layout.Page
	lo.seqlock(page)
	lo.leaning(page)
	for _, r := range lo.layout.Records {
		lo.nested(r)
	}
	lo.instances(page)
}

// seqlock resolves the seqlock of one record, if it has one.
func (lo *lowering) seqlock(r *Record) {
	seq := r.byRole(RoleSeqlock)
	if seq == nil {
		return
	}
	s := &Seqlock{
		Seq: seq, Futex: r.byRole(RoleFutex), Waiters: r.byRole(RoleWaiters), Ring: r.byRole(RoleRing),
	}
	for _, name := range lo.words[seq].Guards {
		lo.guard(r, seq, name)
	}
	if c := r.byRole(RoleCounter); c != nil && c.Guarded {
		s.Counter = c
	}
	if s.Ring != nil && !s.Ring.Guarded {
		lo.errorf(s.Ring.Pos, "field %q: the seqlock %q must guard the ring", s.Ring.Name, seq.Name)
	}
	if s.Ring != nil {
		lo.ringAlone(r)
		lo.ringWords(s.Ring)
	}
	if lo.errs.Len() > 0 {
		return
	}
	lo.blocks(r, s)
	if lo.errs.Len() == 0 {
		s.Copy = s.copyRecord(r)
		r.Seqlock = s
	}
}

// guard marks one field that a seqlock names.
func (lo *lowering) guard(r *Record, seq *Field, id spec.Ident) {
	f := r.byName(id.Name)
	switch {
	case id.Name == "":
	case f == nil:
		lo.errorf(
			id.Pos,
			"field %q: guards names %q, which is no field of the %s",
			seq.Name,
			id.Name,
			kindOfRecord(r),
		)
	case f.Guarded:
		lo.errorf(id.Pos, "field %q: guards names %q twice", seq.Name, id.Name)
	case f.Role != RoleNone && f.Role != RoleCounter && f.Role != RoleRing:
		lo.errorf(id.Pos, "field %q: a seqlock can not guard the %s %q", seq.Name, f.Role, f.Name)
	case f.ReadOnly || f.Type.Kind == KindReserved:
		lo.errorf(
			id.Pos,
			"field %q: %q is never written, so there is nothing to guard",
			seq.Name,
			f.Name,
		)
	default:
		f.Guarded = true
	}
}

// ringAlone holds a page with a ring to one kind of write: a record and the
// counter.
func (lo *lowering) ringAlone(r *Record) {
	for _, f := range r.Fields {
		if f.Guarded && f.Role != RoleRing && f.Role != RoleCounter {
			lo.errorf(f.Pos, "field %q: a page with a ring guards its counter and its ring only; "+
				"put the field into the ring's record or leave it unguarded", f.Name)
		}
	}
}

// ringWords asks for records of whole words: a write of one must not touch its
// neighbour.
func (lo *lowering) ringWords(ring *Field) {
	if size := ring.Type.ElemSize(); size%4 != 0 || ring.Offset%4 != 0 {
		lo.errorf(lo.words[ring].Type.Pos,
			"field %q: a ring's records fill whole 4-byte words; these have %d bytes at offset %d",
			ring.Name, size, ring.Offset)
	}
}

// leaning checks how futex, ring and waiters lean on the counter.
func (lo *lowering) leaning(page *Record) {
	counter := page.byRole(RoleCounter)
	lean := func(f *Field, key string, id spec.Ident) {
		switch {
		case counter == nil || id.Name != counter.Name:
			lo.errorf(
				id.Pos,
				"field %q: %s names %q, which is not the page's counter",
				f.Name,
				key,
				id.Name,
			)
		case !counter.Guarded:
			lo.errorf(id.Pos, "field %q: no seqlock guards the counter %q", f.Name, counter.Name)
		}
	}
	if f := page.byRole(RoleFutex); f != nil {
		lean(f, "follows", lo.words[f].Follows)
	}
	if f := page.byRole(RoleRing); f != nil {
		lean(f, "index", lo.words[f].Index)
	}
	if f := page.byRole(RoleWaiters); f != nil && page.byRole(RoleFutex) == nil {
		lo.errorf(f.Pos, "field %q: there is no futex to wait on", f.Name)
	}
}

// nested refuses a record with a seqlock inside another record: its place in
// the page would depend on two indices, which no reader could name.
func (lo *lowering) nested(r *Record) {
	for _, f := range r.Fields {
		if f.Type.Record != nil && f.Type.Record.byRole(RoleSeqlock) != nil {
			lo.errorf(
				f.Pos,
				"field %q: record %q has a seqlock of its own and can stand in the page only",
				f.Name,
				f.Type.Record.Name,
			)
		}
	}
}

// instances lists where the page holds records with a seqlock of their own.
func (lo *lowering) instances(page *Record) {
	for _, f := range page.Fields {
		r := f.Type.Record
		if r == nil || r.byRole(RoleSeqlock) == nil {
			continue
		}
		switch {
		case f.Guarded:
			lo.errorf(
				f.Pos,
				"field %q: record %q has a seqlock of its own; the page's must not guard it too",
				f.Name,
				r.Name,
			)
		case len(f.Type.Dims) > 1:
			lo.errorf(
				f.Pos,
				"field %q: records with a seqlock stand alone or in an array of one dimension",
				f.Name,
			)
		default:
			lo.layout.Guarded = append(lo.layout.Guarded, &Guarded{
				Field: f, Record: r, Offset: f.Offset, Stride: r.Size, Count: f.Type.Count(),
			})
		}
	}
}

func (r *Record) byRole(role Role) *Field {
	for _, f := range r.Fields {
		if f.Role == role {
			return f
		}
	}
	return nil
}

func (r *Record) byName(name string) *Field {
	for _, f := range r.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

func kindOfRecord(r *Record) string {
	if r.Name == "page" {
		return "page"
	}
	return "record"
}

// wordPos is where a fault of how a field shares its word is told.
func (lo *lowering) wordPos(f *Field) diag.Pos { return fieldPos(lo.words[f]) }
