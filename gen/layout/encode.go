package layout

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"

	"github.com/shmkv/shmkv/gen/spec"
)

// encode turns the const of a field into the bytes it always holds.
func (lo *lowering) encode(f *Field, c *spec.Literal) {
	fail := func(want string) {
		lo.errorf(c.Pos, "field %q: const %q is not %s", f.Name, c.Text, want)
	}
	kind := f.Type.Kind
	switch {
	case kind == KindChar:
		lo.encodeText(f, c)
	case c.Quoted:
		fail("a value (it is quoted)")
	case kind == KindBool:
		if c.Text != "true" && c.Text != "false" {
			fail("true or false")
			return
		}
		f.Const = []byte{0}
		if c.Text == "true" {
			f.Const[0] = 1
		}
	case kind.IsFloat():
		x, ok := parseFloat(c.Text, kind)
		if !ok {
			fail("a finite number of " + kind.String())
			return
		}
		bits := math.Float64bits(x)
		if kind == KindF32 {
			bits = uint64(math.Float32bits(float32(x)))
		}
		f.Const = lo.bytes(bits, f.Size)
	case kind == KindEnum:
		value, ok := f.Type.Enum.lookup(c.Text)
		if !ok {
			fail("a value of enum " + f.Type.Enum.Name)
			return
		}
		f.Const = lo.bytes(value, f.Size)
	case kind.IsUnsigned() || kind.IsSigned():
		n, ok := integer(c.Text, kind)
		if !ok {
			fail("a whole number of " + kind.String())
			return
		}
		f.Const = lo.bytes(twosComplement(n), f.Size)
	default:
		lo.errorf(c.Pos, "field %q: a field of type %s takes no const", f.Name, kind)
	}
}

// encodeText pads text with NULs to the width of its field.
func (lo *lowering) encodeText(f *Field, c *spec.Literal) {
	switch {
	case len(c.Text) > f.Type.Len:
		lo.errorf(c.Pos, "field %q: const %q has %d bytes, more than the %d of the field",
			f.Name, c.Text, len(c.Text), f.Type.Len)
	case strings.ContainsRune(c.Text, 0) || !printable(c.Text):
		lo.errorf(c.Pos, "field %q: const %q is not printable text", f.Name, c.Text)
	case f.Role == RoleMagic && c.Text == "":
		lo.errorf(c.Pos, "field %q: an empty magic tells nothing", f.Name)
	default:
		f.Const = make([]byte, f.Size)
		copy(f.Const, c.Text)
	}
}

// bytes renders the low size bytes of a value in the order of the page.
func (lo *lowering) bytes(value uint64, size int) []byte {
	if lo.layout.Endian == Big {
		return binary.BigEndian.AppendUint64(nil, value)[8-size:]
	}
	return binary.LittleEndian.AppendUint64(nil, value)[:size]
}

func twosComplement(n *big.Int) uint64 {
	if n.Sign() < 0 {
		return uint64(n.Int64())
	}
	return n.Uint64()
}

// lookup returns the value of a name of the enum.
func (e *Enum) lookup(name string) (uint64, bool) {
	for _, v := range e.Values {
		if v.Name == name {
			return v.Value, true
		}
	}
	return 0, false
}
