package layout

import (
	"math/big"

	"github.com/shmkv/shmkv/gen/spec"
)

// maxDims bounds the dimensions of an array.
const maxDims = 4

// resolve turns a written type into a resolved one. Suffixes are read from the
// left: u16[4][3] is three times u16[4], and char[24][8] eight texts.
func (lo *lowering) resolve(f *spec.Field) (Type, bool) {
	lengths, ok := lo.lengths(f)
	if !ok {
		return Type{}, false
	}
	t := Type{}
	switch base := f.Type.Base; base {
	case "char", "bytes", "reserved":
		if len(lengths) == 0 {
			lo.errorf(f.Type.Pos, "field %q: %s needs a length: %s[N]", f.Name.Name, base, base)
			return Type{}, false
		}
		t.Kind = map[string]Kind{"char": KindChar, "bytes": KindBytes, "reserved": KindReserved}[base]
		t.Len, lengths = lengths[0], lengths[1:]
		if t.Kind == KindReserved && len(lengths) > 0 {
			lo.errorf(f.Type.Pos, "field %q: reserved takes one length", f.Name.Name)
			return Type{}, false
		}
	default:
		if ok := lo.named(f, &t); !ok {
			return Type{}, false
		}
	}
	if len(lengths) > maxDims {
		lo.errorf(
			f.Type.Pos,
			"field %q: %d array dimensions, more than %d",
			f.Name.Name,
			len(lengths),
			maxDims,
		)
		return Type{}, false
	}
	count := 1
	for _, n := range lengths {
		if count, ok = multiply(count, n); !ok {
			lo.errorf(
				f.Type.Pos,
				"field %q: its size passes the limit of %d bytes",
				f.Name.Name,
				MaxSize,
			)
			return Type{}, false
		}
		t.Dims = append([]int{n}, t.Dims...)
	}
	return t, true
}

// named resolves a scalar, an enum, a flag set or a record.
func (lo *lowering) named(f *spec.Field, t *Type) bool {
	base := f.Type.Base
	if kind, ok := ScalarKind(base); ok {
		t.Kind = kind
		return true
	}
	if e, ok := lo.enum[base]; ok {
		t.Kind, t.Enum = KindEnum, e
		if e.Flags {
			t.Kind = KindFlags
		}
		return true
	}
	s, ok := lo.record[base]
	switch {
	case !ok:
		lo.errorf(f.Type.Pos, "field %q: unknown type %q", f.Name.Name, base)
		return false
	case s.busy:
		lo.errorf(f.Type.Pos, "field %q: record %q contains itself", f.Name.Name, base)
		return false
	}
	lo.place(s)
	if s.broken {
		return false // told at the record
	}
	t.Kind, t.Record = KindRecord, s.out
	return true
}

// lengths resolves the brackets of a type, constants included.
func (lo *lowering) lengths(f *spec.Field) ([]int, bool) {
	var lengths []int
	for _, written := range f.Type.Lengths {
		value := written.Value
		if value == nil {
			c, ok := lo.consts[written.Name]
			if !ok || !c.Kind.IsUnsigned() && !c.Kind.IsSigned() {
				lo.errorf(
					f.Type.Pos,
					"field %q: length %q is not an integer constant",
					f.Name.Name,
					written.Name,
				)
				return nil, false
			}
			value = c.integer()
		}
		n, ok := within(value, 1, MaxSize)
		if !ok {
			lo.errorf(
				f.Type.Pos,
				"field %q: length %s is not in 1..%d",
				f.Name.Name,
				value,
				MaxSize,
			)
			return nil, false
		}
		lengths = append(lengths, n)
	}
	return lengths, true
}

// integer returns the value of an integer constant.
func (c *Const) integer() *big.Int {
	if c.Kind.IsSigned() {
		return big.NewInt(c.Int)
	}
	return new(big.Int).SetUint64(c.Uint)
}
