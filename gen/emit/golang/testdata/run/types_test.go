package run

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/shmkv/shmkv/runtime/segment"

	"scratch/types"
)

func typesView(t testing.TB) (types.View, []byte) {
	b := aligned(types.Size)
	return must(types.NewView(b))(t), b
}

// Case 6 of the field: 10 characters, then 2, then 16, then 17, in char[16].
func TestTextField(t *testing.T) {
	v, b := typesView(t)
	var r types.Inner
	for name, f := range map[string]struct {
		set func(string) error
		get func() string
		raw func() []byte
	}{
		"record": {r.SetAText, r.AText, func() []byte { return r.ATextRaw()[:] }},
		"view":   {v.SetAText, v.AText, func() []byte { return b[types.ATextOffset:][:16] }},
	} {
		for _, text := range []string{"0123456789", "ab", "0123456789abcdef"} {
			must(0, f.set(text))(t)
			equal(t, text, f.get())
			if want := append([]byte(text), make([]byte, 16-len(text))...); !bytes.Equal(want, f.raw()) {
				t.Fatalf("%s: %q, want %q", name, f.raw(), want)
			}
		}
		err := f.set("0123456789abcdefg")
		if !errors.Is(err, segment.ErrTooLong) || !strings.Contains(err.Error(), "a_text: 17 bytes") {
			t.Fatal(name, err)
		}
		err = f.set("a\x00b")
		if !errors.Is(err, segment.ErrInnerNUL) || errors.Is(err, segment.ErrTooLong) {
			t.Fatal(name, err)
		}
		equal(t, "0123456789abcdef", f.get())
	}
	must(0, r.SetNames(1, 2, "wxyz"))(t)
	equal(t, "wxyz", r.Names(1, 2))
	equal(t, "", r.Names(1, 1))
	must(0, v.SetNames(0, 1, "q"))(t)
	equal(t, byte('q'), b[types.NamesOffset+4])
	copy(b[types.NamesOffset:], "abcdefghijklmnopqrstuvwx")
	equal(t, "mnop", v.Names(1, 0))
	_ = append(r.ATextBytes(), '!') // goes to a copy, not into the record
	equal(t, "0123456789abcdef", r.AText())
}

func TestViewNumbers(t *testing.T) {
	v, b := typesView(t)
	le := binary.LittleEndian
	v.SetAU8(0xfe)
	v.SetAI8(-2)
	v.SetAU16(0xfedc)
	v.SetAI16(-3)
	v.SetAU32(0xfedcba98)
	v.SetAI32(-4)
	v.SetAU64(0xfedcba9876543210)
	v.SetAI64(-5)
	v.SetAF32(1.5)
	v.SetAF64(-2.5)
	v.SetAColour(types.ColourDeepBlue)
	v.SetAWide(types.WideTop)
	v.SetARights(types.RightsExec | types.RightsRead)
	equal(t, 0xfe, b[types.AU8Offset])
	equal(t, 0xfe, b[types.AI8Offset])
	equal(t, 0xfedc, le.Uint16(b[types.AU16Offset:]))
	equal(t, 0xfffd, le.Uint16(b[types.AI16Offset:]))
	equal(t, 0xfedcba98, le.Uint32(b[types.AU32Offset:]))
	equal(t, 0xfffffffc, le.Uint32(b[types.AI32Offset:]))
	equal(t, 0xfedcba9876543210, le.Uint64(b[types.AU64Offset:]))
	equal(t, math.MaxUint64-4, le.Uint64(b[types.AI64Offset:]))
	equal(t, math.Float32bits(1.5), le.Uint32(b[types.AF32Offset:]))
	equal(t, math.Float64bits(-2.5), le.Uint64(b[types.AF64Offset:]))
	equal(t, math.MaxUint64, le.Uint64(b[types.AWideOffset:]))
	equal(t, 0x80000001, le.Uint32(b[types.ARightsOffset:]))
	equal(t, -2, v.AI8())
	equal(t, -3, v.AI16())
	equal(t, -4, v.AI32())
	equal(t, -5, v.AI64())
	equal(t, 1.5, v.AF32())
	equal(t, -2.5, v.AF64())
	equal(t, types.ColourDeepBlue, v.AColour())
	equal(t, types.WideTop, v.AWide())
	equal(t, 0xfedcba9876543210, v.AU64())
}

func TestViewRest(t *testing.T) {
	v, b := typesView(t)
	b[types.ABoolOffset] = 0x80
	equal(t, true, v.ABool())
	v.SetABool(false)
	equal(t, 0, b[types.ABoolOffset])
	v.SetBools(2, true)
	equal(t, 1, b[types.BoolsOffset+2])
	equal(t, true, v.Bools(2))
	blob := [5]byte{1, 2, 3, 4, 5}
	v.SetABlob(&blob)
	equal(t, 5, b[types.ABlobOffset+4])
	var in, out types.Inner
	in.AU64, in.Grid[1][0] = 7, 9
	in.SetAText("inner")
	v.SetOne(&in)
	v.One(&out)
	if !reflect.DeepEqual(&in, &out) {
		t.Fatal("a record changed on its way")
	}
	equal(t, byte('i'), b[types.OneOffset+types.InnerATextOffset])
	equal(t, 9, b[types.OneOffset+types.InnerGridOffset+16])
	b[types.FixedOffset] = 3
	equal(t, 3, v.Fixed())
	for name := range strings.FieldsSeq("SetFixed SetMagic SetVersion SetOdd AGap SetPrint") {
		if _, ok := reflect.TypeOf(v).MethodByName(name); ok {
			t.Fatal("unexpected method", name)
		}
	}
}

func TestStamps(t *testing.T) {
	p := path(t)
	w := must(types.Create(p))(t)
	equal(t, `T"\YP`, w.View().Magic())
	equal(t, 3, w.View().Version())
	equal(t, 1.5, w.View().Odd())
	equal(t, types.Fingerprint, binary.LittleEndian.Uint64(w.View().Bytes()[types.PrintOffset:]))
	w.Close()
	for offset, want := range map[int]error{
		types.MagicOffset: segment.ErrBadMagic, types.VersionOffset: segment.ErrWrongVersion,
		types.PrintOffset: segment.ErrWrongFingerprint, types.OddOffset: segment.ErrWrongConstant,
	} {
		b := must(os.ReadFile(p))(t)
		b[offset] ^= 0x55
		other := path(t)
		must(0, os.WriteFile(other, b, 0o600))(t)
		if _, err := types.Open(other); !errors.Is(err, want) {
			t.Fatalf("offset %d: %v, want %v", offset, err, want)
		}
	}
}

func TestEnumsAndConstants(t *testing.T) {
	equal(t, "deep_blue", types.ColourDeepBlue.String())
	equal(t, "Colour(3)", types.Colour(3).String())
	equal(t, "read|exec", (types.RightsRead | types.RightsExec).String())
	equal(t, "write|0x10", (types.RightsWrite | 16).String())
	equal(t, "0x0", types.Rights(0).String())
	equal(t, true, (types.RightsWrite | 16).Has(types.RightsWrite))
	equal(t, false, types.RightsRead.Has(types.RightsRead|types.RightsWrite))
	equal(t, uint64(math.MaxUint64), types.Limit)
	equal(t, int64(math.MinInt64), types.Low)
	equal(t, float32(3.25), types.Ratio)
	equal(t, "a\"b`c\\ %d", types.Greeting)
	equal(t, types.Debug, true)
	equal(t, 1, types.Open_)
	equal(t, 2, types.Snapshot_)
	equal(t, 6, types.NamesCount)
}
