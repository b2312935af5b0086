// Package cpp20 emits bindings for C++20: a header per layout, which stands on
// the static headers of c11 and on segment.hpp.
package cpp20

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// Emit returns the C++ headers of the layouts, with segment.hpp. The headers
// need the static files of c11 beside them.
func Emit(ls []*layout.Layout) ([]emit.File, error) {
	files, err := ctext.Static("segment.hpp")
	if err != nil {
		return nil, err
	}
	for _, l := range ls {
		if err := ctext.Check(l); err != nil {
			return nil, err
		}
		h := newHeader(l)
		h.write()
		files = append(files, emit.File{Path: "shmkv/" + naming.Snake(l.Name) + ".hpp", Data: h.Bytes()})
	}
	return files, nil
}

// header is the header of one layout being written.
type header struct {
	ctext.Source
	l      *layout.Layout
	space  string // the namespace
	names  ctext.Names
	types  map[any]string // *layout.Record and *layout.Enum
	scopes map[*layout.Record]map[*layout.Field]string
	desc   ctext.Descriptors
	layout string // name of the layout's descriptor
}

func newHeader(l *layout.Layout) *header {
	h := &header{
		l: l, space: naming.Snake(l.Name), types: map[any]string{},
		scopes: map[*layout.Record]map[*layout.Field]string{},
	}
	if globals[h.space] {
		h.space += "_"
	}
	h.reserve()
	h.desc = ctext.Descriptors{
		Layout: l, Storage: "inline constexpr", None: "SHMKV_NONE",
		Name: func(plain string) string { return h.names.Take(naming.Snake(plain) + "_") },
	}
	return h
}

// reserve takes the names that the API has whatever the layout says, before
// any name of the layout can.
func (h *header) reserve() {
	own := "size magic fingerprint update batch view basic_view reader writer"
	for name := range strings.FieldsSeq(own) {
		h.names.Take(name)
	}
	for _, e := range h.l.Enums {
		h.types[e] = h.names.Take(naming.CPP.Type(e.Name))
	}
	for _, r := range h.l.AllRecords() {
		h.types[r] = h.names.Take(naming.CPP.Type(r.Name))
	}
	for _, r := range h.l.AllRecords() {
		h.scopes[r] = h.members(r)
	}
}

// members names the members of a record. None may have the name of its class.
func (h *header) members(r *layout.Record) map[*layout.Field]string {
	var scope ctext.Names
	scope.Take(h.types[r])
	names := map[*layout.Field]string{}
	for _, f := range r.Fields {
		if f.Type.Kind != layout.KindReserved {
			names[f] = scope.Take(naming.CPP.Field(f.Name))
		}
	}
	return names
}

// qualified returns the full name of a record or enum, for places where
// a member of the same name hides it.
func (h *header) qualified(t any) string { return "::" + h.space + "::" + h.types[t] }

// write is the table of contents of a header.
func (h *header) write() {
	h.top()
	h.Line("namespace %s {", h.space)
	h.Blank()
	h.constants()
	for _, e := range h.l.Enums {
		h.enum(e)
	}
	h.offsets()
	for _, r := range h.l.AllRecords() {
		h.record(r)
	}
	h.updateType()
	h.Line("// Descriptors: what the functions of protocol.h and segment.h take.")
	h.layout = h.desc.Write(&h.Source)
	h.Blank()
	h.view()
	h.reader()
	h.writer()
	h.Line("} // namespace %s", h.space)
	h.Blank()
	h.Line("#endif // %s", h.guard())
}

func (h *header) guard() string { return "SHMKV_LAYOUT_" + naming.Screaming(h.l.Name) + "_HPP" }

func (h *header) top() {
	h.Line("// %s", emit.Marker)
	h.Line("//")
	h.Comment("", fmt.Sprintf("The layout %s for C++20.", h.l.Name))
	if h.l.Doc != "" {
		h.Line("//")
		h.Comment("", h.l.Doc)
	}
	h.Line("#ifndef %s", h.guard())
	h.Line("#define %s", h.guard())
	h.Blank()
	h.Line(`#include "segment.hpp"`)
	h.Blank()
	h.Sign = "///"
	ctext.Endian(&h.Source, h.l)
}

func (h *header) lock() *layout.Seqlock { return h.l.Page.Seqlock }

func (h *header) hasRing() bool { return h.lock() != nil && h.lock().Ring != nil }

var scalars = map[layout.Kind]string{
	layout.KindU8: "std::uint8_t", layout.KindU16: "std::uint16_t", layout.KindU32: "std::uint32_t",
	layout.KindU64: "std::uint64_t", layout.KindI8: "std::int8_t", layout.KindI16: "std::int16_t",
	layout.KindI32: "std::int32_t", layout.KindI64: "std::int64_t", layout.KindF32: "float",
	layout.KindF64: "double", layout.KindBool: "std::uint8_t",
}

// elem returns the type of one element: text and bytes are arrays of their own.
func (h *header) elem(t layout.Type) string {
	switch t.Kind {
	case layout.KindEnum, layout.KindFlags:
		return h.qualified(t.Enum)
	case layout.KindRecord:
		return h.qualified(t.Record)
	case layout.KindChar:
		return fmt.Sprintf("std::array<char, %d>", t.Len)
	case layout.KindBytes, layout.KindReserved:
		return fmt.Sprintf("std::array<std::uint8_t, %d>", t.Len)
	default:
		return scalars[t.Kind]
	}
}

// stored returns the type of a member: nested std::array for arrays.
func (h *header) stored(t layout.Type) string {
	typ := h.elem(t)
	for i := len(t.Dims) - 1; i >= 0; i-- {
		typ = fmt.Sprintf("std::array<%s, %d>", typ, t.Dims[i])
	}
	return typ
}

// raw tells whether the member is kept raw behind accessors: text, whose end
// must be looked for, and bools, of which any non-zero byte is true.
func raw(t layout.Type) bool { return t.Kind == layout.KindChar || t.Kind == layout.KindBool }
