package layout

// FactKind says which property of a record a fact is about.
type FactKind string

// The kinds of facts.
const (
	FactSize   FactKind = "size"
	FactAlign  FactKind = "align"
	FactOffset FactKind = "offset"
)

// Fact is one number, in bytes, that every compiler must find by itself.
type Fact struct {
	Kind   FactKind
	Record *Record
	Field  *Field // of an offset
	Want   int
}

// Name renders the fact as reports do: offset(slot.key).
func (f Fact) Name() string {
	name := f.Record.Name
	if f.Field != nil {
		name += "." + f.Field.Name
	}
	return string(f.Kind) + "(" + name + ")"
}

// Facts lists the size and alignment of every record and snapshot and the
// offset of every field. Reserved fields are left out: they have no name in
// the output, and their place follows from their neighbours'.
func (l *Layout) Facts() []Fact {
	var facts []Fact
	for _, r := range l.AllRecords() {
		facts = append(facts,
			Fact{Kind: FactSize, Record: r, Want: r.Size},
			Fact{Kind: FactAlign, Record: r, Want: r.Align})
		for _, f := range r.Fields {
			if f.Type.Kind != KindReserved {
				facts = append(facts, Fact{Kind: FactOffset, Record: r, Field: f, Want: f.Offset})
			}
		}
	}
	return facts
}
