package golang

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// emitAsserts makes the compiler check every size, alignment and offset. An
// index that is not zero is out of bounds, and the line shows what differs.
func (g *generator) emitAsserts(s *source) {
	var b strings.Builder
	for _, r := range g.AllRecords() {
		name := recordName(r)
		fmt.Fprintf(&b, "_ = zero[@unsafe.Sizeof(%s{})-%d]\n", name, r.Size)
		fmt.Fprintf(&b, "_ = zero[@unsafe.Alignof(%s{})-%d]\n", name, r.Align)
		for _, f := range r.Fields {
			if f.Type.Kind != layout.KindReserved {
				fmt.Fprintf(&b, "_ = zero[@unsafe.Offsetof(%s{}.%s)-%d]\n", name, storage(f), f.Offset)
			}
		}
	}
	s.doc("An index out of bounds or a constant overflow below means that this compiler lays a record " +
		"out in another way than the layout says.")
	s.decl("func _() {\nvar zero [1]struct{}\n%s}", b.String())
}

// emitTextHelpers declares what the accessors of text and bool fields share.
func (g *generator) emitTextHelpers(s *source) {
	hasText, hasBool := false, false
	for _, r := range g.AllRecords() {
		for _, f := range r.Fields {
			hasText = hasText || f.Type.Kind == layout.KindChar
			hasBool = hasBool || f.Type.Kind == layout.KindBool
		}
	}
	if hasBool {
		s.decl(`
func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}`)
	}
	if !hasText {
		return
	}
	s.decl(`
// text returns b up to its first NUL; appending to it does not write into b.
func text(b []byte) []byte {
	n := @bytes.IndexByte(b, 0)
	if n < 0 {
		n = len(b)
	}
	return b[:n:n]
}

func setText(dst []byte, s, field string) error {
	if len(s) > len(dst) || @strings.IndexByte(s, 0) >= 0 {
		return &textError{field: field, size: len(s), limit: len(dst)}
	}
	clear(dst[copy(dst, s):])
	return nil
}

// textError refuses a text: it is too long, or has a NUL inside.
type textError struct {
	field       string
	size, limit int // in bytes
}

func (e *textError) Error() string {
	if e.size > e.limit {
		return @fmt.Sprintf("%s: text too long: %d bytes, at most %d", e.field, e.size, e.limit)
	}
	return e.field + ": text has a NUL byte inside"
}`)
}
