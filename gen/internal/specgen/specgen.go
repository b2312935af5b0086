// Package specgen draws random legal layouts for property tests: every type,
// names that some language reserves, documentation that tries to break out of
// its comment, gaps, and each shape of page.
package specgen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// fieldNames are what a field may be called; a record takes each once.
var fieldNames = strings.Fields(
	`type func class new restrict match dyn linux unix errno stdin self crate
	nil string bytes len error view size snapshot i386 complex bool this data base go range int
	double union register operator template yield async await trait where impl default fmt clone
	at x y z id url value state flags next prev assert offsetof signbit major minor copy min max
	append cap clear delete make panic print real imag recover any iota true false null nullptr
	uint8_t size_t memcpy std shmkv namespace Upper camelCase HTTPServer with_digits_42 a1 b2 c3
	unsafe atomic structs math strconv mutable module move ref box dyn_ keep_ record endian
	publish update wait wake read write open create close reader writer seqlock futex ring
	page counter magic fingerprint version`,
)

var docs = []string{
	"", "", "In metres.", "*/ int broken; /*", "ends in a backslash \\", "trigraph ??/", `"quotes" and 'ticks'`,
	"[link] <tag> `code` # heading", "- a list? 1. another?", "Übergröße in µm, 温度", "$variable ${x} %d {}",
	"long " + strings.Repeat(
		"words and more words ",
		20,
	), "//! inner /// outer", "@param \\brief ]]>",
	strings.Repeat(
		"unbroken",
		30,
	), "https://example.org/a_very_long_path/" + strings.Repeat("x", 90),
}

type spec struct {
	t      *rapid.T
	out    strings.Builder
	enums  []string
	sizes  map[string]int // of types by name
	aligns map[string]int
}

// Draw returns the text of a legal layout.
func Draw(t *rapid.T) string {
	s := &spec{t: t, sizes: map[string]int{}, aligns: map[string]int{}}
	for _, kind := range []string{"8", "16", "32", "64"} {
		var n int
		fmt.Sscan(kind, &n)
		for _, prefix := range []string{"u", "i", "f"} {
			if prefix == "f" && n < 32 {
				continue
			}
			s.sizes[prefix+kind], s.aligns[prefix+kind] = n/8, n/8
		}
	}
	s.sizes["bool"], s.aligns["bool"] = 1, 1
	s.printf("layout: drawn\ndoc: %s\nendian: %s\n", s.doc(), s.pick("little", "little", "native"))
	s.declarations()
	records := s.records()
	s.page(records)
	return s.out.String()
}

func (s *spec) printf(format string, args ...any) { fmt.Fprintf(&s.out, format, args...) }

func (s *spec) pick(options ...string) string {
	return rapid.SampledFrom(options).Draw(s.t, "pick")
}

func (s *spec) number(low, high int) int { return rapid.IntRange(low, high).Draw(s.t, "number") }

func (s *spec) doc() string {
	return fmt.Sprintf("%q", rapid.SampledFrom(docs).Draw(s.t, "doc"))
}

// declarations writes constants, enums and flag sets.
func (s *spec) declarations() {
	s.printf(
		"constants:\n  three: {type: u8, value: 3, doc: %s}\n  text: {type: char, value: %q}\n",
		s.doc(),
		`a "b" \ ??/`,
	)
	s.printf("  low: {type: i%d, value: -%d}\n", 8<<s.number(0, 3), s.number(1, 128))
	s.printf("enums:\n")
	for i := range s.number(1, 3) {
		base := fmt.Sprintf("u%d", 8<<s.number(0, 3))
		name := fmt.Sprintf("%s_kind%d", s.pick("class", "my", "int"), i)
		s.declare(name, base)
		s.printf("  %s: {type: %s, doc: %s, values: {default: 0, int: %d, none: 7, NULL: 9}}\n",
			name, base, s.doc(), s.number(10, 255))
	}
	s.printf("flags:\n")
	for i := range s.number(1, 2) {
		base := fmt.Sprintf("u%d", 8<<s.number(0, 3))
		name := fmt.Sprintf("%s_set%d", s.pick("struct", "my"), i)
		s.declare(name, base)
		s.printf(
			"  %s: {type: %s, bits: {for: 0, all: {bit: 7, doc: %s}, bits: 3}}\n",
			name,
			base,
			s.doc(),
		)
	}
}

func (s *spec) declare(name, base string) {
	s.enums = append(s.enums, name)
	s.sizes[name], s.aligns[name] = s.sizes[base], s.aligns[base]
}

