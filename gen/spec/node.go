package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/shmkv/shmkv/gen/diag"
)

// reader walks YAML nodes by hand. yaml.v3's own decoding is never used: it
// takes 1.5 for 1, 010 for 8, and drops keys it does not know.
type reader struct {
	file string
	errs *diag.List
}

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.file, Line: n.Line, Col: n.Column}
}

func (r *reader) errorf(n *yaml.Node, format string, args ...any) {
	r.errs.Addf(r.pos(n), format, args...)
}

// entry is one key of a mapping with its value.
type entry struct {
	key   *yaml.Node
	value *yaml.Node
}

func (e entry) name() string { return e.key.Value }

// mapping returns the entries of a mapping in the order of the file. A
// duplicate key is an error at its second place.
func (r *reader) mapping(n *yaml.Node, what string) []entry {
	if n.Kind != yaml.MappingNode {
		r.errorf(n, "%s: expected a mapping, found %s", what, kindName(n))
		return nil
	}
	entries := make([]entry, 0, len(n.Content)/2)
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		e := entry{n.Content[i], n.Content[i+1]}
		if e.key.Kind != yaml.ScalarNode {
			r.errorf(e.key, "%s: expected a name as key, found %s", what, kindName(e.key))
			continue
		}
		if line, dup := first[e.name()]; dup {
			r.errorf(e.key, "%s: duplicate key %q, first on line %d", what, e.name(), line)
			continue
		}
		first[e.name()] = e.key.Line
		entries = append(entries, e)
	}
	return entries
}

// object is a mapping with a fixed set of keys, each read by its function.
func (r *reader) object(n *yaml.Node, what string, keys map[string]func(*yaml.Node)) {
	for _, e := range r.mapping(n, what) {
		read, known := keys[e.name()]
		if !known {
			r.errorf(e.key, "%s: unknown key %q%s", what, e.name(), suggest(e.name(), keys))
			continue
		}
		read(e.value)
	}
}

// suggest names the known keys, the likely one first where there is one.
func suggest(name string, keys map[string]func(*yaml.Node)) string {
	known := make([]string, 0, len(keys))
	for k := range keys {
		known = append(known, k)
	}
	slices.Sort(known)
	if best := slices.MinFunc(known, func(a, b string) int {
		return distance(name, a) - distance(name, b)
	}); len(name) > 1 && (distance(name, best) <= 2 || strings.HasPrefix(best, name)) {
		return fmt.Sprintf(" (did you mean %q?)", best)
	}
	if distance(name, "offset") <= 2 && slices.Contains(known, "at") {
		return ` (did you mean "at"?)`
	}
	return fmt.Sprintf(" (known keys: %s)", strings.Join(known, ", "))
}

// distance is the Levenshtein distance, bounded by short keys; long names are
// far from everything.
func distance(a, b string) int {
	if len(a) > 16 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// scalar returns the text of a scalar node.
func (r *reader) scalar(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode {
		r.errorf(n, "%s: expected a value, found %s", what, kindName(n))
		return "", false
	}
	if isNull(n) {
		r.errorf(n, "%s: the value is missing", what)
		return "", false
	}
	return n.Value, true
}

// doc reads documentation: any printable text; white space is folded.
func (r *reader) doc(n *yaml.Node, what string, dst *string) {
	text, ok := r.scalar(n, what)
	if !ok {
		return
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, c := range text {
		if !unicode.IsPrint(c) {
			r.errorf(n, "%s: doc holds the unprintable character %U", what, c)
			return
		}
	}
	*dst = text
}

// names reads a list of names, or a single one.
func (r *reader) names(n *yaml.Node, what string) []Ident {
	if n.Kind != yaml.SequenceNode {
		return []Ident{r.ident(n, what)}
	}
	if len(n.Content) == 0 {
		r.errorf(n, "%s: the list is empty", what)
	}
	var ids []Ident
	for _, item := range n.Content {
		ids = append(ids, r.ident(item, what))
	}
	return ids
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && !quoted(n) && n.ShortTag() == "!!null"
}

func quoted(n *yaml.Node) bool {
	const styles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle |
		yaml.LiteralStyle | yaml.FoldedStyle
	return n.Style&styles != 0
}

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	case yaml.ScalarNode:
		if isNull(n) {
			return "nothing"
		}
		return fmt.Sprintf("%q", clip(n.Value))
	default:
		return "nothing"
	}
}

// clip keeps a quoted value short enough for one line of a report.
func clip(s string) string {
	const longest = 60
	if len(s) <= longest {
		return s
	}
	cut := longest
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}
