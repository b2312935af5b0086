package rust_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/layout"
)

// sweep is a layout whose names have every length from 1 to 40, in every place
// where a name stands in generated code.
func sweep() string {
	var b strings.Builder
	name := func(first string, n int) string { return first + strings.Repeat("x", n-1) }
	b.WriteString("layout: sweep\nendian: native\nconstants:\n")
	for n := 1; n <= 40; n++ {
		text := strings.Repeat("v", 2*n)
		fmt.Fprintf(&b, "  %s: {type: char, value: %q}\n", name("k", n), text)
	}
	b.WriteString("enums:\n")
	for n := 1; n <= 40; n++ {
		fmt.Fprintf(&b, "  %s: {type: u64, values: ", name("e", n))
		fmt.Fprintf(&b, "{%s: 18446744073709551615}}\n", name("v", n))
	}
	b.WriteString("flags:\n")
	for n := 1; n <= 40; n++ {
		fmt.Fprintf(&b, "  %s: {type: u64, bits: {%s: 63}}\n", name("f", n), name("v", n))
	}
	b.WriteString("page:\n")
	fmt.Fprintf(&b, "  seq: {type: u32, role: seqlock, guards: [counter, %s]}\n", name("z", 17))
	b.WriteString("  counter: {type: u64, role: counter}\n")
	fmt.Fprintf(&b, "  wake: {type: u32, role: futex, follows: counter}\n")
	fmt.Fprintf(&b, "  %s: {type: \"r[3]\", role: ring, index: counter}\n", name("z", 17))
	for n := 1; n <= 40; n++ {
		fmt.Fprintf(&b, "  %s: {type: u32}\n", name("w", n))
		fmt.Fprintf(&b, "  %s: {type: \"%s[2]\"}\n", name("c", n), name("g", n))
	}
	fmt.Fprintf(&b, "  %s: {type: \"%s[2]\"}\n", name("h", 40), name("l", 40))
	b.WriteString("records:\n")
	for n := 1; n <= 40; n++ {
		fmt.Fprintf(&b, "  %s:\n    fields:\n", name("r", n))
		fmt.Fprintf(&b, "      %s: {type: \"char[8]\"}\n", name("t", n))
		fmt.Fprintf(&b, "      %s: {type: u64}\n", name("u", 41-n))
		fmt.Fprintf(&b, "      %s: {type: \"char[24]\"}\n", name("s", 41-n))
		fmt.Fprintf(&b, "  %s:\n    fields:\n", name("g", n))
		fmt.Fprintf(&b, "      seq: {type: u32, role: seqlock, guards: [%s]}\n", name("a", n))
		fmt.Fprintf(&b, "      %s: {type: u32}\n", name("a", n))
	}
	fmt.Fprintf(&b, "  %s:\n    fields:\n", name("l", 40))
	for n := 1; n <= 40; n++ {
		fmt.Fprintf(&b, "      %s: {type: \"char[9]\"}\n", name("t", n))
		fmt.Fprintf(&b, "      %s: {type: bool}\n", name("b", n))
		fmt.Fprintf(&b, "      %s: {type: \"char[9][2][300][1]\"}\n", name("n", n))
		fmt.Fprintf(&b, "      %s: {type: \"bool[2]\"}\n", name("o", n))
		fmt.Fprintf(&b, "      %s: {type: \"%s[2][3]\"}\n", name("m", n), name("e", 41-n))
		fmt.Fprintf(&b, "      %s: {type: %s}\n", name("q", n), name("r", n))
		fmt.Fprintf(&b, "      %s: {type: \"reserved[3]\"}\n", name("y", n))
		fmt.Fprintf(&b, "      %s: {type: u64}\n", name("u", n))
	}
	return b.String()
}

// hostile is a layout whose names and texts try to collide with Rust's prelude,
// with what the generated module needs, or with the documentation around them.
// What starts in x_ loses that when it is parsed: the spec refuses some of these
// names, and the emitter must not depend on that.
const hostile = `
layout: words
endian: native
doc: "Ends in a backslash \\"
constants:
  pi: {type: f64, value: 3.141592653589793}
  e: {type: f32, value: 2.7182817}
  huge: {type: f64, value: 1e300}
  whole: {type: f64, value: 5}
  foreign: {type: char, value: "é 温度 \\ \""}
  trait: {type: bool, value: true}
enums:
  x_ok: {type: u8, values: {self: 1, some: 2}}
  x_err: {type: u16, values: {none: 0}}
  x_vec: {type: u32, values: {zero: 0}}
flags:
  x_some: {type: u8, bits: {crate: 0}}
page:
  magic: {type: "char[8]", role: magic, const: "q\"\\x"}
  version: {type: u32, role: version, const: 7}
  print: {type: u64, role: fingerprint}
  fixed: {type: i16, const: -2}
  from_ptr: {type: u32, doc: "- a list? [link](x) <b> https://example.org/x_y_z *bold* _em_ |"}
  snapshot: {type: u32, doc: "1. one 'code' #head // \\u{41} */ $x$ ^1 ~~no~~"}
  read_me: {type: u32, doc: "+ plus = equals ==== ---- 10) ten http://a.bc"}
  me: {type: "x_clone[2]"}
  seq: {type: u32, role: seqlock, guards: [counter, ring]}
  wake: {type: u32, role: futex, follows: counter}
  counter: {type: u64, role: counter}
  ring: {type: "x_option[3]", role: ring, index: counter}
  string: x_string
  result: x_result
records:
  x_option:
    fields:
      record: "char[8]"
      made: "bytes[3]"
      field: "char[5]"
      self: x_ok
      type: bool
      f: {type: x_some}
      n: {type: u32}
  x_clone:
    fields: {seq: {type: u32, role: seqlock, guards: [iterator]}, iterator: u32}
  x_string:
    fields: {default: "char[4]", clone: bool, eq: u8, fmt: "char[2]", new: u8, zeroed: bool}
  x_result: {fields: {r: "x_r", s: "bool[2][2]"}}
  x_r: {fields: {value: "char[3]", names: "char[3][2][2][2][2]"}}
`

// hostileLayout parses hostile and adds what a spec would refuse.
func hostileLayout(t *testing.T) *layout.Layout {
	t.Helper()
	l := parse(t, "hostile", hostile)
	for _, e := range l.Enums {
		e.Name = strings.TrimPrefix(e.Name, "x_")
	}
	for _, r := range l.Records {
		r.Name = strings.TrimPrefix(r.Name, "x_")
		if r.Seqlock != nil {
			r.Seqlock.Copy.Name = r.Name + "_snapshot"
		}
	}
	for _, c := range l.Consts {
		if c.Name == "foreign" {
			c.Text += "\u202e\u200b\u00ad\x00\n" + strings.Repeat("é", 60)
		}
	}
	l.Page.Doc = "A bidirectional \u202e override, `code`, \x01 and //! inner."
	return l
}

func parse(t *testing.T, name, text string) *layout.Layout {
	t.Helper()
	l, err := gen.Parse(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
