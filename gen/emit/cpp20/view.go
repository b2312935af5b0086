package cpp20

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// view writes the class that shows what no seqlock guards.
func (h *header) view() {
	h.doc("", "The fields of a mapped page that no seqlock guards, by atomic accesses. Words of",
		"the protocol are std::atomic_ref; through a reader's view they can be loaded only.",
		"The page must outlive the view.")
	h.Line("template <class Byte>")
	h.Line("class basic_view {")
	h.Line("public:")
	h.method("  ", "explicit basic_view", []string{"Byte *page"}, " noexcept", "page_ = page;")
	h.method("  ", "[[nodiscard]] Byte *data", nil, " const noexcept", "return page_;")
	var scope ctext.Names
	for _, name := range []string{"basic_view", "data", "page_"} {
		scope.Take(name)
	}
	for _, v := range ctext.Views(h.l) {
		h.viewField(v, &scope)
	}
	h.Line("private:")
	h.Line("  Byte *page_ = nullptr;")
	h.Line("};")
	h.Blank()
	h.doc("", "What a reader sees.")
	h.Line("using view = basic_view<const std::byte>;")
	h.Blank()
}

func (h *header) viewField(v ctext.View, scope *ctext.Names) {
	f := v.Field
	id := f.Name
	if v.In != nil {
		id = naming.Snake(v.In.Field.Name) + "_" + naming.Snake(f.Name)
	}
	get, set := scope.Take(naming.CPP.Field(id)), ""
	if v.Writable() {
		set = scope.Take("set_" + naming.Snake(id))
	}
	var params []string
	at := fmt.Sprintf("page_ + %d", v.Offset)
	if v.In != nil && v.In.Count > 1 {
		params = []string{"std::size_t index_"}
		at += fmt.Sprintf(" + index_ * %d", v.In.Stride)
	}
	h.Comment("  ", f.Doc)
	h.Comment("  ", ctext.Halves(f))
	switch {
	case f.Role == layout.RoleSeqlock || f.Role == layout.RoleFutex || f.Role == layout.RoleWaiters:
		h.method("  ", "[[nodiscard]] auto "+get, params, " const noexcept",
			"return shmkv::word("+at+");")
	case f.Type.Kind == layout.KindChar && len(f.Type.Dims) == 0:
		h.viewText(f, get, set, at, params)
	case f.Type.Kind == layout.KindBool && len(f.Type.Dims) == 0:
		h.method("  ", "[[nodiscard]] bool "+get, params, " const noexcept",
			"return shmkv::load<std::uint8_t, 1>("+at+") != 0;")
		if set != "" {
			h.method("  ", "void "+set, append(params, "bool value_"), " const noexcept",
				"shmkv::store<std::uint8_t, 1>("+at+", value_ ? 1 : 0);")
		}
	default:
		typ, unit := h.stored(f.Type), ctext.Unit(f)
		h.method("  ", "[[nodiscard]] "+typ+" "+get, params, " const noexcept",
			fmt.Sprintf("return shmkv::load<%s, %d>(%s);", typ, unit, at))
		if set == "" {
			return
		}
		param := "const " + typ + " &value_"
		if len(f.Type.Dims) == 0 && f.Type.Len == 0 && f.Type.Kind != layout.KindRecord {
			param = typ + " value_"
		}
		h.method("  ", "void "+set, append(params, param), " const noexcept",
			fmt.Sprintf("shmkv::store<%s, %d>(%s, value_);", typ, unit, at))
	}
}

// viewText moves text byte by byte: while somebody writes it, a reader may
// find parts of both texts.
func (h *header) viewText(f *layout.Field, get, set, at string, params []string) {
	typ := h.elem(f.Type)
	h.method("  ", "[[nodiscard]] std::string "+get, params, " const",
		"return std::string(shmkv::text(shmkv::load<"+typ+", 1>("+at+")));")
	if set == "" {
		return
	}
	params = append(params, "std::string_view text_")
	h.method("  ", "[[nodiscard]] shmkv::errc "+set, params, " const noexcept",
		typ+" field_{};",
		"shmkv::errc code_ = shmkv::set_text(field_, text_);",
		"if (code_ == shmkv::errc::ok) {",
		"  shmkv::store<"+typ+", 1>("+at+", field_);",
		"}",
		"return code_;")
}

// at returns the parameter that selects a record with its own seqlock, the
// offset of it, and the statements that check the parameter.
func at(g *layout.Guarded) (params []string, offset string, check []string) {
	if g.Count == 1 {
		return nil, fmt.Sprint(g.Offset), nil
	}
	return []string{"std::size_t index"}, fmt.Sprintf("%d + index * %d", g.Offset, g.Stride), []string{
		fmt.Sprintf("if (index >= %d) {", g.Count),
		"  return mapping_.failure(SHMKV_INVALID);",
		"}",
	}
}

// classScope reserves the members of reader or writer.
func classScope(names string) *ctext.Names {
	scope := &ctext.Names{}
	for name := range strings.FieldsSeq(names) {
		scope.Take(name)
	}
	return scope
}
