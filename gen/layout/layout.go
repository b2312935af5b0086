// Package layout is the intermediate representation between the spec and the
// emitters: every offset, size and alignment is resolved here and nowhere
// else. It knows no output language. A Layout is immutable once lowered.
//
// Unless a name says otherwise, offsets, sizes, strides and alignments are in
// bytes and counts are in elements.
package layout

import "github.com/shmkv/shmkv/gen/diag"

// None stands for an offset that does not exist.
const None = -1

// Endian is the byte order a page is kept in.
type Endian string

// The byte orders. Native pages follow the machine and never leave it.
const (
	Little Endian = "little"
	Big    Endian = "big"
	Native Endian = "native"
)

// Layout is one resolved spec.
type Layout struct {
	Name   string
	Doc    string
	Pos    diag.Pos
	Endian Endian
	Size   int // of the segment; equals Page.Size

	Page    *Record   // the root record, named "page"
	Records []*Record // every other record; one stands after those it contains
	Enums   []*Enum   // enums and flag sets, in the order of the spec
	Consts  []*Const  // named constants, in the order of the spec

	Stamps  []*Stamp   // what creating a page writes and opening it compares
	Guarded []*Guarded // records below the page that carry their own seqlock

	Canonical   string // the text the fingerprint is taken of
	Fingerprint uint64
}

// Record is a struct: fields at fixed offsets, padded to Size.
type Record struct {
	Name   string
	Doc    string
	Pos    diag.Pos
	Size   int
	Align  int      // 1, 2, 4 or 8
	Fields []*Field // in the order of their offsets; they never overlap

	Seqlock *Seqlock // nil where the record has none
}

// Field is one member of a record.
type Field struct {
	Name string
	Doc  string
	Pos  diag.Pos

	Offset int // from the start of the record
	Size   int
	Type   Type

	Role     Role
	Guarded  bool // a seqlock of the same record guards it
	ReadOnly bool // no setter: written when the page is created
	// Const is the Size bytes the field always holds, in the order of the page
	// (little where native); nil if none.
	Const []byte
}

// Type is what a field holds: a scalar, text, bytes, an enum, a record, or an
// array of one of them.
type Type struct {
	Kind   Kind
	Len    int     // of char[N], bytes[N] and reserved[N]; else 0
	Enum   *Enum   // of KindEnum and KindFlags
	Record *Record // of KindRecord
	Dims   []int   // array dimensions, outermost first, as C declares them; empty for no array
}

// Enum is a set of named values over an unsigned width: an enum (one value at
// a time) or a flag set (an OR of bits). Values outside the set are legal in
// memory and survive a round trip.
type Enum struct {
	Name   string
	Doc    string
	Pos    diag.Pos
	Flags  bool
	Base   Kind // KindU8, KindU16, KindU32 or KindU64
	Values []*EnumValue
}

// EnumValue is one named value. In a flag set Value is the mask, not the bit.
type EnumValue struct {
	Name  string
	Doc   string
	Pos   diag.Pos
	Value uint64
}

// Const is a named constant of the spec. Exactly one of the value fields
// counts, by Kind: Int for signed, Uint for unsigned integers, Float, Text
// for KindChar, Bool.
type Const struct {
	Name  string
	Doc   string
	Pos   diag.Pos
	Kind  Kind // an integer, float, bool, or KindChar for text
	Int   int64
	Uint  uint64
	Float float64
	Bool  bool
	Text  string
}

// Stamp is a run of bytes that formatting a page writes and opening compares.
type Stamp struct {
	Role   Role // RoleMagic, RoleVersion, RoleFingerprint, or RoleNone for a plain constant
	Field  *Field
	Offset int
	Value  []byte // in the layout's byte order (little where native)
}

