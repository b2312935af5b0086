package layout

import (
	"cmp"
	"slices"

	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/spec"
)

// recordState follows a record through resolution, so that recursion is found
// and each record is placed once.
type recordState struct {
	spec *spec.Record
	out  *Record
	busy bool
	done bool

	broken bool // a fault in it leaves its size unknown
}

// records places every record below the page, each after those it contains.
func (lo *lowering) records() {
	lo.record = map[string]*recordState{}
	lo.words = map[*Field]*spec.Field{}
	for _, r := range lo.spec.Records {
		if _, dup := lo.record[r.Name.Name]; !dup {
			lo.record[r.Name.Name] = &recordState{spec: r, out: &Record{
				Name: r.Name.Name, Doc: r.Doc, Pos: r.Name.Pos, Align: 1,
			}}
		}
	}
	for _, r := range lo.spec.Records {
		lo.place(lo.record[r.Name.Name])
	}
}

// place resolves one record and appends it to the layout.
func (lo *lowering) place(s *recordState) {
	if s.done {
		return
	}
	s.busy = true
	s.broken = !lo.fields(s.out, s.spec, "stride")
	s.busy, s.done = false, true
	lo.layout.Records = append(lo.layout.Records, s.out)
}

// page places the root record; the layout's size is its size.
func (lo *lowering) page() {
	if lo.spec.Page == nil {
		return
	}
	page := *lo.spec.Page
	page.Size = lo.spec.Size
	out := &Record{Name: "page", Doc: lo.spec.Doc, Pos: page.Name.Pos, Align: 1}
	lo.fields(out, &page, "page")
	lo.layout.Page = out
	lo.layout.Size = out.Size
}

// fields places the fields of a record: at their own offset, or behind the
// field declared before by the rules of C, the same on every target. It tells
// whether every field has its place; a field whose place hangs on one that
// could not be read is left out in silence, for its fault has been told.
func (lo *lowering) fields(out *Record, r *spec.Record, container string) bool {
	next, adrift := 0, false
	whole := true
	for _, f := range r.Fields {
		if adrift && f.At.Value == nil && !f.Broken && f.Type != nil {
			lo.resolve(f) // for its diagnostics
			continue
		}
		field, ok := lo.field(f, next)
		if !ok {
			adrift, whole = true, false
			continue
		}
		out.Fields = append(out.Fields, field)
		out.Align = max(out.Align, field.Type.Align())
		next, adrift = field.End(), false
	}
	slices.SortStableFunc(
		out.Fields,
		func(a, b *Field) int { return cmp.Compare(a.Offset, b.Offset) },
	)
	lo.overlaps(out)
	lo.size(out, r, container)
	return whole
}

// field places one field, at next where it names no offset of its own.
func (lo *lowering) field(f *spec.Field, next int) (*Field, bool) {
	if f.Broken || f.Type == nil || f.Name.Name == "" {
		return nil, false // the parser has said why
	}
	t, ok := lo.resolve(f)
	if !ok {
		return nil, false
	}
	size, ok := multiply(t.ElemSize(), t.Count())
	if !ok {
		lo.errorf(
			f.Type.Pos,
			"field %q: its size passes the limit of %d bytes",
			f.Name.Name,
			MaxSize,
		)
		return nil, false
	}
	offset, ok := lo.offset(f, t, next)
	if !ok {
		return nil, false
	}
	if offset+size > MaxSize {
		lo.errorf(fieldPos(f), "field %q: bytes %d..%d pass the limit of %d bytes",
			f.Name.Name, offset, offset+size, MaxSize)
		return nil, false
	}
	field := &Field{
		Name:   f.Name.Name,
		Doc:    f.Doc,
		Pos:    f.Name.Pos,
		Offset: offset,
		Size:   size,
		Type:   t,
	}
	lo.words[field] = f
	return field, true
}

// offset returns where a field goes.
func (lo *lowering) offset(f *spec.Field, t Type, next int) (int, bool) {
	if f.At.Value == nil {
		return alignUp(next, t.Align()), true
	}
	offset, ok := within(f.At.Value, 0, MaxSize)
	if !ok {
		lo.errorf(f.At.Pos, "field %q: offset %s is not in 0..%d", f.Name.Name, f.At.Value, MaxSize)
		return 0, false
	}
	if offset%t.Align() != 0 {
		lo.errorf(
			f.At.Pos,
			"field %q: offset %d is not a multiple of %d",
			f.Name.Name,
			offset,
			t.Align(),
		)
		return 0, false
	}
	return offset, true
}

// overlaps reports every field that shares a byte with one before it.
func (lo *lowering) overlaps(r *Record) {
	var furthest *Field
	for _, f := range r.Fields {
		if furthest != nil && f.Offset < furthest.End() {
			a, b := furthest, f
			if after(a.Pos, b.Pos) {
				a, b = b, a // tell it at the field that was written later
			}
			lo.errorf(
				fieldPos(lo.words[b]),
				"field %q: bytes %d..%d overlap field %q at bytes %d..%d",
				b.Name,
				b.Offset,
				b.End(),
				a.Name,
				a.Offset,
				a.End(),
			)
		}
		if furthest == nil || f.End() > furthest.End() {
			furthest = f
		}
	}
}

// size settles the size of a record: as declared, or the end of its fields
// rounded up to its alignment.
func (lo *lowering) size(out *Record, r *spec.Record, container string) {
	end := 0
	for _, f := range out.Fields {
		end = max(end, f.End())
	}
	out.Size = alignUp(max(end, 1), out.Align)
	if r.Size.Value == nil {
		return
	}
	size, ok := within(r.Size.Value, 1, MaxSize)
	if !ok {
		lo.errorf(
			r.Size.Pos,
			"%s: size %s is not in 1..%d",
			recordLabel(out),
			r.Size.Value,
			MaxSize,
		)
		return
	}
	for _, f := range out.Fields {
		if f.End() > size {
			lo.errorf(
				fieldPos(lo.words[f]),
				"field %q: bytes %d..%d pass the end of the %s (%s has %d bytes)",
				f.Name,
				f.Offset,
				f.End(),
				container,
				recordLabel(out),
				size,
			)
		}
	}
	if size%out.Align != 0 {
		lo.errorf(
			r.Size.Pos,
			"%s: size %d is not a multiple of its alignment %d",
			recordLabel(out),
			size,
			out.Align,
		)
	}
	out.Size = max(size, end)
}

func recordLabel(r *Record) string {
	if r.Name == "page" {
		return "page"
	}
	return `record "` + r.Name + `"`
}

// fieldPos is where a fault of a field's place is told: at its offset where it
// has one, else at its name.
func fieldPos(f *spec.Field) diag.Pos {
	if f.At.Value != nil {
		return f.At.Pos
	}
	return f.Name.Pos
}

func after(a, b diag.Pos) bool {
	return a.Line > b.Line || a.Line == b.Line && a.Col > b.Col
}

// multiply returns a*b when it stays within MaxSize.
func multiply(a, b int) (int, bool) {
	if a != 0 && b > MaxSize/a {
		return 0, false
	}
	return a * b, true
}
