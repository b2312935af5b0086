package golang

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// emitAsserts makes the compiler check every size, alignment and offset. It is
// done with array types, because the compiler prints both lengths where they
// differ; pointers to them cost nothing.
func (g *generator) emitAsserts(s *source) {
	var b strings.Builder
	assert := func(want int, query string, args ...any) {
		query = fmt.Sprintf(query, args...)
		fmt.Fprintf(&b, "_ *[%d]byte = (*[@unsafe.%s]byte)(nil)\n", want, query)
	}
	for _, r := range g.AllRecords() {
		name := recordName(r)
		assert(r.Size, "Sizeof(%s{})", name)
		assert(r.Align, "Alignof(%s{})", name)
		for _, f := range r.Fields {
			if f.Type.Kind != layout.KindReserved {
				assert(f.Offset, "Offsetof(%s{}.%s)", name, storage(f))
			}
		}
	}
	s.doc("The compiler refuses a line below where it lays a record out in another way than " +
		"the layout says: \"value of type *[is]byte as *[should be]byte\".")
	s.decl("var (\n%s)", b.String())
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
		return @fmt.Sprintf("%s: %d bytes is too long, want at most %d bytes",
			e.field, e.size, e.limit)
	}
	return e.field + ": text contains a NUL"
}`)
}
