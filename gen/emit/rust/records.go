package rust

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// maxDims is up to how many array dimensions elements get accessors.
const maxDims = 3

// scalarTypes are the Rust types of the scalar kinds. A bool is a byte: memory
// that others write may hold any value.
var scalarTypes = map[layout.Kind]string{
	layout.KindU8: "u8", layout.KindU16: "u16", layout.KindU32: "u32", layout.KindU64: "u64",
	layout.KindI8: "i8", layout.KindI16: "i16", layout.KindI32: "i32", layout.KindI64: "i64",
	layout.KindF32: "f32", layout.KindF64: "f64", layout.KindBool: "u8",
}

// rustType returns how a member is declared.
func rustType(t layout.Type) string {
	var name string
	switch t.Kind {
	case layout.KindChar, layout.KindBytes, layout.KindReserved:
		name = fmt.Sprintf("[u8; %d]", t.Len)
	case layout.KindEnum, layout.KindFlags:
		name = typeName(t.Enum.Name)
	case layout.KindRecord:
		name = typeName(t.Record.Name)
	default:
		name = scalarTypes[t.Kind]
	}
	for i := len(t.Dims) - 1; i >= 0; i-- {
		name = fmt.Sprintf("[%s; %d]", name, t.Dims[i])
	}
	return name
}

// memberName returns the name of a struct's member. Padding and reserved bytes
// are private, with names that no field has: those never begin with "_".
func memberName(m layout.Member) string {
	switch {
	case m.Field == nil:
		return fmt.Sprintf("_pad%d", m.Index)
	case m.Field.Type.Kind == layout.KindReserved:
		return "_reserved_" + naming.Snake(m.Field.Name)
	default:
		return fieldName(m.Field)
	}
}

func (s *source) record(r *layout.Record) {
	name := typeName(r.Name)
	s.doc("", "///", docOr(r.Doc, "Record `%s`.", r.Name),
		md("%s.", nBytes(r.Size)))
	s.f("#[repr(C, align(%d))]", r.Align)
	s.f("#[derive(Clone, Copy, PartialEq)]")
	s.f("pub struct %s {", name)
	for _, m := range r.Members() {
		s.member(m)
	}
	s.f("}\n")
	values := map[string]string{"NAME": name}
	s.text(`
// SAFETY: repr(C), and the members leave no byte out (asserted below); all of
// them are integers, floats, or made of such.
unsafe impl shmkv::Plain for $NAME {}

impl Default for $NAME {
    /// All bytes zero.
    fn default() -> Self {
        shmkv::Plain::zeroed()
    }
}

`, values)
	s.debug(r, name)
	s.accessors(r, name)
	s.asserts(r, name)
}

func (s *source) member(m layout.Member) {
	name := memberName(m)
	f := m.Field
	if f == nil || f.Type.Kind == layout.KindReserved {
		size := fmt.Sprintf("[u8; %d]", m.Size)
		if f != nil {
			size = rustType(f.Type)
		}
		s.f("    %s: %s,", name, size)
		return
	}
	s.doc("    ", "///", docOr(f.Doc, "Field `%s`.", f.Name), note(f))
	s.f("    pub %s: %s,", name, rustType(f.Type))
}

// note tells what the declaration of a member does not show.
func note(f *layout.Field) paragraph {
	switch f.Type.Kind {
	case layout.KindChar:
		return md("At byte %d. Text, padded with NULs.", f.Offset)
	case layout.KindBool:
		return md("At byte %d. True unless 0.", f.Offset)
	default:
		return md("At byte %d.", f.Offset)
	}
}

func docOr(doc, format string, args ...any) paragraph {
	if strings.TrimSpace(doc) != "" {
		return plain(doc)
	}
	return md(format, args...)
}

func nBytes(n int) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.Itoa(n) + " bytes"
}

// visible returns the fields that have a public member.
func visible(r *layout.Record) []*layout.Field {
	var fields []*layout.Field
	for _, f := range r.Fields {
		if f.Type.Kind != layout.KindReserved {
			fields = append(fields, f)
		}
	}
	return fields
}

