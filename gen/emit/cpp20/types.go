package cpp20

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

func (h *header) constants() {
	h.Line("/// The page in bytes.")
	h.Line("inline constexpr std::size_t size = %d;", h.l.Size)
	if magic, ok := ctext.Magic(h.l); ok {
		h.Line("inline constexpr std::string_view magic = %s;", ctext.Quote([]byte(magic)))
	}
	h.Line("/// The hash of the layout: equal where two programs mean the same page.")
	h.Line("inline constexpr std::uint64_t fingerprint = 0x%016x;", h.l.Fingerprint)
	h.Blank()
	for _, c := range h.l.Consts {
		h.Comment("", c.Doc)
		typ := scalars[c.Kind]
		switch c.Kind {
		case layout.KindChar:
			typ = "std::string_view"
		case layout.KindBool:
			typ = "bool"
		}
		h.Line("inline constexpr %s %s = %s;", typ, h.names.Take(naming.CPP.Const(c.Name)), constant(c))
	}
	if len(h.l.Consts) > 0 {
		h.Blank()
	}
}

// constant renders the value of a constant.
func constant(c *layout.Const) string {
	switch {
	case c.Kind == layout.KindChar:
		return ctext.Quote([]byte(c.Text))
	case c.Kind == layout.KindBool:
		return strconv.FormatBool(c.Bool)
	case c.Kind.IsFloat():
		return ctext.Float(c.Float, c.Kind)
	case c.Kind == layout.KindU64:
		return fmt.Sprintf("%dU", c.Uint)
	case c.Kind.IsUnsigned():
		return fmt.Sprint(c.Uint)
	case c.Kind == layout.KindI64 && c.Int == -1<<63:
		return "INT64_MIN" // its literal would be the minus of what does not fit
	default:
		return fmt.Sprint(c.Int)
	}
}

func (h *header) enum(e *layout.Enum) {
	name := h.types[e]
	h.Comment("", e.Doc)
	if e.Flags {
		h.Line("/// A set of flags: an OR of these. Bits without a name are kept.")
	} else {
		h.Line("/// One of these. Values without a name are kept.")
	}
	h.Line("enum class %s : %s {", name, scalars[e.Base])
	for _, v := range e.Values {
		h.Comment("  ", v.Doc)
		if e.Flags {
			h.Line("  %s = 0x%xU,", naming.CPP.Const(v.Name), v.Value)
		} else {
			h.Line("  %s = %dU,", naming.CPP.Const(v.Name), v.Value)
		}
	}
	h.Line("};")
	h.Blank()
	if e.Flags {
		h.operators(name, scalars[e.Base])
	}
}

// operators lets a flag set be used like an integer of bits.
func (h *header) operators(name, base string) {
	for _, op := range []string{"|", "&", "^"} {
		h.Line("[[nodiscard]] constexpr %s operator%s(%s a, %s b) noexcept {", name, op, name, name)
		h.Line("  return %s(%s(a) %s %s(b));", name, base, op, base)
		h.Line("}")
		h.Blank()
		h.Line("constexpr %s &operator%s=(%s &a, %s b) noexcept {", name, op, name, name)
		h.Line("  return a = a %s b;", op)
		h.Line("}")
		h.Blank()
	}
	h.Line("[[nodiscard]] constexpr %s operator~(%s a) noexcept {", name, name)
	h.Line("  return %s(~%s(a));", name, base)
	h.Line("}")
	h.Blank()
}

// offsets defines where fields lie, the counts of arrays, and sizes.
func (h *header) offsets() {
	h.Line("// Where fields lie, in bytes, and how long arrays are.")
	h.recordOffsets(h.l.Page, "")
	for _, r := range h.l.Records {
		prefix := naming.Snake(r.Name) + "_"
		h.Line("inline constexpr std::size_t %s = %d;", h.names.Take(prefix+"size"), r.Size)
		h.recordOffsets(r, prefix)
	}
	h.Blank()
}

func (h *header) recordOffsets(r *layout.Record, prefix string) {
	for _, f := range r.Fields {
		if f.Type.Kind == layout.KindReserved {
			continue
		}
		base := prefix + naming.Snake(f.Name)
		h.Line("inline constexpr std::size_t %s = %d;", h.names.Take(base+"_offset"), f.Offset)
		if len(f.Type.Dims) > 0 {
			h.Line("inline constexpr std::size_t %s = %d;", h.names.Take(base+"_count"), f.Type.Count())
		}
	}
}

// record declares a struct in which every byte has a name and asserts that it
// came out as meant.
func (h *header) record(r *layout.Record) {
	name := h.types[r]
	h.Comment("", r.Doc)
	if r == h.l.Page {
		h.Line("/// The image of a page. A mapped page is shared: look at it through a view.")
	}
	h.Line("struct %s {", name)
	for _, m := range r.Members() {
		h.member(r, m)
	}
	h.Blank()
	for _, f := range r.Fields {
		switch {
		case r == h.l.Page: // nobody holds one
		case f.Type.Kind == layout.KindChar:
			h.textAccessors(r, f)
		case f.Type.Kind == layout.KindBool:
			h.boolAccessors(r, f)
		}
	}
	h.Line("  [[nodiscard]] bool operator==(const %s &) const = default;", name)
	h.Line("};")
	h.asserts(r)
	h.Blank()
}

