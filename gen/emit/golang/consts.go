package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/shmkv/shmkv/gen/layout"
)

// constant is one derived constant: the emitter's own, not the spec's.
type constant struct {
	name  string
	what  string // for a diagnostic
	doc   string
	value *jen.Statement
}

// constants lists the derived constants in the order they are emitted.
func (g *generator) constants() []constant {
	list := []constant{
		{"Size", "the page's size", "Size is the size of the page.", jen.Lit(g.Size)},
	}
	if magic := g.magic(); magic != nil {
		text := strings.TrimRight(string(magic.Value), "\x00")
		list = append(list, constant{"Magic", "the magic",
			"Magic is the text a page starts to be one of this layout by.", jen.Lit(text)})
	}
	list = append(list, constant{"Fingerprint", "the fingerprint",
		"Fingerprint is the hash of the layout: equal on both sides of a page.",
		jen.Uint64().Call(hex(g.Layout.Fingerprint))})
	for _, r := range append([]*layout.Record{g.Page}, g.Records...) {
		if r != g.Page {
			list = append(list, constant{
				name: g.derived(r, nil, "size"), what: "the size of " + r.Name, value: jen.Lit(r.Size),
			})
		}
		for _, f := range r.Fields {
			list = append(list, g.fieldConstants(r, f)...)
		}
	}
	return list
}

// fieldConstants returns a field's offset and, of an array, its count.
func (g *generator) fieldConstants(r *layout.Record, f *layout.Field) []constant {
	of := " of " + r.Name + "." + f.Name
	list := []constant{
		{name: g.offsetName(r, f), what: "the offset" + of, value: jen.Lit(f.Offset)},
	}
	if len(f.Type.Dims) > 0 {
		list = append(list, constant{name: g.derived(r, f, "count"), what: "the count" + of,
			value: jen.Lit(f.Type.Count())})
	}
	return list
}

func (g *generator) magic() *layout.Stamp {
	for _, s := range g.Stamps {
		if s.Role == layout.RoleMagic {
			return s
		}
	}
	return nil
}

// emitConstants declares what the spec's numbers are called.
func (g *generator) emitConstants(s *source) {
	all := g.constants()
	s.doc("Sizes and offsets are in bytes, counts in elements.")
	s.Const().DefsFunc(func(d *jen.Group) {
		for _, c := range all {
			if c.doc != "" {
				d.Add(comment(c.doc))
			}
			d.Id(c.name).Op("=").Add(c.value)
		}
	}).Line()
	for _, c := range g.Consts {
		s.doc("%s", sentence(fmt.Sprintf("%s is a constant of the layout.", constName(c)), c.Doc))
		s.Add(constDecl(c)).Line()
	}
}

// constDecl declares a constant of the spec; the spec's floats are finite.
func constDecl(c *layout.Const) *jen.Statement {
	name := jen.Id(constName(c))
	switch {
	case c.Kind == layout.KindChar:
		return jen.Const().Add(name).Op("=").Lit(c.Text)
	case c.Kind == layout.KindBool:
		return jen.Const().Add(name).Op("=").Lit(c.Bool)
	case c.Kind.IsSigned():
		return jen.Const().Add(name).Id(scalars[c.Kind]).Op("=").Id(strconv.FormatInt(c.Int, 10))
	case c.Kind.IsUnsigned():
		return jen.Const().Add(name).Id(scalars[c.Kind]).Op("=").Id(strconv.FormatUint(c.Uint, 10))
	}
	float := strconv.FormatFloat(c.Float, 'g', -1, 64)
	return jen.Const().Add(name).Id(scalars[c.Kind]).Op("=").Id(float)
}

// hex renders an integer literal without the conversion jen.Lit would print.
func hex(v uint64) *jen.Statement { return jen.Id("0x" + strconv.FormatUint(v, 16)) }

// emitEnum declares an enum or flag set, its values and its String method.
func emitEnum(s *source, e *layout.Enum) {
	name := enumName(e)
	what := "one value at a time. Other values survive a round trip."
	if e.Flags {
		what = "a set of flags. Unknown bits survive a round trip."
	}
	s.doc("%s", sentence(fmt.Sprintf("%s holds %s", name, what), e.Doc))
	s.Type().Id(name).Id(scalars[e.Base]).Line()
	if len(e.Values) > 0 {
		s.doc("The values of %s.", name)
		s.Const().DefsFunc(func(d *jen.Group) {
			for _, v := range e.Values {
				if v.Doc != "" {
					d.Add(comment(v.Doc))
				}
				d.Id(valueName(e, v)).Id(name).Op("=").Id(valueText(e, v))
			}
		}).Line()
	}
	if e.Flags {
		emitFlagMethods(s, e)
		return
	}
	s.doc("String returns the name of the value, or %s and its number in parentheses.", name)
	s.decl(`
func (e %[1]s) String() string {
	switch e {
%[2]s}
	return "%[1]s(" + @strconv.FormatUint(uint64(e), 10) + ")"
}`, name, enumCases(e))
}

func valueText(e *layout.Enum, v *layout.EnumValue) string {
	if e.Flags {
		return "0x" + strconv.FormatUint(v.Value, 16)
	}
	return strconv.FormatUint(v.Value, 10)
}

func enumCases(e *layout.Enum) string {
	var b strings.Builder
	for _, v := range e.Values {
		fmt.Fprintf(&b, "case %s:\nreturn %q\n", valueName(e, v), v.Name)
	}
	return b.String()
}

func emitFlagMethods(s *source, e *layout.Enum) {
	name := enumName(e)
	s.doc("Has tells whether every flag of f is set.")
	s.decl("func (e %[1]s) Has(f %[1]s) bool { return e&f == f }", name)
	var names strings.Builder
	for _, v := range e.Values {
		fmt.Fprintf(&names, "{%s, %q},\n", valueName(e, v), v.Name)
	}
	s.doc("String joins the names of the flags with |, unknown bits last as a number.")
	s.decl(`
func (e %[1]s) String() string {
	var names []string
	for _, f := range [...]struct {
		mask %[1]s
		name string
	}{
%[2]s} {
		if e.Has(f.mask) {
			names = append(names, f.name)
			e &^= f.mask
		}
	}
	if e != 0 || names == nil {
		names = append(names, "0x"+@strconv.FormatUint(uint64(e), 16))
	}
	return @strings.Join(names, "|")
}`, name, names.String())
}
