package golang

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// accessor is one field's part of the View.
type accessor struct {
	get, set       string // bodies, of code
	getType        string // "" where get copies into a parameter
	wide           bool   // exists on 64-bit targets only
	unsynchronised bool
}

// viewFile declares the View: typed access to the bytes themselves.
func (g *generator) viewFile() *source {
	s := g.newSource("")
	s.doc("View is bound to the shared bytes of a page. Its methods reach the words of the " +
		"protocol and the fields that no seqlock guards; guarded fields are only to be had " +
		"through a Reader or a Writer. A View is valid until its segment is closed. Storing " +
		"through the view of a Reader faults, because a Reader's page is mapped read-only.")
	s.decl("type View struct {\nbase @unsafe.Pointer\n}")
	s.doc("NewView binds a View to the first Size bytes of b, which must be aligned to 8. It " +
		"compares no stamps.")
	s.decl(`
func NewView(b []byte) (View, error) {
	if len(b) < Size {
		return View{}, @fmt.Errorf("%[1]s: %%w: %%d bytes, want %%d",
			@segment.ErrWrongSize, len(b), Size)
	}
	base := @unsafe.Pointer(@unsafe.SliceData(b))
	if uintptr(base)%%8 != 0 {
		return View{}, @errors.New("%[1]s: the page is not aligned to 8 bytes")
	}
	return View{base}, nil
}`, g.Name)
	s.doc("Bytes returns the whole page.")
	s.decl("func (v View) Bytes() []byte { return @unsafe.Slice((*byte)(v.base), Size) }")
	used := g.viewMethods(s, false)
	g.viewHelpers(s, used)
	return s
}

// viewHelpers declares those of the short-hands that the methods use.
func (g *generator) viewHelpers(s *source, used string) {
	if strings.Contains(used, "v.at(") || strings.Contains(used, "v.word(") {
		s.decl(`
func (v View) at(offset uintptr) @unsafe.Pointer {
	return @unsafe.Add(v.base, offset)
}`)
	}
	if strings.Contains(used, "v.word(") {
		s.decl(`
func (v View) word(offset uintptr) *@atomic.Uint32 {
	return (*@atomic.Uint32)(v.at(offset))
}`)
	}
	if strings.Contains(used, "copyBytes(") {
		s.decl(`
// copyBytes copies n bytes. It takes pointers, so that no record is copied by
// value (see align8).
func copyBytes(dst, src @unsafe.Pointer, n uintptr) {
	copy(@unsafe.Slice((*byte)(dst), n), @unsafe.Slice((*byte)(src), n))
}`)
	}
	if g.hasText() {
		s.decl(`
// Is lets errors.Is find the runtime's error; layout.go does not import it.
func (e *textError) Is(target error) bool {
	if e.size > e.limit {
		return target == @segment.ErrTooLong
	}
	return target == @segment.ErrInnerNUL
}`)
	}
}

// viewMethods declares the accessors of the page's fields, either those that
// exist everywhere or those for 64-bit targets, and returns their text.
func (g *generator) viewMethods(s *source, wide bool) string {
	var all strings.Builder
	for _, f := range g.Page.Fields {
		a, ok := g.accessor(f)
		if !ok || a.wide != wide {
			continue
		}
		all.WriteString(a.get + a.set)
		g.emitAccessor(s, f, a)
	}
	return all.String()
}

func (g *generator) emitAccessor(s *source, f *layout.Field, a accessor) {
	name, x, param, result := fieldName(f), indices(f.Type), "", a.getType
	what := name + " returns the field " + f.Name + "."
	switch {
	case a.set == "":
		what = fmt.Sprintf("%s is the %s word.", name, f.Role)
	case result == "":
		param = "dst *" + goType(f.Type)
		what = name + " copies the field " + f.Name + " into *dst."
	default:
		param = x.params
	}
	if a.unsynchronised && f.Const == nil {
		what += " Nothing synchronises it with a writer: what it reads may be torn."
	}
	s.doc("%s", sentence(what, f.Doc))
	s.decl("func (v View) %s(%s) %s { %s }", name, param, result, a.get)
	if a.set == "" || f.ReadOnly {
		return
	}
	switch {
	case f.Type.Kind == layout.KindChar:
		s.doc("Set%s stores text and zeroes the bytes behind it. Text longer than %d bytes, "+
			"or with a NUL inside, is refused before anything is written. A reader may see a "+
			"part of it.", name, f.Type.Len)
		s.decl("func (v View) Set%s(%s%ss string) error { %s }", name, x.params, x.comma, a.set)
	case result == "":
		s.doc("Set%s copies *src into the field. A reader may see a part of it.", name)
		s.decl("func (v View) Set%s(src *%s) { %s }", name, goType(f.Type), a.set)
	default:
		s.doc("Set%s stores the field %s.%s", name, f.Name, widthNote(f.Type))
		s.decl("func (v View) Set%s(%s%sx %s) { %s }", name, x.params, x.comma, result, a.set)
	}
}

