package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/watch"

	"scratch/pose"
	"scratch/shkv2"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func equal[T comparable](t testing.TB, want, got T) {
	t.Helper()
	if want != got {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func shkv2Pair(t testing.TB) (string, *shkv2.Writer, *shkv2.Reader) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kv")
	w := must(shkv2.Create(path, segment.Mode(0o644)))(t)
	t.Cleanup(func() { w.Close() })
	r := must(shkv2.Open(path))(t)
	t.Cleanup(func() { r.Close() })
	return path, w, r
}

// The golden image of the pinned contract.
func TestGoldenPage(t *testing.T) {
	path, w, _ := shkv2Pair(t)
	want := make([]byte, 4096)
	copy(want, "SHKV2\x00\x00\x00\x0c\x00\x00\x00\x06\x00\x00\x00\x06")
	for i := range 6 {
		id := must(w.Publish(fmt.Sprintf("k%d", i+1), fmt.Sprintf("value-%d", i+1)))(t)
		equal(t, uint64(i+1), id)
		copy(want[64+64*i:], fmt.Sprintf("k%d", i+1))
		copy(want[64+64*i+24:], fmt.Sprintf("value-%d", i+1))
	}
	if got := must(os.ReadFile(path))(t); !bytes.Equal(want, got) {
		t.Fatalf("page differs:\n%x", got[:640])
	}
	equal(t, 12, w.View().Seq().Load())
	equal(t, 6, w.View().Wake().Load())
}

func TestSnapshotAndSlot(t *testing.T) {
	_, w, r := shkv2Pair(t)
	for i := range 9 {
		must(w.Publish(fmt.Sprint("k", i+1), "v"))(t)
	}
	var s shkv2.Snapshot
	must(0, r.Snapshot(&s))(t)
	equal(t, 9, s.Counter)
	equal(t, "k9", s.Slots[0].Key())
	equal(t, "k2", string(s.Slots[1].KeyBytes()))
	// A slot at an odd address is a legal place to copy to.
	var odd struct {
		_ byte
		s shkv2.Slot
	}
	equal(t, 9, must(r.Slot(3, &odd.s))(t))
	equal(t, "k4", odd.s.Key())
	for _, i := range []int{-1, 8} {
		if _, err := r.Slot(i, &odd.s); err == nil {
			t.Fatal("no error for slot", i)
		}
	}
	odd.s.SetKey("again")
	equal(t, 10, must(w.PublishRecord(&odd.s))(t))
	must(r.Slot(1, &odd.s))(t)
	equal(t, "again", odd.s.Key())
}

func TestUpdates(t *testing.T) {
	_, w, r := shkv2Pair(t)
	for i := range 20 {
		must(w.Publish(fmt.Sprint("k", i+1), ""))(t)
	}
	go func() {
		for i := 20; i < 30; i++ {
			time.Sleep(2 * time.Millisecond)
			w.Publish(fmt.Sprint("k", i+1), "")
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	next, missed := uint64(13), uint64(12)
	for u, err := range r.Updates(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		equal(t, missed, u.Missed)
		equal(t, next, u.ID)
		equal(t, fmt.Sprint("k", next), u.Slot.Key())
		if next++; next == 31 {
			break
		}
		missed = 0
	}
	for u, err := range r.Updates(ctx, watch.From(29)) {
		equal(t, nil, err)
		equal(t, 30, u.ID)
		break
	}
	short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	for _, err := range r.Updates(short, watch.From(30)) {
		if !errors.Is(err, segment.ErrTimedOut) {
			t.Fatal(err)
		}
	}
}

func TestTextRules(t *testing.T) {
	_, w, r := shkv2Pair(t)
	must(w.Publish("k", "v"))(t)
	before := bytes.Clone(w.View().Bytes())
	for _, c := range []struct {
		key, value string
		want       error
	}{
		{strings.Repeat("k", 25), "v", segment.ErrTooLong},
		{"k", strings.Repeat("v", 41), segment.ErrTooLong},
		{"a\x00b", "v", segment.ErrInnerNUL},
		{"k", "\x00", segment.ErrInnerNUL},
	} {
		_, err := w.Publish(c.key, c.value)
		if !errors.Is(err, c.want) {
			t.Fatalf("%q, %q: %v", c.key, c.value, err)
		}
	}
	if !bytes.Equal(before, w.View().Bytes()) {
		t.Fatal("a refused publish wrote to the page")
	}
	full := strings.Repeat("é", 12)
	must(w.Publish(full, strings.Repeat("v", 40)))(t)
	var s shkv2.Slot
	must(r.Slot(1, &s))(t)
	equal(t, full, s.Key())
	equal(t, 40, len(s.Value()))
}

func TestRefusals(t *testing.T) {
	path, w, _ := shkv2Pair(t)
	if _, err := shkv2.Create(path); !errors.Is(err, segment.ErrLocked) {
		t.Fatal(err)
	}
	if _, err := pose.Open(path); !errors.Is(err, segment.ErrWrongSize) {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other")
	os.WriteFile(other, make([]byte, 4096), 0o600)
	_, err := shkv2.Open(other)
	if !errors.Is(err, segment.ErrBadMagic) {
		t.Fatal(err)
	}
	equal(t, other+": bad magic (want SHKV2)", err.Error())
	w.Publish("k", "v")
	w.Close()
	if _, err := w.Publish("k", "v"); !errors.Is(err, segment.ErrClosed) {
		t.Fatal(err)
	}
	again := must(shkv2.Create(path))(t)
	defer again.Close()
	equal(t, 2, must(again.Publish("k", "v"))(t))
}

// aligned returns size bytes at an address that is a multiple of 8.
func aligned(size int) []byte {
	words := make([]uint64, size/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
}

func TestNewView(t *testing.T) {
	b := aligned(shkv2.Size + 1)
	if _, err := shkv2.NewView(b[:shkv2.Size-1]); !errors.Is(err, segment.ErrWrongSize) {
		t.Fatal(err)
	}
	if _, err := shkv2.NewView(b[1:]); err == nil {
		t.Fatal("a misaligned page was taken")
	}
	v := must(shkv2.NewView(b))(t)
	v.Seq().Store(0x01020304)
	equal(t, 4, b[8])
}

func TestAllocations(t *testing.T) {
	_, w, r := shkv2Pair(t)
	s, slot := new(shkv2.Snapshot), new(shkv2.Slot)
	for name, f := range map[string]func(){
		"Publish":       func() { w.Publish("key", "value") },
		"PublishRecord": func() { w.PublishRecord(slot) },
		"Snapshot":      func() { r.Snapshot(s) },
		"Slot":          func() { r.Slot(0, slot) },
		"KeyBytes":      func() { _ = len(slot.KeyBytes()) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
