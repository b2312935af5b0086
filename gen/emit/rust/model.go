package rust

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// maxArguments is up to how many fields publish takes as arguments.
const maxArguments = 6

// model is a layout as the templates see it.
type model struct {
	*layout.Layout
	lock *layout.Seqlock // of the page; nil if it has none
	ring *layout.Record  // of the ring; nil if there is none
	// args are the fields that publish takes; nil where it has to take a record.
	args []*layout.Field
	// values are what the templates' variables stand for.
	values map[string]string
}

func newModel(l *layout.Layout) *model {
	m := &model{Layout: l, lock: l.Page.Seqlock, values: map[string]string{
		"LAYOUT": l.Name,
		"PAGE":   typeName(l.Page.Name),
	}}
	if m.lock == nil {
		return m
	}
	m.values["SNAPSHOT"] = typeName(m.lock.Copy.Name)
	if m.lock.Ring != nil {
		m.ring = m.lock.Ring.Type.Record
		m.args = arguments(m.ring)
		m.values["SLOT"] = typeName(m.ring.Name)
	}
	return m
}

func (m *model) hasRing() bool { return m.ring != nil }

// counts tells whether the page has a counter but no ring.
func (m *model) counts() bool {
	return m.lock != nil && m.ring == nil && m.lock.Counter != nil
}

// waits tells whether a reader can sleep until something new is there.
func (m *model) waits() bool { return m.lock != nil && m.lock.Futex != nil }

// arguments returns a record's fields if they are few and simple.
func arguments(r *layout.Record) []*layout.Field {
	fields := visible(r)
	if len(fields) > maxArguments {
		return nil
	}
	for _, f := range fields {
		if len(f.Type.Dims) > 0 || f.Type.Kind == layout.KindRecord || f.ReadOnly || f.Const != nil {
			return nil
		}
	}
	return fields
}

// argumentType returns how publish takes a field.
func argumentType(f *layout.Field) string {
	switch f.Type.Kind {
	case layout.KindChar:
		return "&[u8]"
	case layout.KindBytes:
		return "&" + rustType(f.Type)
	case layout.KindBool:
		return "bool"
	default:
		return rustType(f.Type)
	}
}

// words returns the page's words that a view offers: those of the protocol and
// unsigned ones that no seqlock guards.
func (m *model) words() []*layout.Field {
	var words []*layout.Field
	for _, f := range m.Page.Fields {
		kind := f.Type.Kind
		if len(f.Type.Dims) > 0 || kind != layout.KindU32 && kind != layout.KindU64 {
			continue
		}
		switch f.Role {
		case layout.RoleSeqlock, layout.RoleFutex, layout.RoleCounter, layout.RoleWaiters:
			words = append(words, f)
		case layout.RoleNone:
			if !f.Guarded && f.Const == nil && f.Offset%f.Size == 0 {
				words = append(words, f)
			}
		}
	}
	return words
}

func (s *source) imports(m *model) {
	s.f("#[cfg(feature = \"std\")]")
	s.f("use crate::segment;")
	s.f("use crate::{protocol, shmkv, view};\n")
}

// descriptors emits the constants by which the protocol knows the layout.
func (s *source) descriptors(m *model) {
	for _, r := range m.Records {
		if r.Seqlock != nil {
			s.f("impl %s {", typeName(r.Name))
			s.seqlock(r.Seqlock)
			s.f("}\n")
		}
	}
	s.f("impl %s {", m.values["PAGE"])
	if m.lock != nil {
		s.seqlock(m.lock)
		s.f("")
	}
	if m.hasRing() {
		s.ring(m.lock)
		s.f("")
	}
	s.doc("    ", "///", md("The whole layout, for the protocol."))
	s.f("    pub const LAYOUT: protocol::Layout = protocol::Layout {")
	s.f("        name: %s,", quote(m.Name))
	s.f("        size: %d,", m.Size)
	s.f("        magic: %s,", quote(magicText(m.Layout)))
	s.list("        ", "stamps: ", "protocol::Stamp", len(m.Stamps), func(i int) []string {
		return stampFields(m.Layout, m.Stamps[i])
	})
	s.f("        page: %s,", some(m.lock != nil, "Self::SEQLOCK"))
	s.list("        ", "guarded: ", "protocol::Guarded", len(m.Guarded), func(i int) []string {
		g := m.Guarded[i]
		return []string{
			"field: " + quote(shown(g.Field)),
			"seqlock: " + typeName(g.Record.Name) + "::SEQLOCK",
			"offset: " + strconv.Itoa(g.Offset),
			"stride: " + strconv.Itoa(g.Stride),
			"count: " + strconv.Itoa(g.Count),
		}
	})
	s.f("    };")
	s.f("}\n")
}

