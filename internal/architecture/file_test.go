package architecture

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// widest is the longest line of ours, in characters, of which a tab is one.
const widest = 100

func checkFile(t *testing.T, path, rel string, limit int) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) > limit {
		t.Errorf("%s has %d lines, more than %d: divide it", rel, len(lines), limit)
	}
	for i, line := range lines {
		if strings.Contains(line, "`") {
			continue // a struct tag or a raw string can not be broken
		}
		if n := utf8.RuneCountInString(line); n > widest {
			t.Errorf("%s:%d has %d columns, more than %d", rel, i+1, n, widest)
		}
	}
}