// widthNote says where a store is not a single one.
func widthNote(t layout.Type) string {
	if t.ElemSize() == 8 {
		return " On 32-bit targets that takes two stores."
	}
	return ""
}

// accessor returns how a View reaches a field; false where it does not.
func (g *generator) accessor(f *layout.Field) (accessor, bool) {
	at := "v.at(" + g.offsetName(g.Page, f) + ")"
	word := "v.word(" + g.offsetName(g.Page, f) + ")"
	switch f.Role {
	case layout.RoleSeqlock, layout.RoleFutex, layout.RoleWaiters:
		return accessor{get: "return " + word, getType: "*@atomic.Uint32"}, true
	case layout.RoleCounter, layout.RoleFingerprint:
		get := "return (*@atomic.Uint64)(" + at + ")"
		return accessor{get: get, getType: "*@atomic.Uint64", wide: true}, true
	}
	if f.Guarded || f.Type.Kind == layout.KindReserved || g.guardedBelow(f) {
		return accessor{}, false
	}
	elem := "(*" + goType(f.Type) + ")(" + at + ")" + indices(f.Type).expr
	switch {
	case f.Type.Kind == layout.KindChar:
		return accessor{
			get: "return string(text(" + elem + "[:]))", getType: "string", unsynchronised: true,
			set: fmt.Sprintf("return setText(%s[:], s, %q)", elem, g.Page.Name+"."+f.Name),
		}, true
	case f.Type.Kind == layout.KindBool && len(f.Type.Dims) > 0:
		return accessor{
			get: "return " + elem + " != 0", getType: "bool", set: elem + " = boolByte(x)",
		}, true
	case len(f.Type.Dims) > 0, f.Type.Kind == layout.KindBytes, f.Type.Kind == layout.KindRecord:
		return accessor{
			get:            fmt.Sprintf("copyBytes(@unsafe.Pointer(dst), %s, %d)", at, f.Size),
			set:            fmt.Sprintf("copyBytes(%s, @unsafe.Pointer(src), %d)", at, f.Size),
			unsynchronised: true,
		}, true
	}
	return scalarAccessor(f.Type, at, word), true
}

// scalarAccessor reaches one number, bool or enum: 4 bytes by an atomic, 8
// bytes by one or two, less by a plain access, which can not tear.
func scalarAccessor(t layout.Type, at, word string) accessor {
	name := goType(t)
	switch {
	case t.Kind == layout.KindBool:
		return accessor{
			get: "return *(*byte)(" + at + ") != 0", getType: "bool",
			set: "*(*byte)(" + at + ") = boolByte(x)",
		}
	case t.Kind == layout.KindF32:
		return accessor{
			get: "return @math.Float32frombits(" + word + ".Load())", getType: name,
			set: word + ".Store(@math.Float32bits(x))",
		}
	case t.Kind == layout.KindF64:
		return accessor{
			get: "return @math.Float64frombits(load64(" + at + "))", getType: name,
			set: "store64(" + at + ", @math.Float64bits(x))",
		}
	case t.ElemSize() == 4:
		return accessor{
			get: "return " + convert(name, "uint32", word+".Load()"), getType: name,
			set: word + ".Store(" + convert("uint32", name, "x") + ")",
		}
	case t.ElemSize() == 8:
		return accessor{
			get: "return " + convert(name, "uint64", "load64("+at+")"), getType: name,
			set: "store64(" + at + ", " + convert("uint64", name, "x") + ")",
		}
	}
	return accessor{
		get: "return *(*" + name + ")(" + at + ")", getType: name,
		set: "*(*" + name + ")(" + at + ") = x",
	}
}

// convert renders a conversion where the types differ.
func convert(to, from, x string) string {
	if to == from {
		return x
	}
	return to + "(" + x + ")"
}

// guardedBelow tells whether the field holds records with their own seqlock.
func (g *generator) guardedBelow(f *layout.Field) bool {
	for _, below := range g.Guarded {
		if below.Field == f {
			return true
		}
	}
	return false
}

func (g *generator) hasText() bool {
	for _, r := range g.AllRecords() {
		for _, f := range r.Fields {
			if f.Type.Kind == layout.KindChar {
				return true
			}
		}
	}
	return false
}
