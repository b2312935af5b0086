package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/stop"
)

func create(t *testing.T) *shkv2.Writer {
	t.Helper()
	w, err := shkv2.Create(filepath.Join(t.TempDir(), "kv.shm"))
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

// readAll takes a whole input apart.
func readAll(r io.Reader) (lines []line) {
	in := bufio.NewReaderSize(r, 16)
	for {
		l, ok := next(in)
		if !ok {
			return lines
		}
		lines = append(lines, l)
	}
}

// simple is what next should do, for input that fits into memory.
func simple(input []byte) (lines []string) {
	text := strings.TrimSuffix(string(input), "\n")
	if len(input) == 0 {
		return nil
	}
	for l := range strings.SplitSeq(text, "\n") {
		key, value, found := strings.Cut(l, "=")
		if !found || key == "" || len(key) > 24 || len(value) > 40 || strings.ContainsRune(l, 0) {
			lines = append(lines, "refused")
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a=1\nb=2"))
	f.Add([]byte("\n\n=\n==\na"))
	f.Add(bytes.Repeat([]byte("0123456789="), 9))
	f.Add([]byte("key\x00=v\nk=v\x00\r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, in := range []io.Reader{
			bytes.NewReader(input), iotest.OneByteReader(bytes.NewReader(input)),
		} {
			var got []string
			for _, l := range readAll(in) {
				if l.fault != nil {
					require.ErrorIs(t, l.fault, errRefused)
					got = append(got, "refused")
					continue
				}
				got = append(got, string(l.key)+"="+string(l.value))
			}
			require.Equal(t, simple(input), got)
		}
	})
}

// TestHugeLine: its size is told exactly, and no more of it is kept than fits.
func TestHugeLine(t *testing.T) {
	const size = 1 << 24
	huge := io.MultiReader(strings.NewReader("k="), strings.NewReader(strings.Repeat("v", size)))
	p := readAll(huge)
	require.Len(t, p, 1)
	assert.ErrorContains(t, p[0].fault, fmt.Sprintf("the value has %d bytes, want at most 40", size))
	assert.LessOrEqual(t, cap(p[0].value), 64)
}

func TestInputThatFails(t *testing.T) {
	w := create(t)
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("a=1\n"), iotest.ErrReader(broken))
	err := Lines(t.Context(), w, in, func(uint64, error) { t.Error("nothing is refused") })
	assert.ErrorIs(t, err, broken)
}

// TestStoppedInput: a signal is a clean end, any other reason is not.
func TestStoppedInput(t *testing.T) {
	w := create(t)
	silent, _ := io.Pipe()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop.Signal{Signal: 15})
	assert.NoError(t, Lines(ctx, w, silent, nil))
	why := errors.New("why")
	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(why)
	assert.ErrorIs(t, Lines(ctx, w, silent, nil), why)
}