// Seqlock is everything the protocol needs to know about one seqlock. Offsets
// are from the start of the record that carries it.
type Seqlock struct {
	Seq     *Field // u32: odd while a write is in progress
	Counter *Field // u64, guarded: how many updates were published; nil if none
	Futex   *Field // u32: low half of the counter, to sleep on; nil if none
	Waiters *Field // u32: number of sleepers, for wake elision; nil if none
	Ring    *Field // an array of records: update id lies at (id-1) % count; nil if none

	// Blocks are the guarded bytes without the counter, by offset. One block
	// joins neighbouring guarded fields and the padding between them.
	Blocks []Block

	// Copy is the private copy a snapshot fills, as a record of its own:
	// first the counter (where there is one), then the blocks, each at its
	// CopyOffset. Its name is "snapshot" for the page and "<record>_snapshot"
	// for others. Its fields keep the names of the record's fields.
	Copy *Record
}

// Block is a run of guarded bytes that is copied with atomic accesses of Unit
// bytes (8, done as two of 4 on 32-bit targets; or 4). Offset, CopyOffset and
// Size are multiples of Unit.
type Block struct {
	Offset     int
	CopyOffset int
	Size       int
	Unit       int
}

// Guarded names the places of a record with a seqlock of its own below the
// page: Field of the page holds Count of them (1 where it is no array).
type Guarded struct {
	Field  *Field
	Record *Record
	Offset int
	Stride int
	Count  int
}

// Elem returns the type without its array dimensions.
func (t Type) Elem() Type {
	t.Dims = nil
	return t
}

// Count returns the number of elements: the product of the dimensions, 1 for
// no array.
func (t Type) Count() int {
	n := 1
	for _, d := range t.Dims {
		n *= d
	}
	return n
}

// ElemSize returns the size of one element, which is also the array's stride.
func (t Type) ElemSize() int {
	switch t.Kind {
	case KindChar, KindBytes, KindReserved:
		return t.Len
	case KindEnum, KindFlags:
		return t.Enum.Base.Size()
	case KindRecord:
		return t.Record.Size
	default:
		return t.Kind.Size()
	}
}

// Align returns the alignment, the same on every target: 8-byte scalars align
// to 8 on 32-bit machines too.
func (t Type) Align() int {
	switch t.Kind {
	case KindChar, KindBytes, KindReserved:
		return 1
	case KindRecord:
		return t.Record.Align
	default:
		return t.ElemSize()
	}
}

// End returns the offset of the first byte behind the field.
func (f *Field) End() int { return f.Offset + f.Size }

// RingCount returns the number of records the ring keeps.
func (s *Seqlock) RingCount() int { return s.Ring.Type.Count() }

// RingUnit returns the access width for one record of the ring: 8 or 4. It is
// also the unit of the block that holds the ring.
func (s *Seqlock) RingUnit() int { return ringUnit(s.Ring) }

func ringUnit(ring *Field) int {
	if ring.Offset%8 == 0 && ring.Type.ElemSize()%8 == 0 {
		return 8
	}
	return 4
}

// Member is a field or a run of padding, as a struct declaration needs them:
// members follow each other without a gap from 0 to the record's size.
type Member struct {
	Field  *Field // nil for padding
	Offset int
	Size   int
	Index  int // of the padding run in its record, from 0; 0 for fields
}

// Members returns the fields with every gap between and behind them made
// explicit, so that no compiler has any padding left to choose.
func (r *Record) Members() []Member {
	var members []Member
	at, gaps := 0, 0
	pad := func(to int) {
		if to > at {
			members = append(members, Member{Offset: at, Size: to - at, Index: gaps})
			gaps++
		}
		at = to
	}
	for _, f := range r.Fields {
		pad(f.Offset)
		members = append(members, Member{Field: f, Offset: f.Offset, Size: f.Size})
		at = f.End()
	}
	pad(r.Size)
	return members
}

// AllRecords returns the page, every other record and every snapshot, one
// after those it contains: the order in which a C header declares them.
func (l *Layout) AllRecords() []*Record {
	var all []*Record
	for _, r := range l.Records {
		all = append(all, r)
		if r.Seqlock != nil {
			all = append(all, r.Seqlock.Copy)
		}
	}
	all = append(all, l.Page)
	if l.Page.Seqlock != nil {
		all = append(all, l.Page.Seqlock.Copy)
	}
	return all
}
