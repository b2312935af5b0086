package cpp20

import (
	"fmt"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// mostFields bounds the records whose fields publish takes one by one.
const mostFields = 8

// factory writes a static function that makes the class of a mapping.
func (h *header) factory(class, name string, params []string, call string) {
	h.method("  ", "[[nodiscard]] static shmkv::result<"+class+"> "+name, params, "",
		"auto mapping = shmkv::mapping::"+call+";",
		"if (!mapping) {",
		"  return mapping.error();",
		"}",
		class+" made;",
		"made.mapping_ = std::move(*mapping);",
		"return made;")
}

func (h *header) privates(class string) {
	h.Line("private:")
	h.Line("  %s() = default;", class)
	h.Blank()
	h.Line("  shmkv::mapping mapping_;")
	h.Line("};")
	h.Blank()
}

func (h *header) reader() {
	h.doc("", "A reader of a page, mapped read-only. Move-only. Threads may share one.")
	h.Line("class reader {")
	h.Line("public:")
	h.doc("  ", "Opens a file and checks that it is a page of this layout. Never blocks.")
	h.factory("reader", "open", []string{"const std::string &path"}, "open(path, "+h.layout+")")
	h.doc("  ", "Binds to memory that the caller mapped, at a multiple of 8, and keeps mapped.")
	h.factory("reader", "attach", []string{"std::span<std::byte> memory"},
		"attach(memory, "+h.layout+")")
	h.doc("  ", "What no seqlock guards.")
	h.method("  ", "[[nodiscard]] ::"+h.space+"::view view", nil, " const noexcept",
		"return ::"+h.space+"::view(mapping_.page());")
	h.doc("  ", "Tells whether a writer holds the lock.")
	h.method("  ", "[[nodiscard]] bool alive", nil, " const noexcept",
		"return shmkv_segment_alive(&mapping_.segment()) == 1;")
	scope := classScope("reader open attach view alive snapshot read_slot wait")
	if h.lock() != nil {
		h.snapshots()
		h.waits()
	}
	for _, g := range h.l.Guarded {
		h.readGuarded(g, scope)
	}
	h.privates("reader")
}

// readPair writes a read into a given object and one that returns the object.
func (h *header) readPair(name, typ string, params []string, index string, body ...string) {
	h.method("  ", "[[nodiscard]] shmkv::result<void> "+name,
		append(append([]string{}, params...), typ+" &into"), " const", body...)
	h.method("  ", "[[nodiscard]] shmkv::result<"+typ+"> "+name, params, " const",
		typ+" into;",
		"auto read = "+name+"("+index+"into);",
		"if (!read) {",
		"  return read.error();",
		"}",
		"return into;")
}

func (h *header) snapshots() {
	lock := h.desc.Seqlock(h.lock())
	h.doc("  ", "Copies all that the page's seqlock guards, consistent in itself. Blocks for 2 s at",
		"most: then errc::livelocked. Into an object that is used again, or a new one.")
	h.readPair("snapshot", h.qualified(h.lock().Copy), nil, "",
		"return mapping_.outcome(shmkv_read(mapping_.page(), &"+lock+", &into));")
	if !h.hasRing() {
		return
	}
	h.doc("  ", "Copies one record of the ring. Blocks like snapshot. An index past the ring is",
		"errc::invalid.")
	h.readPair("read_slot", h.elem(h.lock().Ring.Type), []string{"std::size_t index"}, "index, ",
		"std::uint64_t counter;",
		"return mapping_.outcome(",
		"    shmkv_read_slot(mapping_.page(), &"+lock+", index, &into, &counter));")
}

func (h *header) waits() {
	if h.lock().Futex == nil {
		return
	}
	params := []string{"std::uint64_t &last", "std::chrono::nanoseconds timeout"}
	failed := []string{"if (n < 0) {", "  return mapping_.failure(n);", "}"}
	if !h.hasRing() {
		copied := h.qualified(h.lock().Copy)
		h.doc("  ", "Waits until the counter is not last, copies the page and moves last, which starts",
			"at 0. After the timeout errc::timed_out. Signals do not end it.")
		body := []string{
			copied + " into;",
			"int n = shmkv_wait_copy(&mapping_.segment(), &last, &into, shmkv::deadline(timeout));",
		}
		h.method("  ", "[[nodiscard]] shmkv::result<"+copied+"> wait", params, " const",
			append(append(body, failed...), "return into;")...)
		return
	}
	h.doc("  ", "Waits for updates after last, which starts at 0, copies those that the ring still",
		"keeps, oldest first, and moves last. After the timeout errc::timed_out. Signals do",
		"not end it.")
	body := []string{
		"batch got;",
		"shmkv_updates out{got.updates().data(), sizeof(update), offsetof(update, slot)};",
		"int n = shmkv_wait_updates(&mapping_.segment(), &last, out, shmkv::deadline(timeout));",
	}
	h.method("  ", "[[nodiscard]] shmkv::result<batch> wait", params, " const",
		append(append(body, failed...), "got.resize(std::size_t(n));", "return got;")...)
}

func (h *header) readGuarded(g *layout.Guarded, scope *ctext.Names) {
	params, offset, check := at(g)
	index := ""
	if len(params) > 0 {
		index = "index, "
	}
	h.doc("  ", "Copies what the seqlock of a record guards. Blocks for 2 s at most.")
	name := scope.Take("read_" + naming.Snake(g.Field.Name))
	h.readPair(name, h.qualified(g.Record.Seqlock.Copy), params, index,
		append(check,
			"const std::byte *record = mapping_.page() + "+offset+";",
			"return mapping_.outcome(shmkv_read(record, &"+h.desc.Seqlock(g.Record.Seqlock)+", &into));")...)
}

func (h *header) writer() {
	h.doc("", "The writer of a page: one per file. It holds the writer lock until it is destroyed or",
		"dies. Move-only, for one thread at a time.")
	h.Line("class writer {")
	h.Line("public:")
	h.doc("  ", "Creates a file with the given mode, or continues the one that is there and repairs",
		"what a killed writer left. Never blocks: errc::locked if there is another writer.")
	h.factory("writer", "create", []string{"const std::string &path", "unsigned mode = 0600"},
		"create(path, "+h.layout+", mode)")
	h.doc("  ", "What no seqlock guards.")
	h.method("  ", "[[nodiscard]] basic_view<std::byte> view", nil, " const noexcept",
		"return basic_view<std::byte>(mapping_.page());")
	h.doc("  ", "What create found and repaired.")
	h.method("  ", "[[nodiscard]] shmkv::recovery recovery", nil, " const noexcept",
		"return shmkv::recovery(mapping_.segment().recovery);")
	scope := classScope("writer create view recovery wake snapshot publish update")
	if h.lock() != nil {
		h.publishes()
	}
	for _, g := range h.l.Guarded {
		h.updateGuarded(g, scope)
	}
	h.privates("writer")
}

func (h *header) publishes() {
	lock, copied := h.desc.Seqlock(h.lock()), h.qualified(h.lock().Copy)
	h.doc("  ", "Wakes all sleepers and returns how many there were. Publishing does it already.")
	h.method("  ", "int wake", nil, " const noexcept",
		"return shmkv_segment_wake(&mapping_.segment());")
	h.doc("  ", "What the page holds now. Only the writer changes it, so it can not fail.")
	h.method("  ", "[[nodiscard]] "+copied+" snapshot", nil, " const noexcept",
		copied+" into;",
		"(void)shmkv_read(mapping_.page(), &"+lock+", &into);",
		"return into;")
	if h.hasRing() {
		h.doc("  ", "Publishes a record, wakes all sleepers and returns the id of the update.")
		param := "const " + h.elem(h.lock().Ring.Type) + " &record_"
		h.method("  ", "std::uint64_t publish", []string{param}, " noexcept",
			"std::uint64_t id_ = shmkv_publish(mapping_.page(), &"+lock+", &record_);",
			"(void)wake();",
			"return id_;")
		h.publishFields(h.lock().Ring.Type.Record)
		return
	}
	h.doc("  ", "Publishes all that the seqlock guards, as one update, and wakes all sleepers.",
		"Returns the new counter (0 without one); the one in the snapshot does not matter.")
	h.method("  ", "std::uint64_t update", []string{"const " + copied + " &from"}, " noexcept",
		"std::uint64_t id = shmkv_update(mapping_.page(), &"+lock+", &from);",
		"(void)wake();",
		"return id;")
}

// publishFields writes the publish that takes the fields of a record.
func (h *header) publishFields(r *layout.Record) {
	var params, body []string
	names := h.names.Within() // a parameter hides no name of the namespace
	mayFail := false
	for _, f := range r.Fields {
		if f.Type.Kind == layout.KindReserved {
			continue
		}
		param, lines, fails := h.assign(r, f, names.Take(naming.CPP.Field(f.Name)))
		params = append(params, param)
		body = append(body, lines...)
		mayFail = mayFail || fails
	}
	if len(params) > mostFields || !mayFail && len(params) == 1 {
		return
	}
	body = append([]string{h.qualified(r) + " record_;"}, body...)
	if !mayFail {
		h.doc("  ", "Publishes the fields of a record.")
		h.method("  ", "std::uint64_t publish", params, " noexcept",
			append(body, "return this->publish(record_);")...)
		return
	}
	h.doc("  ", "Publishes the fields of a record and wakes all sleepers. errc::too_long or",
		"errc::invalid (an inner NUL): nothing was published.")
	body = append([]string{"shmkv::errc code_ = shmkv::errc::ok;"}, body...)
	h.method("  ", "[[nodiscard]] shmkv::result<std::uint64_t> publish", params, "",
		append(body, "return this->publish(record_);")...)
}

// assign returns the parameter for a field and the statements that store it.
func (h *header) assign(
	r *layout.Record, f *layout.Field, name string,
) (param string, body []string, fails bool) {
	member := "record_." + h.memberName(r, f)
	t := f.Type
	refuse := func(indent string) []string {
		return []string{
			indent + "if (code_ != shmkv::errc::ok) {",
			indent + "  return mapping_.failure(int(code_));",
			indent + "}",
		}
	}
	switch {
	case t.Kind == layout.KindChar && len(t.Dims) == 0:
		return "std::string_view " + name,
			append([]string{"code_ = shmkv::set_text(" + member + ", " + name + ");"}, refuse("")...), true
	case t.Kind == layout.KindBool && len(t.Dims) == 0:
		return "bool " + name, []string{member + " = " + name + " ? 1 : 0;"}, false
	case t.Kind == layout.KindRecord || t.Len > 0 || len(t.Dims) > 0:
		return "const " + h.stored(t) + " &" + name, []string{member + " = " + name + ";"}, false
	default:
		return h.stored(t) + " " + name, []string{member + " = " + name + ";"}, false
	}
}

func (h *header) updateGuarded(g *layout.Guarded, scope *ctext.Names) {
	params, offset, check := at(g)
	params = append(params, fmt.Sprintf("const %s &from", h.qualified(g.Record.Seqlock.Copy)))
	h.doc("  ", "Writes all that the seqlock of a record guards, as one write.")
	h.method("  ", "shmkv::result<void> "+scope.Take("update_"+naming.Snake(g.Field.Name)), params, "",
		append(check,
			"std::byte *record = mapping_.page() + "+offset+";",
			"(void)shmkv_update(record, &"+h.desc.Seqlock(g.Record.Seqlock)+", &from);",
			"return {};")...)
}
