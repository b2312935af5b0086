package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// vector is a page, what it means, and what becomes of it.
type vector struct {
	name string

	// page is the start image. means is what it says, and what a fresh watcher
	// reports: nothing, where a write is in progress.
	page  []byte
	means struct {
		words
		Watch []json.RawMessage `json:"watch"`
	}

	// lines go to the standard input of serve, and after is the end image.
	lines []string
	after []byte
	then  struct {
		words
		Refused int  `json:"refused"` // lines
		Corrupt bool `json:"corrupt"` // no writer goes on with the page
	}
}

// readVector reads one file of testdata/vectors.
func readVector(path string) (*vector, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	v := &vector{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
	for _, f := range archive.Files {
		switch f.Name {
		case "page":
			v.page, err = parsePage(string(f.Data))
		case "meaning.json":
			err = strict(f.Data, &v.means)
		case "lines":
			v.lines, err = parseLines(string(f.Data))
		case "after":
			v.after, err = parsePage(string(f.Data))
		case "after.json":
			err = strict(f.Data, &v.then)
		default:
			err = fmt.Errorf("no such section")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", path, f.Name, err)
		}
	}
	if len(archive.Files) != 5 {
		return nil, fmt.Errorf("%s: %d sections, want 5", path, len(archive.Files))
	}
	return v, nil
}

func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// parseLines reads Go strings, one a line.
func parseLines(text string) (lines []string, err error) {
	for quoted := range strings.Lines(text) {
		line, err := strconv.Unquote(strings.TrimSpace(quoted))
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, quoted)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func vectors(t *testing.T) []*vector {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "vectors", "*.txtar"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	var all []*vector
	for _, path := range paths {
		v, err := readVector(path)
		require.NoError(t, err)
		all = append(all, v)
	}
	return all
}

// TestVectorsMeanWhatTheySay: the words of each image are those of its meaning,
// and the records reported lie where the contract puts them.
func TestVectorsMeanWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		assert.Equal(t, v.means.words, wordsOf(v.page), v.name)
		assert.Equal(t, v.then.words, wordsOf(v.after), v.name)
		for _, line := range v.means.Watch {
			var u struct {
				ID         uint64
				Key, Value string
			}
			require.NoError(t, json.Unmarshal(line, &u))
			slot := v.page[64+(u.ID-1)%8*64:]
			key, _, _ := bytes.Cut(slot[:24], []byte{0})
			value, _, _ := bytes.Cut(slot[24:64], []byte{0})
			assert.Equal(t, []rune(string(key)), []rune(u.Key), v.name)
			assert.Equal(t, []rune(string(value)), []rune(u.Value), v.name)
		}
	}
}

// TestVectors: every peer reads each image alike, and makes the same bytes of it.
func TestVectors(t *testing.T) {
	t.Parallel()
	all := vectors(t)
	for _, p := range append(here(), foreign()...) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.runner != "" && !have(t, p.runner) {
				return
			}
			for _, v := range all {
				t.Run(v.name, func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					require.NoError(t, os.WriteFile(file(dir), v.page, 0o600))
					reads(t, dir, p, v)
					writes(t, dir, p, v)
				})
			}
		})
	}
}

// reads lets a peer watch the start image, and leave it alone.
func reads(t *testing.T, dir string, p peer, v *vector) {
	args := []string{"watch", "kv.shm", "--json"}
	if n := len(v.means.Watch); n > 0 {
		args = append(args, "--events", fmt.Sprint(n))
	} else {
		args = append(args, "--timeout", "100ms") // there is nothing to wait for
	}
	w := launch(t, dir, p, args...)
	want, lost := reported(t, v)
	assert.Equal(t, want, w.rest())
	w.ends(0, lostNote(lost))
	image, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	require.Equal(t, dump(v.page), dump(image), "a watcher has changed the page")
}

// reported is what a fresh watcher says of the start image, and how many updates
// it has lost.
func reported(t *testing.T, v *vector) (lines []string, lost uint64) {
	t.Helper()
	for _, line := range v.means.Watch {
		var text bytes.Buffer
		require.NoError(t, json.Compact(&text, line))
		lines = append(lines, text.String())
		var u struct{ Lost uint64 }
		require.NoError(t, json.Unmarshal(line, &u))
		lost += u.Lost
	}
	return lines, lost
}

func lostNote(lost uint64) string {
	switch lost {
	case 0:
		return ""
	case 1:
		return `1 update lost \(the ring keeps 8\)`
	}
	return fmt.Sprintf(`%d updates lost \(the ring keeps 8\)`, lost)
}

// writes lets a peer go on with the start image, and compares what becomes of it.
func writes(t *testing.T, dir string, p peer, v *vector) {
	s := launch(t, dir, p, "serve", "kv.shm", "--stdin")
	for _, line := range v.lines {
		if _, err := s.in.Write([]byte(line + "\n")); err != nil {
			break // it has ended, and its exit code is looked at
		}
	}
	// A peer that refuses the page may have ended, and its pipe be closed, already.
	if err := s.in.Close(); !errors.Is(err, os.ErrClosed) {
		require.NoError(t, err)
	}
	switch {
	case v.then.Corrupt:
		s.ends(1, ".+")
	case v.then.Refused > 0:
		s.ends(1, fmt.Sprintf(`(line \d+: .+\nshmkv: ){%d}%[1]d of %d lines refused`,
			v.then.Refused, len(v.lines)))
	default:
		s.ends(0, "")
	}
	assert.Empty(t, s.rest(), "serve prints nothing on standard output")
	image, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	require.Equal(t, dump(v.after), dump(image))
}
