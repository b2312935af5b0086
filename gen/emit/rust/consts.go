package rust

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

func (s *source) endianness(l *layout.Layout) {
	if l.Endian == layout.Native {
		return
	}
	s.f("#[cfg(not(target_endian = %q))]", string(l.Endian))
	other := map[layout.Endian]layout.Endian{layout.Little: layout.Big, layout.Big: layout.Little}
	message := fmt.Sprintf("this layout is %s-endian: it can not be used on a %s-endian target",
		l.Endian, other[l.Endian])
	s.f("compile_error!(%s);\n", quote(message))
}

// constants emits what users compute with: sizes, offsets, counts, and the
// constants of the spec.
func (s *source) constants(l *layout.Layout) {
	s.constant("Size of the page, in bytes.", "SIZE", "usize", strconv.Itoa(l.Size))
	s.constant("Hash of the resolved layout, as the specification defines it.",
		"FINGERPRINT", "u64", fmt.Sprintf("0x%016x", l.Fingerprint))
	for _, stamp := range l.Stamps {
		if stamp.Role == layout.RoleMagic {
			s.constant("What a page of this layout has in its magic field.", "MAGIC",
				fmt.Sprintf("[u8; %d]", len(stamp.Value)), "*"+quoteBytes(stamp.Value))
		}
	}
	s.offsets(l.Page, "", "the page")
	for _, r := range l.Records {
		s.constant(fmt.Sprintf("Size of a `%s`, in bytes.", r.Name),
			constName(r.Name, "size"), "usize", strconv.Itoa(r.Size))
		s.offsets(r, r.Name, fmt.Sprintf("a `%s`", r.Name))
	}
	for _, c := range l.Consts {
		s.userConstant(c)
	}
}

func (s *source) constant(doc, name, kind, value string) {
	s.doc("", "///", md("%s", doc))
	s.f("pub const %s: %s = %s;\n", name, kind, value)
}

func (s *source) offsets(r *layout.Record, prefix, where string) {
	for _, f := range visible(r) {
		parts := []string{f.Name}
		if prefix != "" {
			parts = []string{prefix, f.Name}
		}
		s.constant(fmt.Sprintf("Offset of `%s` in %s, in bytes.", f.Name, where),
			constName(append(parts, "offset")...), "usize", strconv.Itoa(f.Offset))
		if len(f.Type.Dims) > 0 {
			s.constant(fmt.Sprintf("Number of elements of `%s` in %s.", f.Name, where),
				constName(append(parts, "count")...), "usize", strconv.Itoa(f.Type.Count()))
		}
	}
}

func (s *source) userConstant(c *layout.Const) {
	kind, value := scalarTypes[c.Kind], ""
	switch {
	case c.Kind == layout.KindChar:
		kind, value = "&str", quote(c.Text)
	case c.Kind == layout.KindBool:
		kind, value = "bool", strconv.FormatBool(c.Bool)
	case c.Kind.IsSigned():
		value = strconv.FormatInt(c.Int, 10)
	case c.Kind.IsFloat():
		value = float(c.Float, kind)
	default:
		value = strconv.FormatUint(c.Uint, 10)
	}
	s.doc("", "///", docOr(c.Doc, "Constant `%s`.", c.Name))
	if c.Kind.IsFloat() {
		// The spec's number stands, however near a constant of the library.
		s.f("#[allow(clippy::approx_constant)]")
	}
	s.f("pub const %s: %s = %s;\n", constName(c.Name), kind, value)
}

