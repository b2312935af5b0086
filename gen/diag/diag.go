// Package diag carries positions and diagnostics through the generator.
package diag

import (
	"fmt"
	"slices"
	"strings"
)

// Pos is a place in a spec file. Lines and columns count from 1; a Line of 0
// means the file as a whole.
type Pos struct {
	File string
	Line int
	Col  int
}

// String renders the position as file:line:column.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Diagnostic is one fault of a spec.
type Diagnostic struct {
	Pos     Pos
	Message string
}

// String renders the diagnostic on one line.
func (d Diagnostic) String() string {
	return d.Pos.String() + ": " + d.Message
}

// List collects diagnostics; every stage adds to it instead of stopping at the
// first fault. The zero value is ready to use. It is an error when non-empty.
type List struct {
	items []Diagnostic
}

// Max bounds how many diagnostics a list keeps: a hostile input can not make
// the report larger than a person would read.
const Max = 200

// Addf appends a diagnostic. The same message at the same place is kept once.
func (l *List) Addf(pos Pos, format string, args ...any) {
	d := Diagnostic{Pos: pos, Message: fmt.Sprintf(format, args...)}
	if len(l.items) >= Max || slices.Contains(l.items, d) {
		return
	}
	l.items = append(l.items, d)
}

// Len returns the number of diagnostics.
func (l *List) Len() int { return len(l.items) }

// Items returns the diagnostics in the order of their positions.
func (l *List) Items() []Diagnostic {
	items := slices.Clone(l.items)
	slices.SortStableFunc(items, func(a, b Diagnostic) int {
		if c := strings.Compare(a.Pos.File, b.Pos.File); c != 0 {
			return c
		}
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Col - b.Pos.Col
	})
	return items
}

// Error renders all diagnostics, one per line, in the order of positions.
func (l *List) Error() string {
	lines := make([]string, 0, len(l.items))
	for _, d := range l.Items() {
		lines = append(lines, d.String())
	}
	return strings.Join(lines, "\n")
}

// Err returns the list as an error, or nil when it is empty.
func (l *List) Err() error {
	if len(l.items) == 0 {
		return nil
	}
	return l
}
