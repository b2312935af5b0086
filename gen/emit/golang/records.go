package golang

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/shmkv/shmkv/gen/layout"
)

// scalars maps the kinds with a Go type of their own to it. A bool is a byte
// in the page: any non-zero value reads as true, which a Go bool can not hold.
var scalars = map[layout.Kind]string{
	layout.KindU8: "uint8", layout.KindU16: "uint16",
	layout.KindU32: "uint32", layout.KindU64: "uint64",
	layout.KindI8: "int8", layout.KindI16: "int16",
	layout.KindI32: "int32", layout.KindI64: "int64",
	layout.KindF32: "float32", layout.KindF64: "float64",
}

// goType returns the type a field is stored as, array dimensions included.
func goType(t layout.Type) string {
	var b strings.Builder
	for _, d := range t.Dims {
		fmt.Fprintf(&b, "[%d]", d)
	}
	switch t.Kind {
	case layout.KindBool:
		b.WriteString("byte")
	case layout.KindChar, layout.KindBytes, layout.KindReserved:
		fmt.Fprintf(&b, "[%d]byte", t.Len)
	case layout.KindEnum, layout.KindFlags:
		b.WriteString(enumName(t.Enum))
	case layout.KindRecord:
		b.WriteString(recordName(t.Record))
	default:
		b.WriteString(scalars[t.Kind])
	}
	return b.String()
}

// hidden tells whether a field is reached through methods only.
func hidden(f *layout.Field) bool {
	return f.Type.Kind == layout.KindChar || f.Type.Kind == layout.KindBool
}

// storage is the name of the struct field.
func storage(f *layout.Field) string {
	switch {
	case f.Type.Kind == layout.KindReserved:
		return "_"
	case hidden(f):
		return rawName(f)
	default:
		return fieldName(f)
	}
}

// layoutFile declares everything that describes the bytes. It imports nothing
// of the runtime, so that a tool can compile it alone with the align files.
func (g *generator) layoutFile() *source {
	s := g.newSource("")
	about := fmt.Sprintf("Package %s reads and writes pages of the layout %s: %d bytes, %s.",
		g.pkg, g.Name, g.Size, endianText[g.Endian])
	s.PackageComment(commentText(sentence(about, g.Doc)))
	g.emitConstants(s)
	for _, e := range g.Enums {
		emitEnum(s, e)
	}
	for _, r := range g.AllRecords() {
		g.emitRecord(s, r)
	}
	g.emitAsserts(s)
	g.emitTextHelpers(s)
	return s
}

// emitRecord declares a struct and the accessors of its hidden fields.
func (g *generator) emitRecord(s *source, r *layout.Record) {
	s.doc("%s", g.recordSummary(r))
	s.Type().Id(recordName(r)).StructFunc(func(d *jen.Group) {
		// Both have no size. They come first, because a last field without
		// a size would be padded.
		d.Id("_").Add(code("@structs.HostLayout"))
		d.Add(alignment(r))
		for _, m := range r.Members() {
			g.emitMember(d, m)
		}
	}).Line()
	for _, f := range r.Fields {
		switch f.Type.Kind {
		case layout.KindChar:
			emitText(s, r, f, g.owner(r).Name+"."+f.Name)
		case layout.KindBool:
			emitBool(s, r, f)
		}
	}
}

// owner returns the record that a snapshot is a copy of, and any other record
// itself.
func (g *generator) owner(r *layout.Record) *layout.Record {
	for _, owner := range append([]*layout.Record{g.Page}, g.Records...) {
		if owner.Seqlock != nil && owner.Seqlock.Copy == r {
			return owner
		}
	}
	return r
}

func (g *generator) recordSummary(r *layout.Record) string {
	name := recordName(r)
	if owner := g.owner(r); owner != r {
		return fmt.Sprintf("%s is a private, consistent copy of what the seqlock of %s guards.",
			name, recordName(owner))
	}
	if r == g.Page {
		return name + " has the layout of the whole page. It is a private copy like any " +
			"struct; a View is bound to shared bytes."
	}
	return sentence(fmt.Sprintf("%s is the record %s: %d bytes.", name, r.Name, r.Size), r.Doc)
}

// alignment returns the struct field that gives a record its alignment where
// its members alone would not on every target.
func alignment(r *layout.Record) *jen.Statement {
	if r.Align == 8 {
		return code("_ align8")
	}
	widest := 1
	for _, f := range r.Fields {
		widest = max(widest, f.Type.Align())
	}
	if r.Align > widest {
		return code("_ [0]uint%d", 8*r.Align)
	}
	return jen.Null()
}

func (g *generator) emitMember(d *jen.Group, m layout.Member) {
	if m.Field == nil {
		d.Id("_").Index(jen.Lit(m.Size)).Byte().Comment("padding")
		return
	}
	f := m.Field
	if f.Doc != "" {
		d.Add(comment(f.Doc))
	}
	field := d.Id(storage(f)).Id(goType(f.Type))
	if f.Type.Kind == layout.KindReserved && f.Doc == "" {
		field.Comment("reserved, zero")
	}
}

// index is how an array's accessor takes its indices.
type index struct {
	params string // "i, j int"
	comma  string // ", " where there are any
	expr   string // "[i][j]"
}

func indices(t layout.Type) index {
	var x index
	var names []string
	for n := range t.Dims {
		name := fmt.Sprintf("i%d", n)
		if len(t.Dims) == 1 {
			name = "i"
		}
		names = append(names, name)
		x.expr += "[" + name + "]"
	}
	if names != nil {
		x.params = strings.Join(names, ", ") + " int"
		x.comma = ", "
	}
	return x
}

// emitText declares the accessors of a text field or an array of texts. path
// names the field in errors.
func emitText(s *source, r *layout.Record, f *layout.Field, path string) {
	name, x, recv := fieldName(f), indices(f.Type), recordName(r)
	at := "r." + rawName(f) + x.expr + "[:]"
	s.doc("%s", sentence(name+" returns the text up to its first NUL. It allocates.", f.Doc))
	s.decl("func (r *%s) %s(%s) string { return string(text(%s)) }", recv, name, x.params, at)
	s.doc("%sBytes returns the text up to its first NUL without a copy.", name)
	s.decl("func (r *%s) %sBytes(%s) []byte { return text(%s) }", recv, name, x.params, at)
	s.doc("%sRaw returns all bytes, the NULs behind the text included.", name)
	s.decl("func (r *%s) %sRaw() *%s { return &r.%s }", recv, name, goType(f.Type), rawName(f))
	if f.ReadOnly {
		return
	}
	s.doc("Set%s stores text and zeroes the bytes behind it. Text longer than %d bytes, or "+
		"with a NUL inside, is refused before anything is written.", name, f.Type.Len)
	s.decl("func (r *%s) Set%s(%s%ss string) error { return setText(%s, s, %q) }",
		recv, name, x.params, x.comma, at, path)
}

// emitBool declares the accessors of a bool or an array of them.
func emitBool(s *source, r *layout.Record, f *layout.Field) {
	name, x, recv := fieldName(f), indices(f.Type), recordName(r)
	at := "r." + rawName(f) + x.expr
	s.doc("%s", sentence(name+" tells whether the byte is not zero.", f.Doc))
	s.decl("func (r *%s) %s(%s) bool { return %s != 0 }", recv, name, x.params, at)
	if f.ReadOnly {
		return
	}
	s.doc("Set%s stores 1 for true and 0 for false.", name)
	s.decl("func (r *%s) Set%s(%s%sv bool) { %s = boolByte(v) }", recv, name, x.params, x.comma, at)
}
