package c11

import (
	"fmt"

	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// mostFields bounds the records whose fields publish takes one by one.
const mostFields = 8

func (h *header) lock() *layout.Seqlock { return h.l.Page.Seqlock }

func (h *header) hasRing() bool { return h.lock() != nil && h.lock().Ring != nil }

func (h *header) readers() {
	p := h.lower
	h.section("Readers")
	h.Line("// A reader of a page, mapped read-only. Threads may share one.")
	h.Line("typedef struct %sreader {", p)
	h.Line("  shmkv_segment segment;")
	h.Line("} %sreader;", p)
	h.Blank()
	h.Line("// Opens a file and checks that it is a page of this layout. Never blocks. On an")
	h.Line("// error shmkv_message(&reader->segment, code) has the details.")
	h.inline("shmkv_code", p+"open", []string{"%reader *reader", "const char *path"},
		"return shmkv_segment_open(&reader->segment, path, &"+h.layout+");")
	h.Line("// Binds to memory that the caller mapped, at a multiple of 8, and keeps mapped.")
	h.inline("shmkv_code", p+"attach", []string{"%reader *reader", "void *memory", "size_t size"},
		"return shmkv_segment_attach(&reader->segment, memory, size, &"+h.layout+");")
	h.Line("// Unmaps the page and closes the file. Closing twice is harmless.")
	h.inline("void", p+"close_reader", []string{"%reader *reader"},
		"shmkv_segment_close(&reader->segment);")
	h.Line("// Tells whether a writer holds the lock: 1, 0, or -1 and errno.")
	h.inline("int", p+"alive", []string{"const %reader *reader"},
		"return shmkv_segment_alive(&reader->segment);")
	if h.lock() != nil {
		h.snapshots()
		h.waits()
	}
	for _, g := range h.l.Guarded {
		h.readGuarded(g)
	}
}

func (h *header) snapshots() {
	p, lock := h.lower, h.desc.Seqlock(h.lock())
	h.Line("// Copies all that the page's seqlock guards, consistent in itself. Blocks for 2 s")
	h.Line("// at most: then SHMKV_LIVELOCKED.")
	h.inline("shmkv_code", p+"read_snapshot",
		[]string{"const %reader *reader", h.types[h.lock().Copy] + " *snapshot"},
		"return shmkv_read(reader->segment.page, &"+lock+", snapshot);")
	if h.hasRing() {
		h.Line("// Copies one record of the ring. Blocks like read_snapshot. An index past the ring")
		h.Line("// is SHMKV_INVALID.")
		h.inline("shmkv_code", p+"read_slot",
			[]string{"const %reader *reader", "size_t index", h.elem(h.lock().Ring.Type) + " *slot"},
			"uint64_t counter;",
			"return shmkv_read_slot(reader->segment.page, &"+lock+", index, slot, &counter);")
	}
}

func (h *header) waits() {
	p := h.lower
	if h.lock().Futex == nil {
		return
	}
	if !h.hasRing() {
		h.Line("// Waits until the counter is not *last, copies the page and moves *last, which")
		h.Line("// starts at 0. Returns how many updates that were, or a negative code such as")
		h.Line("// -SHMKV_TIMED_OUT. A negative timeout counts as 0.")
		h.inline("int", p+"wait", []string{
			"const %reader *reader", "uint64_t *last",
			h.types[h.lock().Copy] + " *snapshot", "int timeout_ms",
		}, "return shmkv_wait_copy(&reader->segment, last, snapshot, shmkv_in_ms(timeout_ms));")
		return
	}
	h.Line("// Waits for updates after *last, which starts at 0, and copies those that the ring")
	h.Line("// still keeps, oldest first: %d at most, and updates must have room for them. Moves",
		h.lock().RingCount())
	h.Line("// *last. Returns their number, or a negative code such as -SHMKV_TIMED_OUT. A negative")
	h.Line("// timeout counts as 0. Signals do not end it.")
	h.inline("int", p+"wait", []string{
		"const %reader *reader", "uint64_t *last", "%update *updates", "int timeout_ms",
	},
		fmt.Sprintf("shmkv_updates out = {updates, sizeof *updates, offsetof(%supdate, slot)};", p),
		"return shmkv_wait_updates(&reader->segment, last, out, shmkv_in_ms(timeout_ms));")
}

// at returns the parameter and the offset of a record with its own seqlock.
func at(g *layout.Guarded) (args []string, offset, check string) {
	if g.Count == 1 {
		return nil, fmt.Sprint(g.Offset), ""
	}
	return []string{"size_t index"}, fmt.Sprintf("%d + index * %d", g.Offset, g.Stride),
		fmt.Sprintf("if (index >= %d) {", g.Count)
}

func (h *header) readGuarded(g *layout.Guarded) {
	name := h.names.Take(h.lower + "read_" + naming.Snake(g.Field.Name))
	index, offset, check := at(g)
	var body []string
	if check != "" {
		body = append(body, check, "  return SHMKV_INVALID;", "}")
	}
	args := append([]string{"const %reader *reader"}, index...)
	args = append(args, "%"+h.types[g.Record.Seqlock.Copy][len(h.lower):]+" *copy")
	h.Line("// Copies what the seqlock of a record of %s guards. Blocks for 2 s at most.",
		g.Field.Name)
	h.inline("shmkv_code", name, args, append(body,
		"const void *record = shmkv_at(reader->segment.page, "+offset+");",
		"return shmkv_read(record, &"+h.desc.Seqlock(g.Record.Seqlock)+", copy);")...)
}

func (h *header) writers() {
	p := h.lower
	h.section("The writer: one per file")
	h.Line("// The writer of a page. It holds the writer lock until it is closed or dies.")
	h.Line("typedef struct %swriter {", p)
	h.Line("  shmkv_segment segment;")
	h.Line("} %swriter;", p)
	h.Blank()
	h.Line("// Creates a file with the given mode (0: 0600), or continues the one that is there")
	h.Line("// and repairs what a killed writer left. Never blocks: SHMKV_LOCKED if there is")
	h.Line("// another writer. On an error shmkv_message(&writer->segment, code) has the details.")
	h.inline("shmkv_code", p+"create",
		[]string{"%writer *writer", "const char *path", "unsigned mode"},
		"return shmkv_segment_create(&writer->segment, path, &"+h.layout+", mode);")
	h.Line("// Gives the writer lock back, unmaps the page and closes the file.")
	h.inline("void", p+"close_writer", []string{"%writer *writer"},
		"shmkv_segment_close(&writer->segment);")
	if h.lock() != nil {
		h.publishes()
	}
	for _, g := range h.l.Guarded {
		h.updateGuarded(g)
	}
}

func (h *header) publishes() {
	p, lock := h.lower, h.desc.Seqlock(h.lock())
	h.Line("// Wakes all sleepers and returns how many there were. Publishing does it already.")
	h.inline("int", p+"wake", []string{"const %writer *writer"},
		"return shmkv_segment_wake(&writer->segment);")
	copied := h.types[h.lock().Copy]
	h.Line("// Copies what the page holds now. Only the writer changes it, so it can not fail.")
	h.inline("void", p+"read_back", []string{"const %writer *writer", copied + " *snapshot"},
		"(void)shmkv_read(writer->segment.page, &"+lock+", snapshot);")
	if h.hasRing() {
		record := h.elem(h.lock().Ring.Type)
		h.Line("// Publishes a record, wakes all sleepers and returns the id of the update.")
		h.inline("uint64_t", p+"publish_slot", []string{"%writer *writer", "const " + record + " *slot"},
			"uint64_t id = shmkv_publish(writer->segment.page, &"+lock+", slot);",
			"(void)shmkv_segment_wake(&writer->segment);",
			"return id;")
		h.publishFields(h.lock().Ring.Type.Record)
		return
	}
	h.Line("// Publishes all that the seqlock guards, as one update, and wakes all sleepers.")
	if h.lock().Counter != nil {
		h.Line("// Returns the new counter; the one in the snapshot does not matter.")
		h.inline("uint64_t", p+"update", []string{"%writer *writer", "const " + copied + " *snapshot"},
			"uint64_t id = shmkv_update(writer->segment.page, &"+lock+", snapshot);",
			"(void)shmkv_segment_wake(&writer->segment);",
			"return id;")
		return
	}
	h.inline("void", p+"update", []string{"%writer *writer", "const " + copied + " *snapshot"},
		"(void)shmkv_update(writer->segment.page, &"+lock+", snapshot);")
}

// publishFields writes the publish that takes the fields of a record.
func (h *header) publishFields(r *layout.Record) {
	var params ctext.Names
	var args, body []string
	fields := publishable(r)
	if len(fields) > mostFields {
		return
	}
	names := map[*layout.Field]string{}
	for _, f := range fields {
		names[f] = params.Take(field(f))
	}
	writer, id, record := params.Take("writer"), params.Take("id"), params.Take("record")
	args = append(args, "%writer *"+writer)
	mayFail := false
	body = append(body, fmt.Sprintf("%s %s;", h.types[r], record),
		fmt.Sprintf("__builtin_memset(&%s, 0, sizeof %s);", record, record))
	for _, f := range fields {
		param, lines, fails := h.assign(f, record, names[f])
		args = append(args, param)
		body = append(body, lines...)
		mayFail = mayFail || fails
	}
	args = append(args, "uint64_t *"+id)
	published := params.Take("published")
	body = append(body,
		fmt.Sprintf("uint64_t %s = %spublish_slot(%s, &%s);", published, h.lower, writer, record),
		fmt.Sprintf("if (%s != NULL) {", id),
		fmt.Sprintf("  *%s = %s;", id, published),
		"}",
		"return SHMKV_OK;")
	h.Line("// Publishes the fields of a record and wakes all sleepers. Texts are NUL-terminated.")
	if mayFail {
		h.Line("// SHMKV_TOO_LONG: a text is longer than its field, and nothing was published.")
	}
	h.Line("// %s gets the id of the update and may be NULL.", id)
	h.inline("shmkv_code", h.lower+"publish", args, body...)
}

func publishable(r *layout.Record) []*layout.Field {
	var fields []*layout.Field
	for _, f := range r.Fields {
		if f.Type.Kind != layout.KindReserved {
			fields = append(fields, f)
		}
	}
	return fields
}

// assign returns the parameter for a field and the statements that store it.
func (h *header) assign(
	f *layout.Field, record, name string,
) (param string, body []string, fails bool) {
	member := record + "." + field(f)
	t := f.Type
	switch {
	case t.Kind == layout.KindChar && len(t.Dims) == 0:
		return "const char *" + name, []string{
			fmt.Sprintf("if (shmkv_set_string(%s, %d, %s) != SHMKV_OK) {", member, t.Len, name),
			"  return SHMKV_TOO_LONG;",
			"}",
		}, true
	case t.Kind == layout.KindChar:
		return "const char *const *" + name, []string{
			fmt.Sprintf("for (size_t i_ = 0; i_ < %d; i_++) {", t.Count()),
			fmt.Sprintf("  char *text_ = (char *)%s + i_ * %d;", member, t.Len),
			fmt.Sprintf("  if (shmkv_set_string(text_, %d, %s[i_]) != SHMKV_OK) {", t.Len, name),
			"    return SHMKV_TOO_LONG;",
			"  }",
			"}",
		}, true
	case t.Kind == layout.KindBool && !isArray(t):
		return "bool " + name, []string{member + " = " + name + " ? 1 : 0;"}, false
	case t.Kind == layout.KindRecord && !isArray(t):
		return "const " + h.elem(t) + " *" + name, []string{member + " = *" + name + ";"}, false
	case isArray(t):
		return "const " + h.elem(t) + " *" + name, []string{
			fmt.Sprintf("__builtin_memcpy(%s, %s, sizeof %s);", member, name, member),
		}, false
	default:
		return h.elem(t) + " " + name, []string{member + " = " + name + ";"}, false
	}
}

func (h *header) updateGuarded(g *layout.Guarded) {
	name := h.names.Take(h.lower + "update_" + naming.Snake(g.Field.Name))
	index, offset, check := at(g)
	var body []string
	if check != "" {
		body = append(body, check, "  return SHMKV_INVALID;", "}")
	}
	args := append([]string{"%writer *writer"}, index...)
	args = append(args, "const %"+h.types[g.Record.Seqlock.Copy][len(h.lower):]+" *copy")
	h.Line("// Writes all that the seqlock of a record of %s guards, as one write.", g.Field.Name)
	h.inline("shmkv_code", name, args, append(body,
		"void *record = shmkv_into(writer->segment.page, "+offset+");",
		"(void)shmkv_update(record, &"+h.desc.Seqlock(g.Record.Seqlock)+", copy);",
		"return SHMKV_OK;")...)
}
