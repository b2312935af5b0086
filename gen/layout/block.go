package layout

// joinGap is the widest run of padding, in bytes, that is copied along rather
// than splitting a block in two.
const joinGap = 8

// blocks joins the guarded fields into runs of whole words. The seqlock
// protocol needs every guarded byte to be accessed by atomics of one width, so
// a word may hold guarded bytes and padding, and nothing else.
func (lo *lowering) blocks(r *Record, s *Seqlock) {
	at := 0
	if s.Counter != nil {
		at = s.Counter.Size
	}
	for i := 0; i < len(r.Fields); {
		if !inBlock(r.Fields[i]) {
			i++
			continue
		}
		j := i // the last field of the block
		for k := i + 1; k < len(r.Fields); k++ {
			f := r.Fields[k]
			if f.Type.Kind == KindReserved {
				continue
			}
			if !inBlock(f) || f.Offset-r.Fields[j].End() > joinGap {
				break
			}
			j = k
		}
		b, ok := lo.block(r, i, j)
		if ok {
			// The copy keeps each byte's position within 8, so that every
			// field of it stays aligned.
			b.CopyOffset = alignUp(at, 8) + b.Offset%8
			if at%8 <= b.Offset%8 {
				b.CopyOffset = at - at%8 + b.Offset%8
			}
			at = b.CopyOffset + b.Size
			s.Blocks = append(s.Blocks, b)
		}
		i = j + 1
	}
}

func inBlock(f *Field) bool { return f.Guarded && f.Role != RoleCounter }

// block widens fields i..j of a record to whole words: of 8 bytes where padding
// allows, else of 4.
func (lo *lowering) block(r *Record, i, j int) (Block, bool) {
	start, end := r.Fields[i].Offset, r.Fields[j].End()
	low, high := 0, r.Size
	var before, behind *Field
	for k := i - 1; k >= 0 && before == nil; k-- {
		if f := r.Fields[k]; f.Type.Kind != KindReserved {
			before, low = f, f.End()
		}
	}
	for k := j + 1; k < len(r.Fields) && behind == nil; k++ {
		if f := r.Fields[k]; f.Type.Kind != KindReserved {
			behind, high = f, f.Offset
		}
	}
	widest := 8
	if f := r.Fields[i]; f.Role == RoleRing {
		widest = ringUnit(f) // one record is copied alone, too: one width for both
	}
	for unit := widest; unit >= 4; unit /= 2 {
		from, to := start&^(unit-1), alignUp(end, unit)
		if from >= low && to <= high && r.Align >= unit {
			return Block{Offset: from, Size: to - from, Unit: unit}, true
		}
	}
	f, other := r.Fields[i], before
	if start&^3 >= low {
		f, other = r.Fields[j], behind
	}
	switch {
	case r.Align < 4 || other == nil:
		lo.errorf(lo.wordPos(f), "field %q: what a seqlock guards must fill whole 4-byte words; "+
			"%s leaves no room to widen it", f.Name, recordLabel(r))
	default:
		lo.errorf(
			lo.wordPos(f),
			"field %q: bytes %d..%d share a 4-byte word with field %q at bytes %d..%d, "+
				"which no block can copy together; guard both or move one",
			f.Name,
			f.Offset,
			f.End(),
			other.Name,
			other.Offset,
			other.End(),
		)
	}
	return Block{}, false
}

// copyRecord builds the record a snapshot fills.
func (s *Seqlock) copyRecord(r *Record) *Record {
	c := &Record{
		Name: "snapshot", Pos: r.Pos, Align: 4,
		Doc: "A private copy of what the seqlock guards, consistent in itself.",
	}
	if r.Name != "page" {
		c.Name = r.Name + "_snapshot"
	}
	add := func(f *Field, offset int) {
		g := *f
		g.Offset, g.Role = offset, RoleNone
		c.Fields = append(c.Fields, &g)
		c.Align = max(c.Align, f.Type.Align())
	}
	end := 0
	if s.Counter != nil {
		add(s.Counter, 0)
		end = s.Counter.Size
	}
	for _, b := range s.Blocks {
		for _, f := range r.Fields {
			if inBlock(f) && f.Offset >= b.Offset && f.End() <= b.Offset+b.Size {
				add(f, f.Offset-b.Offset+b.CopyOffset)
			}
		}
		end = b.CopyOffset + b.Size
	}
	c.Size = alignUp(end, c.Align)
	return c
}
