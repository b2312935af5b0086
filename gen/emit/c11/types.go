package c11

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

func (h *header) constants() {
	h.Line("// The page in bytes.")
	h.Line("#define %sSIZE %d", h.upper, h.l.Size)
	if magic, ok := ctext.Magic(h.l); ok {
		h.Line("#define %sMAGIC %s", h.upper, ctext.Quote([]byte(magic)))
	}
	h.Line("// The hash of the layout: equal where two programs mean the same page.")
	h.Line("#define %sFINGERPRINT UINT64_C(0x%016x)", h.upper, h.l.Fingerprint)
	h.Blank()
	for _, c := range h.l.Consts {
		h.Comment("", c.Doc)
		h.Line("#define %s %s", h.macros.Take(h.upper+naming.Screaming(c.Name)), constant(c))
	}
	if len(h.l.Consts) > 0 {
		h.Blank()
	}
}

// constant renders the value of a constant.
func constant(c *layout.Const) string {
	bits := c.Kind.Size() * 8
	switch {
	case c.Kind == layout.KindChar:
		return ctext.Quote([]byte(c.Text))
	case c.Kind == layout.KindBool:
		return strconv.FormatBool(c.Bool)
	case c.Kind.IsFloat():
		return ctext.Float(c.Float, c.Kind)
	case c.Kind.IsUnsigned():
		return fmt.Sprintf("UINT%d_C(%d)", bits, c.Uint)
	case c.Int == -1<<(bits-1):
		return fmt.Sprintf("INT%d_MIN", bits) // its literal would be the minus of what does not fit
	case c.Int < 0:
		return fmt.Sprintf("(-INT%d_C(%d))", bits, -c.Int)
	default:
		return fmt.Sprintf("INT%d_C(%d)", bits, c.Int)
	}
}

func (h *header) enum(e *layout.Enum) {
	name := h.types[e]
	h.Comment("", e.Doc)
	if e.Flags {
		h.Line("// A set of flags: an OR of these. Bits without a name are kept.")
	} else {
		h.Line("// One of these. Values without a name are kept.")
	}
	h.Line("typedef %s %s;", scalars[e.Base], name)
	for _, v := range e.Values {
		h.Comment("", v.Doc)
		macro := h.macros.Take(h.upper + naming.Screaming(e.Name) + "_" + naming.Screaming(v.Name))
		format := "#define %s UINT%d_C(%d)"
		if e.Flags {
			format = "#define %s UINT%d_C(0x%x)"
		}
		h.Line(format, macro, e.Base.Size()*8, v.Value)
	}
	h.Blank()
}

// offsets defines where fields lie, the counts of arrays, and sizes.
func (h *header) offsets() {
	h.Line("// Where the fields of the page lie, in bytes, and how long arrays are.")
	h.recordOffsets(h.l.Page, "")
	for _, r := range h.l.Records {
		h.Line("// The record %s.", r.Name)
		prefix := naming.Screaming(r.Name) + "_"
		h.Line("#define %s %d", h.macros.Take(h.upper+prefix+"SIZE"), r.Size)
		h.recordOffsets(r, prefix)
	}
	h.Blank()
}

func (h *header) recordOffsets(r *layout.Record, prefix string) {
	for _, f := range r.Fields {
		if f.Type.Kind == layout.KindReserved {
			continue
		}
		base := h.upper + prefix + naming.Screaming(f.Name)
		h.Line("#define %s %d", h.macros.Take(base+"_OFFSET"), f.Offset)
		if len(f.Type.Dims) > 0 {
			h.Line("#define %s %d", h.macros.Take(base+"_COUNT"), f.Type.Count())
		}
	}
}

// record declares a struct in which every byte has a name, so that no compiler
// has padding left to place, and asserts that it came out as meant.
func (h *header) record(r *layout.Record) {
	name := h.types[r]
	h.Comment("", r.Doc)
	if r == h.l.Page {
		h.Line("// The image of a page. A mapped page is shared: read it by the functions below.")
	}
	h.Line("typedef struct %s {", name)
	for _, m := range r.Members() {
		h.member(r, m)
	}
	h.Line("} %s;", name)
	h.Call("SHMKV_STATIC_ASSERT", []string{
		fmt.Sprintf("sizeof(%s) == %d", name, r.Size), quoted("size of %s", name),
	}, ";")
	h.Call("SHMKV_STATIC_ASSERT", []string{
		fmt.Sprintf("%s(%s) == %d", "SHMKV_ALIGNOF", name, r.Align), quoted("alignment of %s", name),
	}, ";")
	for _, m := range r.Members() {
		if m.Field != nil && m.Field.Type.Kind != layout.KindReserved {
			h.Call("SHMKV_STATIC_ASSERT", []string{
				fmt.Sprintf("offsetof(%s, %s) == %d", name, field(m.Field), m.Offset),
				quoted("offset of %s.%s", name, m.Field.Name),
			}, ";")
		}
	}
	for _, f := range ctext.Words(r.Seqlock) {
		h.Call("SHMKV_STATIC_ASSERT", []string{
			"SHMKV_LOCK_FREE_32", quoted("%s.%s is lock-free", name, f.Name),
		}, ";")
	}
	h.Blank()
}

func quoted(format string, args ...any) string {
	return ctext.Quote(fmt.Appendf(nil, format, args...))
}

func (h *header) member(r *layout.Record, m layout.Member) {
	align := ""
	if n := ctext.NeedsAlign(r, m); n > 0 {
		align = fmt.Sprintf("shmkv_alignas(%d) ", n)
	}
	if m.Field == nil {
		h.Line("  %suint8_t pad_%d_[%d];", align, m.Offset, m.Size)
		return
	}
	h.Comment("  ", m.Field.Doc)
	if m.Field.Type.Kind == layout.KindReserved {
		h.Line("  %suint8_t reserved_%d_[%d];", align, m.Offset, m.Size)
		return
	}
	h.Line("  %s%s %s%s;", align, h.elem(m.Field.Type), field(m.Field), dims(m.Field.Type))
}

// dims renders the array part of a declaration.
func dims(t layout.Type) string {
	var b strings.Builder
	for _, n := range t.Dims {
		fmt.Fprintf(&b, "[%d]", n)
	}
	if t.Len > 0 {
		fmt.Fprintf(&b, "[%d]", t.Len)
	}
	return b.String()
}

// updateType declares what a watcher of a ring gets.
func (h *header) updateType() {
	lock := h.l.Page.Seqlock
	if lock == nil || lock.Ring == nil {
		return
	}
	name := h.lower + "update"
	h.Line("// One update, as a watcher gets it.")
	h.Line("typedef struct %s {", name)
	h.Line("  shmkv_alignas(8) uint64_t id; // from 1, in the order of publishing")
	h.Line("  uint64_t missed; // updates right before this one that the ring lost")
	h.Line("  %s slot;", h.elem(lock.Ring.Type))
	h.Line("} %s;", name)
	h.Blank()
}