func some(is bool, value string) string {
	if !is {
		return "None"
	}
	return "Some(" + value + ")"
}

// list emits a member that is a slice of structs, as rustfmt lays it out.
func (s *source) list(indent, head, name string, n int, fields func(int) []string) {
	body := func(i int, indent string) {
		for _, f := range fields(i) {
			s.f("%s%s,", indent, strings.ReplaceAll(f, "\n", "\n"+indent))
		}
	}
	switch n {
	case 0:
		s.f("%s%s&[],", indent, head)
	case 1:
		s.f("%s%s&[%s {", indent, head, name)
		body(0, indent+"    ")
		s.f("%s}],", indent)
	default:
		s.f("%s%s&[", indent, head)
		for i := range n {
			s.f("%s    %s {", indent, name)
			body(i, indent+"        ")
			s.f("%s    },", indent)
		}
		s.f("%s],", indent)
	}
}

func stampFields(l *layout.Layout, stamp *layout.Stamp) []string {
	kind := "Constant"
	switch stamp.Role {
	case layout.RoleMagic:
		kind = "Magic"
	case layout.RoleVersion:
		kind = "Version"
	case layout.RoleFingerprint:
		kind = "Fingerprint"
	}
	return []string{
		"kind: protocol::StampKind::" + kind,
		"field: " + quote(shown(stamp.Field)),
		"offset: " + strconv.Itoa(stamp.Offset),
		"value: " + stampValue(l, stamp),
		"len: " + strconv.Itoa(len(stamp.Value)),
	}
}

func (s *source) seqlock(lock *layout.Seqlock) {
	offset := func(f *layout.Field) string {
		if f == nil {
			return "None"
		}
		return fmt.Sprintf("Some(%d)", f.Offset)
	}
	s.doc("    ", "///", md("The seqlock `%s` and what it guards.", naming.Snake(lock.Seq.Name)))
	s.f("    pub const SEQLOCK: protocol::Seqlock = protocol::Seqlock {")
	s.f("        seq: %d,", lock.Seq.Offset)
	s.f("        counter: %s,", offset(lock.Counter))
	s.f("        futex: %s,", offset(lock.Futex))
	s.f("        waiters: %s,", offset(lock.Waiters))
	s.list("        ", "blocks: ", "protocol::Block", len(lock.Blocks), func(i int) []string {
		b := lock.Blocks[i]
		return []string{
			fmt.Sprintf("offset: %d", b.Offset),
			fmt.Sprintf("copy_offset: %d", b.CopyOffset),
			fmt.Sprintf("size: %d", b.Size),
			fmt.Sprintf("unit: %d", unit(lock, b)),
		}
	})
	s.f("        ring: %s,", some(lock.Ring != nil, "Self::RING"))
	s.f("    };")
}

// unit returns the access width of a block. A ring may be written with narrower
// accesses than its block allows; accesses of two widths must not meet.
func unit(lock *layout.Seqlock, b layout.Block) int {
	if lock.Ring != nil {
		return min(b.Unit, lock.RingUnit())
	}
	return b.Unit
}

func (s *source) ring(lock *layout.Seqlock) {
	s.doc("    ", "///", md("The ring `%s`.", naming.Snake(lock.Ring.Name)))
	s.f("    pub const RING: protocol::Ring = protocol::Ring {")
	s.f("        offset: %d,", lock.Ring.Offset)
	s.f("        stride: %d,", lock.Ring.Type.ElemSize())
	s.f("        count: %d,", lock.RingCount())
	s.f("        unit: %d,", lock.RingUnit())
	s.f("    };")
}