func (s *source) debug(r *layout.Record, name string) {
	s.f("impl core::fmt::Debug for %s {", name)
	s.f("    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {")
	s.f("        let mut s = f.debug_struct(%s);", quote(name))
	for _, f := range visible(r) {
		value := "&self." + fieldName(f)
		switch {
		case len(f.Type.Dims) > 0:
		case f.Type.Kind == layout.KindChar:
			value = "&shmkv::Text::padded(" + value + ")"
		case f.Type.Kind == layout.KindBool:
			value = "&(self." + fieldName(f) + " != 0)"
		}
		shown := quote(naming.Snake(f.Name))
		if line := shown + ", " + value; len(line) <= maxArgs {
			s.f("        s.field(%s);", line)
			continue
		}
		s.f("        let value = %s;", value)
		s.f("        s.field(%s, value);", shown)
	}
	s.f("        s.finish()")
	s.f("    }")
	s.f("}\n")
}

// accessors emits getters and setters where a plain member would mislead: text
// and booleans.
func (s *source) accessors(r *layout.Record, name string) {
	var own []*layout.Field
	for _, f := range visible(r) {
		kind := f.Type.Kind
		if (kind == layout.KindChar || kind == layout.KindBool) && len(f.Type.Dims) <= maxDims {
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return
	}
	s.f("impl %s {", name)
	for i, f := range own {
		if i > 0 {
			s.f("")
		}
		if f.Type.Kind == layout.KindChar {
			s.textAccessors(f)
		} else {
			s.boolAccessors(f)
		}
	}
	s.f("}\n")
}

// indices returns the parameters and the expression that select one element.
func indices(t layout.Type) (params, index string) {
	for i := range t.Dims {
		name := string(rune('i' + i))
		params += ", " + name + ": usize"
		index += "[" + name + "]"
	}
	return params, index
}

func (s *source) elementDoc(f *layout.Field, what string, more ...paragraph) {
	all := append([]paragraph{md("%s", what)}, more...)
	if len(f.Type.Dims) > 0 {
		all = append(all, md("# Panics"), md("If an index is out of range."))
	}
	s.doc("    ", "///", all...)
}

func (s *source) textAccessors(f *layout.Field) {
	name, snake := fieldName(f), naming.Snake(f.Name)
	params, index := indices(f.Type)
	s.elementDoc(f, fmt.Sprintf("The text of `%s`, without padding.", snake))
	s.f("    pub fn %s(&self%s) -> shmkv::Text<'_> {", name, params)
	s.f("        shmkv::Text::padded(&self.%s%s)", name, index)
	s.f("    }")
	if f.ReadOnly {
		return
	}
	s.f("")
	s.elementDoc(f, fmt.Sprintf("Sets the text of `%s` and zeroes its padding. Refuses text of more "+
		"than %s and text with a NUL; nothing is written then.", snake, nBytes(f.Type.Len)))
	s.f("    pub fn set_%s(&mut self%s, text: &[u8]) -> Result<(), shmkv::Fault> {", snake, params)
	s.f("        let field = &mut self.%s%s;", name, index)
	s.f("        shmkv::set_text(field, %s, text)", quote(snake))
	s.f("    }")
}

func (s *source) boolAccessors(f *layout.Field) {
	name, snake := fieldName(f), naming.Snake(f.Name)
	params, index := indices(f.Type)
	s.elementDoc(f, fmt.Sprintf("Whether `%s` is true: any value but 0.", snake))
	s.f("    pub fn %s(&self%s) -> bool {", name, params)
	s.f("        self.%s%s != 0", name, index)
	s.f("    }")
	if f.ReadOnly {
		return
	}
	s.f("")
	s.elementDoc(f, fmt.Sprintf("Sets `%s`.", snake))
	s.f("    pub fn set_%s(&mut self%s, on: bool) {", snake, params)
	s.f("        self.%s%s = u8::from(on);", name, index)
	s.f("    }")
}

// asserts checks at compile time that the struct is laid out as the spec says.
func (s *source) asserts(r *layout.Record, name string) {
	s.f("const _: () = {")
	s.f("    use core::mem::{align_of, offset_of, size_of};")
	s.f("    type R = self::%s;", name)
	s.f("    assert!(size_of::<R>() == %d);", r.Size)
	s.f("    assert!(align_of::<R>() == %d);", r.Align)
	for _, m := range r.Members() {
		check := fmt.Sprintf("offset_of!(R, %s) == %d", memberName(m), m.Offset)
		if len(check) <= maxArgs {
			s.f("    assert!(%s);", check)
			continue
		}
		s.f("    let at = offset_of!(R, %s);", memberName(m))
		s.f("    assert!(at == %d);", m.Offset)
	}
	s.f("};\n")
}
