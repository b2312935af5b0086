// Package naming turns the identifiers of a spec into the identifiers of each
// output language: one case convention per language, reserved words escaped,
// and collisions reported once for all languages.
package naming

import (
	"strings"
	"unicode"
)

// Words splits an identifier into lower-case words, at underscores and where
// the case changes: "fooBar", "foo_bar" and "FooBar" are the same two words.
func Words(id string) []string {
	var words []string
	for part := range strings.SplitSeq(id, "_") {
		runes := []rune(part)
		start := 0
		for i := 1; i < len(runes); i++ {
			if startsWord(runes, i) {
				words = append(words, strings.ToLower(string(runes[start:i])))
				start = i
			}
		}
		if start < len(runes) {
			words = append(words, strings.ToLower(string(runes[start:])))
		}
	}
	return words
}

// startsWord tells whether a word begins at i: an upper-case letter behind a
// lower-case one or a digit, or the last capital of a run ("HTTPServer").
func startsWord(runes []rune, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	return i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// Snake renders foo_bar: C, C++ and Rust members, and Rust modules.
func Snake(id string) string { return strings.Join(Words(id), "_") }

// Screaming renders FOO_BAR: constants of C, C++ and Rust.
func Screaming(id string) string { return strings.ToUpper(Snake(id)) }

// Pascal renders FooBar: Rust types.
func Pascal(id string) string {
	var b strings.Builder
	for _, w := range Words(id) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// initialisms are words that Go writes in capitals.
var initialisms = map[string]bool{
	"api": true, "cpu": true, "fd": true, "gpu": true, "id": true, "io": true, "ip": true,
	"json": true, "os": true, "pid": true, "tcp": true, "ttl": true, "udp": true, "uid": true,
	"uri": true, "url": true, "utf8": true, "uuid": true,
}

// Exported renders an exported Go name: UserID.
func Exported(id string) string {
	var b strings.Builder
	for _, w := range Words(id) {
		if initialisms[w] {
			b.WriteString(strings.ToUpper(w))
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// Package renders a Go package name: all words together in lower case.
func Package(id string) string { return strings.Join(Words(id), "") }
