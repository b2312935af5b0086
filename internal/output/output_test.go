package output_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/internal/output"
)

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func TestLinesArriveAtOnce(t *testing.T) {
	r, w := pipe(t)
	lines := output.New(w)
	in := bufio.NewReader(r)
	for _, line := range []string{"one\n", "two\n"} {
		require.NoError(t, lines.Write(t.Context(), []byte(line)))
		got, err := in.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, line, got)
	}
}

// TestReaderThatDoesNotRead: a full pipe must not keep a stopped program alive.
func TestReaderThatDoesNotRead(t *testing.T) {
	_, w := pipe(t)
	lines := output.New(w)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { cancel(stopped) })
	for {
		if err := lines.Write(ctx, make([]byte, 4096)); err != nil {
			require.ErrorIs(t, err, stopped)
			return
		}
	}
}

func TestReaderThatLeaves(t *testing.T) {
	r, w := pipe(t)
	lines := output.New(w)
	gone := make(chan error, 1)
	lines.WatchReader(func(err error) { gone <- err })
	r.Close()
	assert.ErrorIs(t, <-gone, unix.EPIPE)
	assert.ErrorIs(t, lines.Write(t.Context(), []byte("x\n")), unix.EPIPE)
}

func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	lines := output.New(full)
	lines.WatchReader(func(error) { t.Error("a device has no reader") })
	err = lines.Write(t.Context(), []byte("x\n"))
	assert.ErrorIs(t, err, unix.ENOSPC)
	assert.ErrorContains(t, err, "/dev/full")
}
