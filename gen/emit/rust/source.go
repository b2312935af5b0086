package rust

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
)

const (
	// maxWidth and maxArgs are rustfmt's limits for a line and for the
	// arguments of a call that stay on one line.
	maxWidth = 100
	maxArgs  = 60
	// docWidth keeps documentation readable at any indentation.
	docWidth = 76
)

// source collects one Rust file in the shape that rustfmt gives it.
type source struct {
	b strings.Builder
}

// f appends formatted text and a newline.
func (s *source) f(format string, args ...any) {
	fmt.Fprintf(&s.b, format, args...)
	s.b.WriteByte('\n')
}

// text appends a template, with $NAME replaced by its value. Values are the
// names that depend on the layout.
func (s *source) text(template string, values map[string]string) {
	out := strings.TrimPrefix(template, "\n")
	out = strings.ReplaceAll(out, "·", "`") // which a raw string of Go can not hold
	s.b.WriteString(variable.ReplaceAllStringFunc(out, func(name string) string {
		value, ok := values[name[1:]]
		if !ok {
			panic("template without a value for " + name)
		}
		return value
	}))
}

// method appends a template that continues an impl block.
func (s *source) method(template string, values map[string]string) {
	s.f("")
	s.text(template, values)
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

// doc appends documentation: paragraphs of plain text from a spec, or of
// Markdown where they come from the emitter (see md).
func (s *source) doc(indent, sign string, paragraphs ...paragraph) {
	first := true
	for _, p := range paragraphs {
		lines := p.lines(docWidth - len(indent))
		if len(lines) == 0 {
			continue
		}
		if !first {
			s.f("%s%s", indent, sign)
		}
		first = false
		for _, line := range lines {
			s.f("%s", strings.TrimRight(indent+sign+" "+line, " "))
		}
	}
}

// paragraph is a paragraph of documentation.
type paragraph struct {
	text     string
	markdown bool
}

// md is a paragraph in Markdown.
func md(format string, args ...any) paragraph {
	return paragraph{text: fmt.Sprintf(format, args...), markdown: true}
}

// plain is text of a spec, which must read in the documentation as it stands.
func plain(text string) paragraph { return paragraph{text: text} }

func (p paragraph) lines(width int) []string {
	if p.markdown {
		return emit.Wrap(p.text, width)
	}
	var lines []string
	for _, line := range emit.Wrap(p.text, width) {
		lines = append(lines, escapeMarkdown(line))
	}
	return lines
}

// call returns the lines of a call. Arguments that rustfmt would break over
// lines stand one per line.
func call(indent, head string, args []string, tail string) string {
	list := strings.Join(args, ", ")
	line := indent + head + "(" + list + ")" + tail
	if len(list) <= maxArgs && len(line) <= maxWidth {
		return line
	}
	var b strings.Builder
	b.WriteString(indent + head + "(\n")
	for _, arg := range args {
		b.WriteString(indent + "    " + arg + ",\n")
	}
	b.WriteString(indent + ")" + tail)
	return b.String()
}

// finish returns the file, with too long lines treated as rustfmt does:
// signatures broken, anything else marked to be skipped.
func (s *source) finish() []byte {
	lines := strings.Split(strings.TrimRight(s.b.String(), "\n"), "\n")
	var out []string
	for _, line := range lines {
		code := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(code)]
		switch {
		case len(line) <= maxWidth || strings.HasPrefix(code, "//"):
			out = append(out, line)
		case signature.MatchString(code):
			out = append(out, breakSignature(indent, code)...)
		default:
			broken := breakAssignment(indent, code)
			if broken == nil {
				out, broken = skipItem(out, indent, code), []string{line}
			}
			out = append(out, broken...)
		}
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

// breakAssignment puts the value of a constant, or the type of a field, on a
// line of its own; of a constant whose type does not fit either, both. It
// returns nil where rustfmt would do something else.
func breakAssignment(indent, code string) []string {
	for _, start := range assignments {
		at := start.FindStringIndex(code)
		if at == nil {
			continue
		}
		head := indent + strings.TrimRight(code[:at[1]], " ")
		tail := indent + "    " + code[at[1]:]
		if len(head) <= maxWidth && len(tail) <= maxWidth {
			return []string{head, tail}
		}
	}
	return nil
}

var assignments = []*regexp.Regexp{
	regexp.MustCompile(`^pub const [A-Z0-9_]+: [^=]+ = `),
	regexp.MustCompile(`^pub (const [A-Z0-9_]+|[a-z0-9_]+): `),
}

var signature = regexp.MustCompile(`^(pub )?(unsafe )?fn .*\{$`)

// breakSignature puts each parameter of a function on its own line.
func breakSignature(indent, code string) []string {
	open := strings.IndexByte(code, '(')
	lines := []string{indent + code[:open+1]}
	depth, start := 0, open+1
	for i := open + 1; i < len(code); i++ {
		switch code[i] {
		case '(', '[', '<':
			depth++
		case ')', ']', '>':
			if depth == 0 {
				lines = append(lines, indent+"    "+strings.TrimSpace(code[start:i])+",")
				return append(lines, indent+code[i:])
			}
			depth--
		case ',':
			if depth == 0 {
				lines = append(lines, indent+"    "+strings.TrimSpace(code[start:i+1]))
				start = i + 1
			}
		}
	}
	return []string{indent + code}
}

// skipItem puts rustfmt's skip mark before the field or constant that a too long
// line belongs to: itself, or the last constant that began further left.
func skipItem(out []string, indent, code string) []string {
	at := len(out)
	if !strings.HasPrefix(code, "pub ") {
		for at > 0 {
			at--
			head := strings.TrimLeft(out[at], " ")
			if len(out[at])-len(head) < len(indent) && strings.HasPrefix(head, "pub const ") {
				indent = out[at][:len(out[at])-len(head)]
				break
			}
		}
	}
	mark := indent + "#[rustfmt::skip]"
	if at > 0 && out[at-1] == mark {
		return out
	}
	return append(out[:at:at], append([]string{mark}, out[at:]...)...)
}
