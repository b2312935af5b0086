package layout

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// stamps lists what creating a page writes and opening it compares, by offset.
// The fingerprint's bytes are filled in once it is known.
func (lo *lowering) stamps() {
	for _, f := range lo.layout.Page.Fields {
		if f.Const == nil && f.Role != RoleFingerprint {
			continue
		}
		lo.layout.Stamps = append(lo.layout.Stamps, &Stamp{
			Role: f.Role, Field: f, Offset: f.Offset, Value: f.Const,
		})
	}
}

// fingerprint takes the hash of the canonical text.
func (lo *lowering) fingerprint() {
	l := lo.layout
	l.Canonical = l.canonical()
	sum := sha256.Sum256([]byte(l.Canonical))
	l.Fingerprint = binary.BigEndian.Uint64(sum[:8])
	for _, s := range l.Stamps {
		if s.Role == RoleFingerprint {
			s.Value = lo.bytes(l.Fingerprint, s.Field.Size)
		}
	}
}

// canonical renders everything that two programs must agree on to share a
// page, one fact a line, and nothing else: no documentation, no named
// constants, no order of declaration. docs/layout-reference.md describes it so
// that others can compute it.
func (l *Layout) canonical() string {
	var b strings.Builder
	fmt.Fprintf(&b, "shmkv-layout 1\nlayout %s %s %d\n", l.Name, l.Endian, l.Size)
	for _, e := range reachableEnums(l) {
		b.WriteString(e.describe() + "\n")
	}
	for _, r := range reachable(l) {
		fmt.Fprintf(&b, "record %s %d %d\n", r.Name, r.Size, r.Align)
		for _, f := range r.Fields {
			fmt.Fprintf(&b, "field %s %d %d %s%s\n", f.Name, f.Offset, f.Size, f.Type, f.suffix())
		}
	}
	return b.String()
}

// describe renders an enum on one line, its values in their order of size.
func (e *Enum) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", enumWord(e.Flags), e.Name, e.Base)
	byValue := func(a, b *EnumValue) int { return cmp.Compare(a.Value, b.Value) }
	for _, v := range slices.SortedFunc(slices.Values(e.Values), byValue) {
		fmt.Fprintf(&b, " %s=%d", v.Name, v.Value)
	}
	return b.String()
}

// suffix renders what else of a field two programs must agree on.
func (f *Field) suffix() string {
	s := ""
	if f.Role != RoleNone {
		s += " role=" + f.Role.String()
	}
	if f.Guarded {
		s += " guarded"
	}
	if f.Const != nil {
		s += " const=" + hex.EncodeToString(f.Const)
	}
	return s
}

// String renders the type as a spec writes it: char[24][8].
func (t Type) String() string {
	s := t.Kind.String()
	switch t.Kind {
	case KindChar, KindBytes, KindReserved:
		s = fmt.Sprintf("%s[%d]", s, t.Len)
	case KindEnum, KindFlags:
		s = t.Enum.Name
	case KindRecord:
		s = t.Record.Name
	}
	for i := len(t.Dims) - 1; i >= 0; i-- {
		s += fmt.Sprintf("[%d]", t.Dims[i])
	}
	return s
}
