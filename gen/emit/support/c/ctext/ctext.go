// Package ctext holds what the emitters of C and C++ share: lines of source,
// comments, literals, names that never meet, and the descriptors of a layout.
package ctext

import (
	"bytes"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/support"
	"github.com/shmkv/shmkv/gen/layout"
)

// width is where comments are broken and long lines are split, in columns.
const width = 96

// Source is a file being written.
type Source struct {
	bytes.Buffer

	// Sign starts a comment; empty: //.
	Sign string
}

// Line writes one line.
func (s *Source) Line(format string, args ...any) {
	fmt.Fprintf(s, format, args...)
	s.WriteByte('\n')
}

// Lines writes text as it stands, and the end of its last line.
func (s *Source) Lines(text string) {
	s.WriteString(strings.TrimSuffix(text, "\n"))
	s.WriteByte('\n')
}

// Blank writes an empty line.
func (s *Source) Blank() { s.WriteByte('\n') }

// Comment writes documentation as line comments, behind an indentation.
func (s *Source) Comment(indent, text string) {
	sign := s.Sign
	if sign == "" {
		sign = "//"
	}
	for _, line := range emit.Wrap(Clean(text), width-len(indent)-len(sign)) {
		s.Line("%s%s %s", indent, sign, line)
	}
}

// Clean makes text safe behind a comment sign: no control or directional
// character, and no word that would join the next line to this one (a
// backslash, or the trigraph of one, at the end of a line).
func Clean(text string) string {
	words := strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !strconv.IsPrint(r) || r == unicode.ReplacementChar {
			return '?'
		}
		return r
	}, text))
	for i, w := range words {
		if strings.HasSuffix(w, `\`) || strings.HasSuffix(w, "??/") {
			words[i] = w + "."
		}
	}
	return strings.Join(words, " ")
}

// Call writes a declaration or call with its arguments on one line where they
// fit, else one a line, the way clang-format leaves alone.
func (s *Source) Call(head string, args []string, tail string) {
	line := head + "(" + strings.Join(args, ", ") + ")" + tail
	if len(line) <= 100 || len(args) == 0 {
		s.Line("%s", line)
		return
	}
	indent := strings.Repeat(" ", len(head)-len(strings.TrimLeft(head, " "))+4)
	s.Line("%s(", head)
	for i, a := range args {
		end := ","
		if i == len(args)-1 {
			end = ")" + tail
		}
		s.Line("%s%s%s", indent, a, end)
	}
}

// Quote renders text as a string literal without an encoding prefix. Bytes
// outside printable ASCII become octal escapes, and so does a question mark,
// which could start a trigraph.
func Quote(text []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~' || c == '?':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Names hands out names that never meet: a name that is taken gets an
// underscore, which no name of a spec ends in.
type Names struct {
	taken map[string]bool
}

// Take returns name, or the first free one made of it.
func (n *Names) Take(name string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	for n.taken[name] {
		name += "_"
	}
	n.taken[name] = true
	return name
}

// Within returns a scope inside this one: what is taken here hides nothing there.
func (n *Names) Within() Names { return Names{taken: maps.Clone(n.taken)} }

// Headers are the static files of C, which every layout header includes.
var Headers = []string{
	"protocol.h", "segment.h", "detail/base.h", "detail/check.h", "detail/error.h",
	"detail/linux.h", "detail/wait.h", "detail/words.h",
}

// Static returns the embedded files of the given names, as output files below
// the folder shmkv.
func Static(names ...string) ([]emit.File, error) {
	files := make([]emit.File, 0, len(names))
	for _, name := range names {
		data, err := support.C.ReadFile("c/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, emit.File{Path: "shmkv/" + name, Data: data})
	}
	return files, nil
}

// Float renders a floating-point literal of a kind, exactly.
func Float(value float64, kind layout.Kind) string {
	bits, suffix := 64, ""
	if kind == layout.KindF32 {
		bits, suffix = 32, "f"
	}
	text := strconv.FormatFloat(value, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if value < 0 {
		return "(" + text + suffix + ")"
	}
	return text + suffix
}

// Halves warns of a scalar that a 32-bit target reads in two accesses; empty for
// others.
func Halves(f *layout.Field) string {
	switch {
	case f.Size != 8 || !f.Type.Kind.IsScalar() && f.Type.Enum == nil || len(f.Type.Dims) > 0:
		return ""
	case f.Guarded:
		return "Two accesses on a 32-bit target, which may disagree: take it from a snapshot there."
	default:
		return "Two accesses on a 32-bit target, which a write may come between."
	}
}
