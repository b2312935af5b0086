package spec

import (
	"math/big"
	"regexp"

	"gopkg.in/yaml.v3"
)

// MaxName bounds the length of every identifier.
const MaxName = 40

var (
	namePattern   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?$`)
	numberPattern = regexp.MustCompile(`^(-?(0|[1-9][0-9]*)|0x[0-9A-Fa-f]+)$`)
	typePattern   = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_]*)((?:\[[^\[\]]*\])*)$`)
	lengthPattern = regexp.MustCompile(`\[([^\[\]]*)\]`)
)

// maxDigits bounds a number's text: what is longer fits no field of a page,
// and parsing it would only cost time.
const maxDigits = 40

// ident reads a name.
func (r *reader) ident(n *yaml.Node, what string) Ident {
	text, ok := r.scalar(n, what)
	if !ok {
		return Ident{Pos: r.pos(n)}
	}
	return r.checkName(n, what, text)
}

// checkName checks the spelling of a name that stands at n.
func (r *reader) checkName(n *yaml.Node, what, name string) Ident {
	id := Ident{Pos: r.pos(n)}
	switch {
	case len(name) > MaxName:
		r.errorf(n, "%s: name %q is longer than %d characters", what, clip(name), MaxName)
	case !namePattern.MatchString(name):
		r.errorf(n, "%s: %q is not a name (a letter, then letters, digits and single underscores)",
			what, clip(name))
	default:
		id.Name = name
	}
	return id
}

// number reads an integer: decimal without leading zeros, or hexadecimal.
// Anything YAML versions disagree about (010, 0o10, 1_000, 1e3, 1.5, 60:30,
// null, a quoted number) is refused.
func (r *reader) number(n *yaml.Node, what string, dst *Number) {
	text, ok := r.scalar(n, what)
	if !ok {
		return
	}
	if quoted(n) || len(text) > maxDigits || !numberPattern.MatchString(text) {
		r.errorf(n, "%s: %q is not a whole number (decimal without leading zeros, or 0x...)",
			what, clip(text))
		return
	}
	value, _ := new(big.Int).SetString(text, 0)
	*dst = Number{Value: value, Pos: r.pos(n)}
}

// literal reads the value of a constant; its type decides later what it means.
func (r *reader) literal(n *yaml.Node, what string, dst *Literal) {
	text, ok := r.scalar(n, what)
	if !ok {
		return
	}
	*dst = Literal{Text: text, Quoted: quoted(n), Pos: r.pos(n)}
}

// typ reads a type such as u32, char[24] or slot[slot_count].
func (r *reader) typ(n *yaml.Node, what string) *Type {
	text, ok := r.scalar(n, what)
	if !ok {
		return nil
	}
	m := typePattern.FindStringSubmatch(text)
	if m == nil || len(m[1]) > MaxName {
		r.errorf(
			n,
			"%s: %q is not a type (a name, then lengths in brackets: u32, char[24], slot[8])",
			what,
			clip(text),
		)
		return nil
	}
	t := &Type{Base: m[1], Pos: r.pos(n)}
	for _, brackets := range lengthPattern.FindAllStringSubmatch(m[2], -1) {
		length, ok := parseLength(brackets[1])
		if !ok {
			r.errorf(
				n,
				"%s: %q is not a length (a decimal number from 1, or the name of a constant)",
				what,
				clip(brackets[1]),
			)
			return nil
		}
		t.Lengths = append(t.Lengths, length)
	}
	return t
}

func parseLength(text string) (Length, bool) {
	switch {
	case len(text) > maxDigits:
		return Length{}, false
	case namePattern.MatchString(text):
		return Length{Name: text}, true
	case numberPattern.MatchString(text):
		value, _ := new(big.Int).SetString(text, 0)
		return Length{Value: value}, true
	default:
		return Length{}, false
	}
}

// ParseNumber reads an integer by the rules of a spec: decimal without leading
// zeros, or 0x and hexadecimal digits.
func ParseNumber(text string) (*big.Int, bool) {
	if len(text) > maxDigits || !numberPattern.MatchString(text) {
		return nil, false
	}
	return new(big.Int).SetString(text, 0)
}
