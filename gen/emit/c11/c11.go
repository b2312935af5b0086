// Package c11 emits bindings for C11: a header per layout, and beside it the
// static headers that hold the protocol. The headers also compile as C++.
package c11

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// style keeps clang-format from breaking what long names make long.
const style = `# ` + emit.Marker + `
BasedOnStyle: LLVM
Standard: c++20
ColumnLimit: 0
AlignAfterOpenBracket: DontAlign
AlignTrailingComments: false
AlwaysBreakTemplateDeclarations: Yes
AllowShortEnumsOnASingleLine: false
AllowShortFunctionsOnASingleLine: None
AllowShortLambdasOnASingleLine: None
ReflowComments: false
SortIncludes: Never
`

// Emit returns the C headers of the layouts, with the static files.
func Emit(ls []*layout.Layout) ([]emit.File, error) {
	files, err := ctext.Static(ctext.Headers...)
	if err != nil {
		return nil, err
	}
	files = append(files, emit.File{Path: "shmkv/.clang-format", Data: []byte(style)})
	for _, l := range ls {
		if err := ctext.Check(l); err != nil {
			return nil, err
		}
		g := newHeader(l)
		g.write()
		files = append(files, emit.File{Path: "shmkv/" + naming.Snake(l.Name) + ".h", Data: g.Bytes()})
	}
	return files, nil
}

// header is the header of one layout being written.
type header struct {
	ctext.Source
	l      *layout.Layout
	lower  string // prefix of functions and types: shkv2_
	upper  string // prefix of macros: SHKV2_
	names  ctext.Names
	macros ctext.Names
	types  map[any]string // *layout.Record and *layout.Enum
	desc   ctext.Descriptors
	layout string // name of the layout's descriptor
}

func newHeader(l *layout.Layout) *header {
	h := &header{
		l: l, lower: naming.Snake(l.Name) + "_", upper: naming.Screaming(l.Name) + "_",
		types: map[any]string{},
	}
	h.reserve()
	h.desc = ctext.Descriptors{
		Layout: l, Storage: "SHMKV_CONST", None: "SHMKV_NONE",
		Name: func(plain string) string { return h.names.Take(h.lower + naming.Snake(plain)) },
	}
	return h
}

// reserve takes the names that the API has whatever the layout says, before
// any name of the layout can.
func (h *header) reserve() {
	for _, name := range strings.Fields(`reader writer update open attach close_reader close_writer
		create publish publish_slot read_snapshot read_slot read_back wait wake alive`) {
		h.names.Take(h.lower + name)
	}
	for _, name := range []string{"SIZE", "MAGIC", "FINGERPRINT", "H"} {
		h.macros.Take(h.upper + name)
	}
	for _, e := range h.l.Enums {
		h.types[e] = h.names.Take(h.lower + naming.Snake(e.Name))
	}
	for _, r := range h.l.AllRecords() {
		h.types[r] = h.names.Take(h.lower + naming.Snake(r.Name))
	}
}

// write is the table of contents of a header.
func (h *header) write() {
	h.top()
	h.constants()
	for _, e := range h.l.Enums {
		h.enum(e)
	}
	h.offsets()
	for _, r := range h.l.AllRecords() {
		h.record(r)
	}
	h.updateType()
	h.section("Fields of records")
	for _, r := range h.l.AllRecords() {
		h.accessors(r)
	}
	h.section("Descriptors: constants that the protocol functions take")
	h.layout = h.desc.Write(&h.Source)
	h.Blank()
	h.section("Fields of a mapped page that no seqlock guards, by atomic accesses")
	for _, v := range ctext.Views(h.l) {
		h.view(v)
	}
	h.Line("#if __STDC_HOSTED__")
	h.Blank()
	h.readers()
	h.writers()
	h.Line("#endif // __STDC_HOSTED__")
	h.Blank()
	h.Line("#endif // %s", h.guard())
}

func (h *header) guard() string { return "SHMKV_LAYOUT_" + h.upper + "H" }

func (h *header) top() {
	h.Line("// %s", emit.Marker)
	h.Line("//")
	h.Comment("", fmt.Sprintf("The layout %s for C11 and C++.", h.l.Name))
	if h.l.Doc != "" {
		h.Line("//")
		h.Comment("", h.l.Doc)
	}
	h.Line("#ifndef %s", h.guard())
	h.Line("#define %s", h.guard())
	h.Blank()
	h.Line(`#include "protocol.h"`)
	h.Line("#if __STDC_HOSTED__")
	h.Line(`#include "segment.h"`)
	h.Line("#endif")
	h.Blank()
	ctext.Endian(&h.Source, h.l)
}

func (h *header) section(title string) {
	h.Line("// ---- %s ----", title)
	h.Blank()
}

// field returns the name of a member. The header must compile as C++ too, so
// the reserved words of both count, which is naming's business.
func field(f *layout.Field) string { return naming.C.Field(f.Name) }

var scalars = map[layout.Kind]string{
	layout.KindU8: "uint8_t", layout.KindU16: "uint16_t", layout.KindU32: "uint32_t",
	layout.KindU64: "uint64_t", layout.KindI8: "int8_t", layout.KindI16: "int16_t",
	layout.KindI32: "int32_t", layout.KindI64: "int64_t", layout.KindF32: "float",
	layout.KindF64: "double", layout.KindBool: "uint8_t", layout.KindChar: "char",
	layout.KindBytes: "uint8_t", layout.KindReserved: "uint8_t",
}

// elem returns the C type that arrays of a type are made of; text and bytes
// are arrays themselves.
func (h *header) elem(t layout.Type) string {
	switch t.Kind {
	case layout.KindEnum, layout.KindFlags:
		return h.types[t.Enum]
	case layout.KindRecord:
		return h.types[t.Record]
	default:
		return scalars[t.Kind]
	}
}

// isArray tells whether C declares a member of the type as an array.
func isArray(t layout.Type) bool { return len(t.Dims) > 0 || t.Len > 0 }