// memberName is what a field is stored as.
func (h *header) memberName(r *layout.Record, f *layout.Field) string {
	name := h.scopes[r][f]
	if raw(f.Type) {
		return naming.Snake(f.Name) + "_raw"
	}
	return name
}

func (h *header) member(r *layout.Record, m layout.Member) {
	align := ""
	if n := ctext.NeedsAlign(r, m); n > 0 {
		align = fmt.Sprintf("alignas(%d) ", n)
	}
	if m.Field == nil {
		h.Line("  %sstd::array<std::uint8_t, %d> pad_%d_{};", align, m.Size, m.Offset)
		return
	}
	h.Comment("  ", m.Field.Doc)
	if m.Field.Type.Kind == layout.KindReserved {
		h.Line("  %sstd::array<std::uint8_t, %d> reserved_%d_{};", align, m.Size, m.Offset)
		return
	}
	typ, name := h.stored(m.Field.Type), h.memberName(r, m.Field)
	if align != "" && strings.HasPrefix(typ, "::") {
		// clang-format 14 would join the parenthesis and the colons.
		h.Line("  %s %s %s{};", typ, name, strings.TrimSpace(align))
		return
	}
	h.Line("  %s%s %s{};", align, typ, name)
}

func (h *header) asserts(r *layout.Record) {
	name := h.types[r]
	h.Line("static_assert(sizeof(%s) == %d);", name, r.Size)
	h.Line("static_assert(alignof(%s) == %d);", name, r.Align)
	h.Line("static_assert(std::is_standard_layout_v<%s>);", name)
	h.Line("static_assert(std::is_trivially_copyable_v<%s>);", name)
	for _, m := range r.Members() {
		if m.Field != nil && m.Field.Type.Kind != layout.KindReserved {
			h.Line("static_assert(offsetof(%s, %s) == %d);", name, h.memberName(r, m.Field), m.Offset)
		}
	}
	for _, f := range ctext.Words(r.Seqlock) {
		h.Line("static_assert(std::atomic_ref<decltype(%s::%s)>::is_always_lock_free);",
			name, h.memberName(r, f))
	}
}

// indices returns the parameters that select an element of an array member,
// and the brackets that do.
func indices(t layout.Type) (params []string, brackets string) {
	for i := range t.Dims {
		name := "index_"
		if len(t.Dims) > 1 {
			name = fmt.Sprintf("index%d_", i+1)
		}
		params = append(params, "std::size_t "+name)
		brackets += "[" + name + "]"
	}
	return params, brackets
}

func (h *header) textAccessors(r *layout.Record, f *layout.Field) {
	params, brackets := indices(f.Type)
	member := h.memberName(r, f) + brackets
	name := h.scopes[r][f]
	h.method("  ", "[[nodiscard]] std::string_view "+name, params, " const noexcept",
		"return shmkv::text("+member+");")
	h.Line("  /// Text that is too long or holds a NUL changes nothing.")
	h.method("  ", "[[nodiscard]] shmkv::errc set_"+naming.Snake(f.Name),
		append(params, "std::string_view text_"), " noexcept",
		"return shmkv::set_text("+member+", text_);")
}

func (h *header) boolAccessors(r *layout.Record, f *layout.Field) {
	params, brackets := indices(f.Type)
	member := h.memberName(r, f) + brackets
	h.method("  ", "[[nodiscard]] bool "+h.scopes[r][f], params, " const noexcept",
		"return "+member+" != 0;")
	h.method("  ", "void set_"+naming.Snake(f.Name), append(params, "bool value_"), " noexcept",
		member+" = value_ ? 1 : 0;")
}

// method writes a member function.
func (h *header) method(indent, head string, params []string, tail string, body ...string) {
	h.Call(indent+head, params, tail+" {")
	for _, line := range body {
		h.Line("%s  %s", indent, line)
	}
	h.Line("%s}", indent)
	h.Blank()
}

// updateType declares what a watcher of a ring gets.
func (h *header) updateType() {
	if !h.hasRing() {
		return
	}
	h.Line("/// One update, as a watcher gets it.")
	h.Line("struct update {")
	h.Line("  alignas(8) std::uint64_t id = 0; // from 1, in the order of publishing")
	h.Line("  std::uint64_t missed = 0; // updates right before this one that the ring lost")
	h.Line("  %s slot{};", h.elem(h.lock().Ring.Type))
	h.Line("};")
	h.Blank()
	h.Line("/// What one wait gives: at most what the ring keeps.")
	h.Line("using batch = shmkv::batch<update, %d>;", h.lock().RingCount())
	h.Blank()
}

// doc writes a comment for documentation tools.
func (h *header) doc(indent string, lines ...string) {
	for _, line := range lines {
		h.Line("%s/// %s", indent, strings.TrimSpace(line))
	}
}
