package segment_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

var noDeadline time.Time

func isKind(err, kind error) bool { return errors.Is(err, kind) }

// refuse checks that neither a reader nor a writer accepts the file.
func refuse(t *testing.T, path string, layout *segment.Layout, kind error, text string) {
	t.Helper()
	before, statErr := os.Lstat(path)
	for name, f := range map[string]func() (*segment.Segment, error){
		"Open":   func() (*segment.Segment, error) { return segment.Open(path, layout) },
		"Create": func() (*segment.Segment, error) { return segment.Create(path, layout) },
	} {
		s, err := f()
		require.Nil(t, s, name)
		require.ErrorIs(t, err, kind, name)
		require.EqualError(t, err, text, name)
		var e *segment.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, path, e.Path)
	}
	if statErr == nil {
		after, err := os.Lstat(path)
		require.NoError(t, err)
		require.True(t, os.SameFile(before, after))
		require.Equal(t, before.Size(), after.Size())
	}
}

func TestMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := segment.Open("nope.shm", pagetest.SHKV2())
	require.EqualError(t, err, "open nope.shm: no such file or directory")
	require.ErrorIs(t, err, segment.ErrNotFound)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, segment.ErrNotFound, fs.ErrNotExist)

	_, err = segment.Create("nowhere/kv.shm", pagetest.SHKV2())
	require.EqualError(t, err, "create nowhere/kv.shm: no such file or directory")
	require.ErrorIs(t, err, segment.ErrNotFound)

	for _, path := range []string{"", "kv.shm/"} {
		_, err = segment.Create(path, pagetest.SHKV2())
		require.ErrorIs(t, err, segment.ErrNotFound, path)
		_, err = segment.Open(path, pagetest.SHKV2())
		require.ErrorIs(t, err, segment.ErrNotFound, path)
	}
	onlyFiles(t, ".")
}

// Whatever is not a regular file is refused by name, at once: opening a FIFO
// must not block, nor a link be followed.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	page := newPage(t, pagetest.SHKV2(), 1)
	require.NoError(t, os.Symlink(page, at("link")))
	require.NoError(t, os.Symlink(at("nothing"), at("dangling")))
	require.NoError(t, unix.Mkfifo(at("fifo"), 0o600))
	l, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	defer l.Close()

	start := time.Now()
	for path, what := range map[string]string{
		dir: "a directory", at("link"): "a symbolic link", at("dangling"): "a symbolic link",
		at("fifo"): "a FIFO", at("socket"): "a socket", "/dev/null": "a character device",
	} {
		text := path + ": is " + what + ", want a regular file"
		refuse(t, path, pagetest.SHKV2(), segment.ErrNotRegular, text)
	}
	require.Less(t, time.Since(start), 10*time.Second)
	onlyFiles(t, dir, "link", "dangling", "fifo", "socket")
	open(t, page, pagetest.SHKV2())
}

func TestWrongSize(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "kv.shm")
	for size, text := range map[int]string{
		0: "wrong size: 0 bytes, want 4096", 512: "wrong size: 512 bytes, want 4096",
		8192: "wrong size: 8192 bytes, want 4096",
	} {
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		refuse(t, path, pagetest.SHKV2(), segment.ErrWrongSize, path+": "+text)
	}
}

// stamped is a layout with a stamp of every kind.
func stamped() *segment.Layout {
	l := pagetest.SHKV2()
	l.Stamps = append(l.Stamps, []segment.Stamp{
		{Kind: segment.KindConstant, Field: "flags", Offset: 600, Value: []byte{0x34, 0x12}},
		{Kind: segment.KindConstant, Field: "unit", Offset: 604, Value: []byte("mm\x00")},
		{
			Kind: segment.KindFingerprint, Field: "print", Offset: 608,
			Value: []byte{1, 2, 3, 4, 5, 6, 7, 8},
		},
		{Kind: segment.KindVersion, Field: "version", Offset: 616, Value: []byte{2, 0, 0, 0}},
	}...)
	return l
}

func TestWrongStamps(t *testing.T) {
	for _, c := range []struct {
		at   int
		b    []byte
		kind error
		text string
	}{
		{0, []byte("SHKV1"), segment.ErrBadMagic, "bad magic (want SHKV2)"},
		{0, make([]byte, 4096), segment.ErrBadMagic, "bad magic (want SHKV2)"},
		{616, []byte{3, 0, 0, 0}, segment.ErrWrongVersion, "version 3, want 2"},
		{616, []byte{0, 0, 0, 2}, segment.ErrWrongEndian, "wrong byte order: " +
			"version is 0x2000000, want 0x2: the file was written on a machine of the other byte order"},
		{608, []byte{1}, nil, ""},
		{608, []byte{2}, segment.ErrWrongFingerprint, "fingerprint 0x807060504030202, " +
			"want 0x807060504030201: the file was written with another layout than shkv2; " +
			"regenerate both sides from one layout.yaml"},
		{608, []byte{8, 7, 6, 5, 4, 3, 2, 1}, segment.ErrWrongEndian, "wrong byte order: " +
			"print is 0x102030405060708, want 0x807060504030201: " +
			"the file was written on a machine of the other byte order"},
		{600, []byte{0x35}, segment.ErrWrongConstant, "flags is 0x1235, want 0x1234"},
		{600, []byte{0x12, 0x34}, segment.ErrWrongEndian, "wrong byte order: " +
			"flags is 0x3412, want 0x1234: the file was written on a machine of the other byte order"},
		{604, []byte("cm"), segment.ErrWrongConstant, `unit is "cm\x00", want "mm\x00"`},
		// The first check that fails speaks: magic, version, fingerprint, constants.
		{600, make([]byte, 64), segment.ErrWrongVersion, "version 0, want 2"},
	} {
		path := newPage(t, stamped(), 3)
		poke(t, path, c.at, c.b)
		if c.kind == nil {
			open(t, path, stamped())
			continue
		}
		refuse(t, path, stamped(), c.kind, path+": "+c.text)
	}
}

func TestStampsAreWritten(t *testing.T) {
	path := newPage(t, stamped(), 0)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, s := range stamped().Stamps {
		require.Equal(t, s.Value, b[s.Offset:s.Offset+len(s.Value)], s.Field)
	}
	open(t, path, stamped())
	create(t, path, stamped())
}

func TestText(t *testing.T) {
	field := []byte("................")
	require.NoError(t, segment.SetText(field, "key", "0123456789"))
	require.Equal(t, "0123456789", string(segment.Text(field)))
	require.NoError(t, segment.SetText(field, "key", "ab"))
	require.Equal(t, "ab"+string(make([]byte, 14)), string(field), "no stale tail")
	require.NoError(t, segment.SetText(field, "key", "0123456789abcdef"))
	require.Equal(t, "0123456789abcdef", string(segment.Text(field)), "full, without a NUL")

	err := segment.SetText(field, "key", "0123456789abcdefg")
	require.ErrorIs(t, err, segment.ErrTooLong)
	require.EqualError(t, err, "key: text of 17 bytes is too long, want at most 16")
	err = segment.SetText(field, "key", "a\x00b")
	require.ErrorIs(t, err, segment.ErrInnerNUL)
	require.Equal(t, "0123456789abcdef", string(field), "nothing is written")
	require.NoError(t, segment.SetText(field, "key", ""))
	require.Empty(t, segment.Text(field))
}
