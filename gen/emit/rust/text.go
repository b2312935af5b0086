package rust

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapeMarkdown makes one line of plain text read the same in documentation:
// no emphasis, links, lists, HTML or code out of it.
func escapeMarkdown(line string) string {
	var b strings.Builder
	runes := []rune(line)
	for i, r := range runes {
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			// Some of them are errors in a Rust comment, none can be seen.
			fmt.Fprintf(&b, "U+%04X", r)
			continue
		case r == '_' && inWord(runes, i):
		case strings.ContainsRune("\\`*_[]<>#&~|!$^", r):
			b.WriteByte('\\')
		case r == ':' && i+2 < len(runes) && runes[i+1] == '/' && runes[i+2] == '/':
			// rustdoc warns of addresses that are no links.
			b.WriteByte('\\')
		case strings.ContainsRune("-+=", r) && i == 0:
			b.WriteByte('\\')
		case strings.ContainsRune(".)", r) && numberBefore(runes[:i]):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func inWord(runes []rune, i int) bool {
	letter := func(k int) bool {
		return k >= 0 && k < len(runes) && (unicode.IsLetter(runes[k]) || unicode.IsDigit(runes[k]))
	}
	return letter(i-1) && letter(i+1)
}

// numberBefore tells whether a line begins with a number and nothing else: a
// dot behind it would begin a list.
func numberBefore(runes []rune) bool {
	for _, r := range runes {
		if r < '0' || r > '9' {
			return false
		}
	}
	return len(runes) > 0
}

// quote returns a Rust string literal.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == ' ' || unicode.IsPrint(r) && !unicode.Is(unicode.Mn, r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quoteBytes returns a Rust byte string literal.
func quoteBytes(data []byte) string {
	var b strings.Builder
	b.WriteString(`b"`)
	for _, c := range data {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == 0:
			b.WriteString(`\0`)
		case c >= ' ' && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
