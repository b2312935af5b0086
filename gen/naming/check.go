package naming

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/layout"
)

// Check reports every name that would meet another one in the generated code
// of any language. The verdict is the same whichever languages are generated.
func Check(l *layout.Layout, errs *diag.List) {
	checkLayoutName(l, errs)
	c := &checker{layout: l, errs: errs, told: map[diag.Pos]bool{}}
	for _, e := range l.Enums {
		s := c.scope()
		for _, v := range e.Values {
			s.add(v.Pos, valueLabel(e, v), v.Name)
		}
	}
	c.record(l.Page, true)
	for _, r := range l.Records {
		c.record(r, false)
	}
	c.top(l)
}

// checker runs over the scopes of one layout. A name is reported once, at the
// first scope where it meets another.
type checker struct {
	layout *layout.Layout
	errs   *diag.List
	told   map[diag.Pos]bool
}

// layoutNames are taken by files, modules and namespaces of the generated code
// or of the languages.
var layoutNames = set(`shmkv std protocol segment lib main core alloc crate test proc_macro init
	internal vendor cmake detail`, rustKeywords, cKeywords, cMacros, cppKeywords,
	`bool char str u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64`,
	`package chan defer fallthrough func go import interface map range select type var`)

func checkLayoutName(l *layout.Layout, errs *diag.List) {
	if name := Snake(l.Name); layoutNames[name] || layoutNames[Package(l.Name)] {
		errs.Addf(
			l.Pos,
			"layout %q: the name is taken in one of the languages; choose another",
			l.Name,
		)
	}
}

// typeNames can not name a record or an enum: generated code uses them.
var typeNames = set(`size magic fingerprint snapshot update updates reader writer view open
	create close layout batch text error result option some none ok err default copy clone debug
	display iterator into_iterator from into drop send sync sized fn fn_mut fn_once box vec string
	to_string eq partial_eq ord partial_ord hash as_ref as_mut self duration path atomic_u32
	atomic_u64 deref deref_mut formatter span guarded seqlock ring block stamp new_view open_at
	reader_view writer_view`)

// scope holds names that must differ in every language.
type scope struct {
	*checker
	taken map[string]string // a rendered name -> what took it
}

func (c *checker) scope() *scope { return &scope{c, map[string]string{}} }

// add takes the name of something in the spec.
func (s *scope) add(pos diag.Pos, what, id string) { s.take(pos, what, "", id) }

// derive takes a name that generated code makes of something in the spec.
func (s *scope) derive(pos diag.Pos, what, made, id string) { s.take(pos, what, made, id) }

// take reports the first name that id meets: two identifiers meet when any
// language renders them alike.
func (s *scope) take(pos diag.Pos, what, made, id string) {
	keys := []string{Snake(id), Exported(id), Pascal(id)}
	for _, key := range keys {
		other, met := s.taken[key]
		switch {
		case !met:
			continue
		case s.told[pos]:
		case made == "":
			s.errs.Addf(pos, "%s: its name meets %s (both become %s)", what, other, key)
		default:
			s.errs.Addf(
				pos,
				"%s: its generated %s meets %s (both become %s)",
				what,
				made,
				other,
				key,
			)
		}
		s.told[pos] = true
		return
	}
	owner := fmt.Sprintf("%s on line %d", what, pos.Line)
	if made != "" {
		owner = fmt.Sprintf("the generated %s of %s", made, owner)
	}
	for _, key := range keys {
		s.taken[key] = owner
	}
}

func valueLabel(e *layout.Enum, v *layout.EnumValue) string {
	return fmt.Sprintf("value %q of %q", v.Name, e.Name)
}