// records writes records, each of which may hold those before it.
func (s *spec) records() []string {
	var names []string
	s.printf("records:\n")
	for i := range s.number(2, 8) {
		name := fmt.Sprintf("%s%d", s.pick("rec_", "class_", "Thing"), i)
		s.printf("  %s:\n    doc: %s\n    fields:\n", name, s.doc())
		end, align := s.fields("      ", s.fieldSet(s.number(1, 9)), names, 0)
		s.sizes[name], s.aligns[name] = roundUp(end, align), align
		names = append(names, name)
	}
	s.printf(
		"  row:\n    fields:\n      seq: {type: u32, role: seqlock, guards: [first, second, third]}\n",
	)
	s.printf(
		"      hint: u32\n      first: {at: 8, type: %q}\n",
		s.pick("u64", "f64", "u8", "char[5]"),
	)
	s.printf(
		"      second: {at: 16, type: %q}\n      third: %q\n",
		s.pick("u64", "i32", "bool"),
		s.pick("u32", "bytes[9]"),
	)
	s.printf("  event:\n    fields:\n      stamp: u64\n")
	end, align := s.fields("      ", s.fieldSet(s.number(1, 5)), names, 8)
	s.sizes["event"], s.aligns["event"] = roundUp(end, max(align, 8)), 8
	return names
}

// fieldSet draws n distinct names: neighbours on a walk through the list.
func (s *spec) fieldSet(n int) []string {
	at := s.number(0, len(fieldNames)-1)
	names := make([]string, n)
	for i := range names {
		names[i] = fieldNames[(at+i*stride)%len(fieldNames)]
	}
	return names
}

// stride has no divisor in common with the number of names (a test of this
// package's users would meet a name twice otherwise).
const stride = 37

// fields writes fields behind offset at, some at offsets of their own, and
// returns their end and alignment by the rules of C.
func (s *spec) fields(indent string, names, records []string, at int) (end, align int) {
	align = 1
	for _, name := range names {
		typ, size, a := s.typ(records)
		offset := roundUp(at, a)
		place := ""
		if s.number(0, 3) == 0 {
			offset += a * s.number(0, 5)
			place = fmt.Sprintf("at: %d, ", offset)
		}
		s.printf("%s%s: {%stype: %q, doc: %s}\n", indent, name, place, typ, s.doc())
		at, align = offset+size, max(align, a)
	}
	return at, align
}

// typ draws a type with its size and alignment.
func (s *spec) typ(records []string) (typ string, size, align int) {
	switch s.number(0, 9) {
	case 0:
		n := s.number(1, 33)
		typ, size, align = fmt.Sprintf("%s[%d]", s.pick("char", "bytes"), n), n, 1
	case 1, 2:
		typ = rapid.SampledFrom(s.enums).Draw(s.t, "enum")
	case 3, 4:
		typ = "bool"
		if len(records) > 0 {
			typ = rapid.SampledFrom(records).Draw(s.t, "record")
		}
	default:
		typ = s.pick("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "bool")
	}
	if size == 0 {
		size, align = s.sizes[typ], s.aligns[typ]
	}
	for range s.number(0, 5) - 3 {
		n := s.number(1, 4)
		typ, size = fmt.Sprintf("%s[%d]", typ, n), size*n
	}
	return typ, size, align
}

// page writes one of the shapes of page.
func (s *spec) page(records []string) {
	s.printf(
		"page:\n  page_magic: {at: 0, type: \"char[8]\", role: magic, const: DRAWN, doc: %s}\n",
		s.doc(),
	)
	s.printf("  page_hash: {at: 8, type: u64, role: fingerprint}\n")
	at := 16
	switch s.pick("none", "plain", "ring", "elided") {
	case "plain":
		s.printf("  lock: {at: 16, type: u32, role: seqlock, guards: [tally, alpha, beta]}\n" +
			"  bell: {at: 20, type: u32, role: futex, follows: tally}\n" +
			"  tally: {at: 24, type: u64, role: counter}\n")
		s.printf(
			"  alpha: {at: 32, type: %q}\n  beta: {at: 40, type: %q}\n  fence: {at: 56, type: u64}\n",
			s.pick("u64", "f32", "bool", "char[7]"),
			s.pick("char[16]", "u16[5]", "i8"),
		)
		at = 64
	case "ring", "elided":
		s.printf("  lock: {at: 16, type: u32, role: seqlock, guards: [tally, events]}\n" +
			"  bell: {at: 20, type: u32, role: futex, follows: tally}\n" +
			"  tally: {at: 24, type: u64, role: counter}\n")
		n := s.number(1, 9)
		s.printf("  sleepers: {at: 32, type: u32%s}\n", s.pick("", ", role: waiters"))
		s.printf("  events: {at: 64, type: \"event[%d]\", role: ring, index: tally}\n", n)
		at = 64 + n*s.sizes["event"]
	}
	s.printf("  page_rows: {at: %d, type: \"row[%d]\"}\n", roundUp(at, 64), s.number(1, 4))
	s.fields("  ", s.fieldSet(s.number(0, 9)), records, roundUp(at, 64)+4*64)
}

func roundUp(n, align int) int { return (n + align - 1) / align * align }
