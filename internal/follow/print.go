package follow

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/output"
)

// Text prints the lines for people.
type Text struct {
	Out *output.Lines

	// Notes is where gaps are told, behind Program and a colon.
	Notes   *output.Lines
	Program string
}

// Start prints the first line.
func (t *Text) Start(ctx context.Context, path string, events uint64) error {
	return t.Out.Write(ctx, fmt.Appendf(nil, "watch: file=%s events=%d\n", path, events))
}

// Update prints one update; text of the page is passed on byte by byte.
func (t *Text) Update(ctx context.Context, u *shkv2.Update) error {
	t.gap(ctx, u.Missed)
	return t.Out.Write(ctx, fmt.Appendf(nil, "observed update %d: %s=%s\n",
		u.ID, u.Slot.KeyBytes(), u.Slot.ValueBytes()))
}

// Complete prints the last line.
func (t *Text) Complete(ctx context.Context, events uint64) error {
	return t.Out.Write(ctx, fmt.Appendf(nil, "watch: complete events=%d\n", events))
}

// JSON prints one object per update and nothing else.
type JSON struct{ Text }

// Start prints nothing.
func (*JSON) Start(context.Context, string, uint64) error { return nil }

// event is the object of one update. Text that is not UTF-8 stands in it twice:
// with replacement characters, and exactly.
type event struct {
	ID       uint64 `json:"id"`
	Lost     uint64 `json:"lost"`
	Key      string `json:"key"`
	KeyHex   string `json:"key_hex,omitempty"`
	Value    string `json:"value"`
	ValueHex string `json:"value_hex,omitempty"`
}

// Update prints one object.
func (j *JSON) Update(ctx context.Context, u *shkv2.Update) error {
	j.gap(ctx, u.Missed)
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(event{
		ID: u.ID, Lost: u.Missed,
		Key: u.Slot.Key(), KeyHex: hexUnlessUTF8(u.Slot.KeyBytes()),
		Value: u.Slot.Value(), ValueHex: hexUnlessUTF8(u.Slot.ValueBytes()),
	})
	if err != nil {
		return err
	}
	return j.Out.Write(ctx, line.Bytes())
}

// Complete prints nothing.
func (*JSON) Complete(context.Context, uint64) error { return nil }

func hexUnlessUTF8(text []byte) string {
	if utf8.Valid(text) {
		return ""
	}
	return hex.EncodeToString(text)
}

// gap tells how many updates were lost before the next one. Notes that nobody
// takes are no failure.
func (t *Text) gap(ctx context.Context, n uint64) {
	noun := "updates"
	switch n {
	case 0:
		return
	case 1:
		noun = "update"
	}
	_ = t.Notes.Write(ctx, fmt.Appendf(nil, "%s: %d %s lost (the ring keeps %d)\n",
		t.Program, n, noun, shkv2.SlotsCount))
}
