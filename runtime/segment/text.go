package segment

import (
	"bytes"
	"strings"
)

// Text returns the text in a char[N] field: the bytes before its first NUL, or
// all of them. The result shares memory with the field.
func Text(field []byte) []byte {
	if i := bytes.IndexByte(field, 0); i >= 0 {
		return field[:i:i]
	}
	return field
}

// SetText stores text in a char[N] field and zeroes the rest of it. Text longer
// than the field is an ErrTooLong, text with a NUL inside an ErrInnerNUL; nothing
// is written then. name is the field's, for the message.
func SetText(field []byte, name, text string) error {
	switch {
	case len(text) > len(field):
		return refused(name, ErrTooLong, "text of %d bytes is too long, want at most %d",
			len(text), len(field))
	case strings.IndexByte(text, 0) >= 0:
		return refused(name, ErrInnerNUL, "text contains a NUL")
	}
	clear(field[copy(field, text):])
	return nil
}