// float returns the shortest literal of a number.
func float(v float64, kind string) string {
	switch {
	case math.IsNaN(v):
		return kind + "::NAN"
	case math.IsInf(v, 1):
		return kind + "::INFINITY"
	case math.IsInf(v, -1):
		return kind + "::NEG_INFINITY"
	}
	size := 64
	if kind == "f32" {
		size = 32
	}
	text := strconv.FormatFloat(v, 'g', -1, size)
	text = strings.Replace(text, "e+", "e", 1)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// enum emits an enum or a flag set: a number with names, so that values that
// this version of the spec does not know survive.
func (s *source) enum(e *layout.Enum) {
	name, base := typeName(e.Name), scalarTypes[e.Base]
	what := "One of the values below, or one that this version of the layout does not know."
	if e.Flags {
		what = "Any of the bits below together, or others that this version does not know."
	}
	s.doc("", "///", docOr(e.Doc, "`%s`.", e.Name), md("%s", what))
	s.f("#[repr(transparent)]")
	s.f("#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]")
	s.f("pub struct %s(pub %s);\n", name, base)
	if len(e.Values) > 0 {
		s.f("impl %s {", name)
		for i, v := range e.Values {
			if i > 0 {
				s.f("")
			}
			s.doc("    ", "///", docOr(v.Doc, "`%s`.", v.Name))
			s.f("    pub const %s: Self = Self(%d);", constName(v.Name), v.Value)
		}
		s.f("}\n")
	}
	if e.Flags {
		s.flagOperators(name)
		s.flagDebug(e, name)
	} else {
		s.enumDebug(e, name)
	}
	s.f("const _: () = {")
	s.f("    let size = core::mem::size_of::<%s>();", name)
	s.f("    assert!(size == %d);", e.Base.Size())
	s.f("};\n")
}

func (s *source) flagOperators(name string) {
	s.text(`
impl $NAME {
    /// Whether every bit of the other set is in this one.
    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl core::ops::BitOr for $NAME {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl core::ops::BitAnd for $NAME {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl core::ops::Not for $NAME {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

`, map[string]string{"NAME": name})
}

func (s *source) debugHead(name string) {
	s.f("impl core::fmt::Debug for %s {", name)
	s.f("    /// Shows the names that the layout gives.")
	s.f("    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {")
}

func (s *source) flagDebug(e *layout.Enum, name string) {
	s.debugHead(name)
	value := "u64::from(self.0)"
	if e.Base == layout.KindU64 {
		value = "self.0"
	}
	mut := "mut "
	if len(e.Values) == 0 {
		mut = ""
	}
	s.f("        let %snames = shmkv::FlagNames::new(f, %s);", mut, value)
	for _, v := range e.Values {
		mask := fmt.Sprintf("%#x", v.Value)
		if bits.OnesCount64(v.Value) == 1 {
			mask = fmt.Sprintf("1 << %d", bits.TrailingZeros64(v.Value))
		}
		s.f("%s", call("        ", "names.show", []string{mask, quote(constName(v.Name))}, "?;"))
	}
	s.f("        names.finish()")
	s.f("    }")
	s.f("}\n")
}

func (s *source) enumDebug(e *layout.Enum, name string) {
	s.debugHead(name)
	if len(e.Values) > 0 {
		seen := map[uint64]bool{}
		s.f("        let name = match self.0 {")
		for _, v := range e.Values {
			if seen[v.Value] {
				continue // a second name of the same value
			}
			seen[v.Value] = true
			s.f("            %d => %s,", v.Value, quote(constName(v.Name)))
		}
		if e.Base != layout.KindU8 || len(seen) < 256 {
			s.f("            _ => return write!(f, \"%s({})\", self.0),", name)
		}
		s.f("        };")
		s.f("        f.write_str(name)")
	} else {
		s.f("        write!(f, \"%s({})\", self.0)", name)
	}
	s.f("    }")
	s.f("}\n")
}

// stampValue returns the bytes of a stamp up to its last that is not zero. A
// native layout has the numbers of a stamp in the order of the machine.
func stampValue(l *layout.Layout, stamp *layout.Stamp) string {
	size := 1
	switch kind := stamp.Field.Type.Kind; kind {
	case layout.KindChar, layout.KindBytes:
	default:
		size = stamp.Field.Type.ElemSize()
	}
	if l.Endian != layout.Native || size == 1 {
		return quoteBytes(bytes.TrimRight(stamp.Value, "\x00"))
	}
	big := bytes.Clone(stamp.Value)
	for element := range slices.Chunk(big, size) {
		slices.Reverse(element)
	}
	return fmt.Sprintf("if cfg!(target_endian = \"little\") {\n    %s\n} else {\n    %s\n}",
		quoteBytes(stamp.Value), quoteBytes(big))
}

// magicText returns the magic for messages.
func magicText(l *layout.Layout) string {
	for _, stamp := range l.Stamps {
		if stamp.Role == layout.RoleMagic {
			text, _, _ := bytes.Cut(stamp.Value, []byte{0})
			return string(text)
		}
	}
	return ""
}

// shown returns the name of a field for messages.
func shown(f *layout.Field) string { return naming.Snake(f.Name) }
