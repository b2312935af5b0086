package rust

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// view emits the reader of a page that is anywhere in memory.
func (s *source) view(m *model) {
	s.text(viewHead, m.values)
	if m.lock != nil {
		s.method(viewSnapshot, m.values)
	}
	if m.hasRing() {
		s.method(viewSlot, m.values)
	}
	for k, g := range m.Guarded {
		s.method(viewGuarded, guardedValues(m, k, g))
	}
	for _, f := range m.words() {
		s.f("")
		s.word(f, "Word")
	}
	s.f("}\n")
}

// viewMut emits the writer of a page that is anywhere in memory.
func (s *source) viewMut(m *model) {
	if m.args != nil {
		s.ringRecord(m)
	}
	s.text(viewMutHead, m.values)
	switch {
	case m.hasRing():
		s.publish(m, "shmkv::Fault", "")
		s.method(viewMutPublish, m.values)
	case m.counts():
		s.method(viewMutUpdateCounted, m.values)
	case m.lock != nil:
		s.method(viewMutUpdate, m.values)
	}
	for k, g := range m.Guarded {
		s.method(viewMutGuarded, guardedValues(m, k, g))
	}
	for _, f := range m.words() {
		s.f("")
		s.word(f, "Atomic")
	}
	s.f("}\n")
}

// word emits the method of a view that gives one word of the page.
func (s *source) word(f *layout.Field, kind string) {
	bits := strconv.Itoa(8 * f.Size)
	s.doc("    ", "///", md("The word `%s`, at byte %d.", shown(f), f.Offset))
	if f.Size == 8 {
		s.f("    #[cfg(target_pointer_width = \"64\")]")
	}
	if kind == "Word" {
		s.f("    pub fn %s(&self) -> view::Word%s<'a> {", wordName(f), bits)
		s.f("        // SAFETY: a word of the page, aligned by the layout.")
		s.f("        unsafe { view::Word%s::new(self.base, %d) }", bits, f.Offset)
	} else {
		s.f("    pub fn %s(&self) -> &core::sync::atomic::AtomicU%s {", wordName(f), bits)
		s.f("        // SAFETY: a word of the page, aligned by the layout.")
		s.f("        unsafe { crate::words::owned%s(self.base, %d) }", bits, f.Offset)
	}
	s.f("    }")
}

// guardedValues are the template values for records with their own seqlock.
// Where the field is no array there is no index to pass.
func guardedValues(m *model, which int, g *layout.Guarded) map[string]string {
	copyName := typeName(g.Record.Seqlock.Copy.Name)
	values := map[string]string{
		"CHANGE": "impl FnOnce(&mut " + copyName + ")",
		"PAGE":   m.values["PAGE"],
		"FIELD":  shown(g.Field),
		"TYPE":   typeName(g.Record.Name),
		"COPY":   copyName,
		"WHICH":  strconv.Itoa(which),
		"PARAM":  "",
		"INDEX":  "0",
		"EACH":   fmt.Sprintf("`%s`", shown(g.Field)),
	}
	if len(g.Field.Type.Dims) > 0 {
		values["PARAM"] = ", i: usize"
		values["INDEX"] = "i"
		values["EACH"] = fmt.Sprintf("record `i` of `%s`, of %d", shown(g.Field), g.Count)
	}
	return values
}

// ringRecord emits the function that makes a ring's record of its fields.
func (s *source) ringRecord(m *model) {
	var params []string
	for _, f := range m.args {
		params = append(params, fieldName(f)+": "+argumentType(f))
	}
	record, slot := local(m.args, "record"), m.values["SLOT"]
	s.f("fn ring_record(%s) -> Result<%s, shmkv::Fault> {", strings.Join(params, ", "), slot)
	s.f("    let mut %s: %s = shmkv::Plain::zeroed();", record, slot)
	for _, f := range m.args {
		name := fieldName(f)
		switch f.Type.Kind {
		case layout.KindChar:
			field := local(m.args, "field")
			s.f("    let %s = &mut %s.%s;", field, record, name)
			s.f("%s", call("    ", "shmkv::set_text", []string{field, quote(shown(f)), name}, "?;"))
		case layout.KindBytes:
			s.f("    %s.%s = *%s;", record, name, name)
		case layout.KindBool:
			s.f("    %s.%s = u8::from(%s);", record, name, name)
		default:
			s.f("    %s.%s = %s;", record, name, name)
		}
	}
	s.f("    Ok(%s)", record)
	s.f("}\n")
}

// local returns a name for a local variable that no argument has.
func local(args []*layout.Field, name string) string {
	for _, f := range args {
		if fieldName(f) == name {
			return name + "_"
		}
	}
	return name
}

// publish emits the method that takes a ring record's fields one by one.
// mapError is what turns a fault into the method's error, if anything.
func (s *source) publish(m *model, fault, mapError string) {
	if m.args == nil {
		return
	}
	params, names := "&mut self", []string{}
	for _, f := range m.args {
		params += ", " + fieldName(f) + ": " + argumentType(f)
		names = append(names, fieldName(f))
	}
	made, record := local(m.args, "made"), local(m.args, "record")
	s.f("")
	s.doc("    ", "///", md("Publishes one update and returns its id. Text that is longer than its "+
		"field, or holds a NUL, is refused before anything is written."))
	s.f("    pub fn publish(%s) -> Result<u64, %s> {", params, fault)
	s.f("%s", call("        ", "let "+made+" = ring_record", names, ";"))
	s.f("        let %s = %s%s?;", record, made, mapError)
	s.f("        Ok(self.publish_record(&%s))", record)
	s.f("    }")
}