// top checks what stands at the top of a package, namespace or module.
func (c *checker) top(l *layout.Layout) {
	s := c.scope()
	for _, name := range []string{"size", "magic", "fingerprint"} {
		s.taken[name], s.taken[Exported(name)] = "a generated constant", "a generated constant"
	}
	for _, r := range l.Records {
		s.typ(r.Pos, fmt.Sprintf("record %q", r.Name), r.Name)
	}
	for _, e := range l.Enums {
		s.typ(e.Pos, fmt.Sprintf("enum %q", e.Name), e.Name)
	}
	for _, k := range l.Consts {
		s.add(k.Pos, fmt.Sprintf("constant %q", k.Name), k.Name)
	}
	for _, r := range l.Records {
		what := fmt.Sprintf("record %q", r.Name)
		s.derive(r.Pos, what, "constant", r.Name+"_size")
		if r.Seqlock != nil {
			s.derive(r.Pos, what, "type", r.Seqlock.Copy.Name)
		}
	}
	for _, e := range l.Enums {
		for _, v := range e.Values {
			s.derive(v.Pos, valueLabel(e, v), "constant", e.Name+"_"+v.Name)
		}
	}
	s.fields(l.Page, "")
	for _, r := range l.Records {
		s.fields(r, r.Name+"_")
	}
}

// typ takes the name of a record or an enum.
func (s *scope) typ(pos diag.Pos, what, name string) {
	if typeNames[Snake(name)] {
		s.errs.Addf(
			pos,
			"%s: generated code uses the name for something else (%s in Go and Rust); choose another",
			what,
			Pascal(name),
		)
		return
	}
	s.add(pos, what, name)
}

// fields adds the constants that are made of a record's fields.
func (s *scope) fields(r *layout.Record, prefix string) {
	for _, f := range r.Fields {
		what := fmt.Sprintf("field %q", f.Name)
		s.derive(f.Pos, what, "constant", prefix+f.Name+"_offset")
		if len(f.Type.Dims) > 0 {
			s.derive(f.Pos, what, "constant", prefix+f.Name+"_count")
		}
	}
}

// record checks the members of one record: its fields, and the accessors that
// are made of them.
func (c *checker) record(r *layout.Record, page bool) {
	s := c.scope()
	// In a C header that is compiled as C++, a member with the name of a type
	// hides the type from the members behind it.
	for _, name := range c.types() {
		s.taken[Snake(c.layout.Name)+"_"+Snake(name)] = fmt.Sprintf("the C type of %q", name)
	}
	for _, f := range r.Fields {
		s.add(f.Pos, fmt.Sprintf("field %q", f.Name), f.Name)
	}
	for _, f := range r.Fields {
		for _, id := range derived(f, page) {
			s.derive(f.Pos, fmt.Sprintf("field %q", f.Name), "accessor", id)
		}
	}
}

// types lists the names of records and enums.
func (c *checker) types() []string {
	names := []string{c.layout.Page.Name}
	for _, r := range c.layout.Records {
		names = append(names, r.Name)
	}
	for _, e := range c.layout.Enums {
		names = append(names, e.Name)
	}
	return names
}

// derived lists the accessors that generated code makes of a field.
func derived(f *layout.Field, page bool) []string {
	ids := []string{}
	if page || f.Type.Kind == layout.KindChar || f.Type.Kind == layout.KindBool {
		ids = append(ids, "set_"+f.Name)
	}
	if f.Type.Kind == layout.KindChar {
		ids = append(ids, f.Name+"_bytes", f.Name+"_text")
	}
	if f.Type.Kind == layout.KindChar || f.Type.Kind == layout.KindBool {
		ids = append(ids, f.Name+"_raw")
	}
	return ids
}

// Names returns what a field is called in each language, in the order of
// Langs, for reports.
func Names(id string) []string {
	names := make([]string, 0, len(Langs))
	for _, lang := range Langs {
		names = append(names, lang.Field(id))
	}
	return names
}

// Escaped tells in which languages a field's name carries an underscore.
func Escaped(id string) []Lang {
	return slices.DeleteFunc(slices.Clone(Langs), func(l Lang) bool {
		return !strings.HasSuffix(l.Field(id), "_")
	})
}
