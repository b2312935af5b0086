package c11

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// inline writes a function. A % in an argument stands for the layout's prefix.
func (h *header) inline(result, name string, args []string, body ...string) {
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%", h.lower)
	}
	h.Call("SHMKV_INLINE "+result+" "+name, args, " {")
	for _, line := range body {
		h.Line("  %s", line)
	}
	h.Line("}")
	h.Blank()
}

// accessors writes functions for the fields that a plain member does not serve
// well: text, and bools, which others may have stored as any non-zero byte.
func (h *header) accessors(r *layout.Record) {
	if r == h.l.Page {
		return // nobody holds one
	}
	for _, f := range r.Fields {
		switch f.Type.Kind {
		case layout.KindChar:
			h.textAccessors(r, f)
		case layout.KindBool:
			h.boolAccessors(r, f)
		}
	}
}

// member returns the expression of one element of a member, and the parameter
// that selects it where the member is an array.
func element(f *layout.Field, constant string) (expr string, args []string) {
	name := "record->" + field(f)
	if len(f.Type.Dims) == 0 {
		return name, nil
	}
	args = []string{"size_t index"}
	if f.Type.Kind == layout.KindChar {
		return fmt.Sprintf("(%schar *)%s + index * %d", constant, name, f.Type.Len), args
	}
	return fmt.Sprintf("((%suint8_t *)%s)[index]", constant, name), args
}

func (h *header) textAccessors(r *layout.Record, f *layout.Field) {
	base := h.lower + naming.Snake(r.Name) + "_"
	get, index := element(f, "const ")
	args := append([]string{"const " + h.types[r] + " *record"}, index...)
	h.inline("shmkv_text", h.names.Take(base+naming.Snake(f.Name)), args,
		fmt.Sprintf("return shmkv_get_text(%s, %d);", get, f.Type.Len))

	set, _ := element(f, "")
	args = append([]string{h.types[r] + " *record"}, index...)
	args = append(args, "const char *text", "size_t size")
	h.inline("shmkv_code", h.names.Take(base+"set_"+naming.Snake(f.Name)), args,
		fmt.Sprintf("return shmkv_set_text(%s, %d, text, size);", set, f.Type.Len))
}

func (h *header) boolAccessors(r *layout.Record, f *layout.Field) {
	base := h.lower + naming.Snake(r.Name) + "_"
	get, index := element(f, "const ")
	args := append([]string{"const " + h.types[r] + " *record"}, index...)
	h.inline("bool", h.names.Take(base+naming.Snake(f.Name)), args, "return "+get+" != 0;")

	set, _ := element(f, "")
	args = append([]string{h.types[r] + " *record"}, index...)
	h.inline("void", h.names.Take(base+"set_"+naming.Snake(f.Name)), append(args, "bool value"),
		set+" = value ? 1 : 0;")
}

// view writes the functions that load and store one field of a mapped page.
func (h *header) view(v ctext.View) {
	name := naming.Snake(v.Field.Name)
	if v.In != nil {
		name = naming.Snake(v.In.Field.Name) + "_" + name
	}
	get := h.names.Take(h.lower + "get_" + name)
	set := ""
	if v.Writable() {
		set = h.names.Take(h.lower + "set_" + name)
	}
	h.Comment("", v.Field.Doc)
	h.Comment("", ctext.Halves(v.Field))
	t := v.Field.Type
	switch {
	case t.Kind == layout.KindChar && len(t.Dims) == 0:
		h.textView(v, get, set)
	case !isArray(t) && t.Kind != layout.KindRecord:
		h.scalarView(v, get, set)
	default:
		h.wholeView(v, get, set)
	}
}

// place returns the parameters that name a place in a page, and its address.
func place(v ctext.View, writable bool) (args []string, address string) {
	pointer, at := "const void *page", "shmkv_at"
	if writable {
		pointer, at = "void *page", "shmkv_into"
	}
	args = []string{pointer}
	offset := fmt.Sprint(v.Offset)
	if v.In != nil && v.In.Count > 1 {
		args = append(args, "size_t index")
		offset = fmt.Sprintf("%d + index * %d", v.Offset, v.In.Stride)
	}
	return args, at + "(page, " + offset + ")"
}

func (h *header) scalarView(v ctext.View, get, set string) {
	f := v.Field
	args, address := place(v, false)
	typ := h.elem(f.Type)
	load := fmt.Sprintf("shmkv_copy_out(&value, %s, %d, %d);", address, f.Size, f.Size)
	switch {
	case f.Role == layout.RoleFutex:
		h.inline(typ, get, args, "return shmkv_load_futex("+address+");")
	case f.Type.Kind == layout.KindBool:
		h.inline("bool", get, args, typ+" value;", load, "return value != 0;")
	default:
		h.inline(typ, get, args, typ+" value;", load, "return value;")
	}
	if set == "" {
		return
	}
	args, address = place(v, true)
	store := fmt.Sprintf("shmkv_copy_in(%s, &value, %d, %d);", address, f.Size, f.Size)
	if f.Type.Kind == layout.KindBool {
		h.inline("void", set, append(args, "bool truth"), typ+" value = truth ? 1 : 0;", store)
		return
	}
	h.inline("void", set, append(args, typ+" value"), store)
}

// textView moves text byte by byte: while somebody writes it, a reader may
// find parts of both texts.
func (h *header) textView(v ctext.View, get, set string) {
	size := v.Field.Type.Len
	args, address := place(v, false)
	h.Line("// Needs a buffer of %d bytes, which the result points into.", size)
	h.inline("shmkv_text", get, append(args, "char *buffer"),
		fmt.Sprintf("shmkv_copy_out(buffer, %s, %d, 1);", address, size),
		fmt.Sprintf("return shmkv_get_text(buffer, %d);", size))
	if set == "" {
		return
	}
	args, address = place(v, true)
	h.inline("shmkv_code", set, append(args, "const char *text", "size_t size"),
		fmt.Sprintf("char field[%d];", size),
		fmt.Sprintf("shmkv_code code = shmkv_set_text(field, %d, text, size);", size),
		"if (code == SHMKV_OK) {",
		fmt.Sprintf("  shmkv_copy_in(%s, field, %d, 1);", address, size),
		"}",
		"return code;")
}

// wholeView moves arrays, bytes and records, each scalar of them in one piece
// on a machine with words of its size.
func (h *header) wholeView(v ctext.View, get, set string) {
	f := v.Field
	typ := h.elem(f.Type)
	args, address := place(v, false)
	if isArray(f.Type) {
		h.Line("// An array of %d.", f.Size/elementSize(f.Type))
	}
	h.inline("void", get, append(args, typ+" *values"),
		fmt.Sprintf("shmkv_copy_out(values, %s, %d, %d);", address, f.Size, ctext.Unit(f)))
	if set == "" {
		return
	}
	args, address = place(v, true)
	h.inline("void", set, append(args, "const "+typ+" *values"),
		fmt.Sprintf("shmkv_copy_in(%s, values, %d, %d);", address, f.Size, ctext.Unit(f)))
}

// elementSize is the size of what elem names.
func elementSize(t layout.Type) int {
	if t.Len > 0 {
		return 1
	}
	return t.ElemSize()
}
