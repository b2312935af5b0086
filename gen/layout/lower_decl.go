package layout

import (
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/shmkv/shmkv/gen/spec"
)

// constants resolves the named constants.
func (lo *lowering) constants() {
	lo.consts = map[string]*Const{}
	for _, c := range lo.spec.Consts {
		out := &Const{Name: c.Name.Name, Doc: c.Doc, Pos: c.Name.Pos}
		if c.Type.Name == "" || c.Value.Text == "" && !c.Value.Quoted {
			continue // the parser has said why
		}
		kind, scalar := ScalarKind(c.Type.Name)
		if c.Type.Name == "char" {
			kind = KindChar
		} else if !scalar {
			lo.errorf(c.Type.Pos, "constant %q: %q is not a type a constant can have "+
				"(u8..u64, i8..i64, f32, f64, bool, or char for text)", c.Name.Name, c.Type.Name)
			continue
		}
		out.Kind = kind
		if !lo.value(c, out) {
			continue
		}
		lo.consts[out.Name] = out
		lo.layout.Consts = append(lo.layout.Consts, out)
	}
}

// value reads the literal of a constant by its kind.
func (lo *lowering) value(c *spec.Const, out *Const) bool {
	fail := func(want string) bool {
		lo.errorf(c.Value.Pos, "constant %q: %q is not %s", c.Name.Name, c.Value.Text, want)
		return false
	}
	text, quoted := c.Value.Text, c.Value.Quoted
	switch {
	case out.Kind == KindChar:
		if !utf8.ValidString(text) || !printable(text) {
			return fail("printable text")
		}
		out.Text = text
	case quoted:
		return fail("a value (it is quoted)")
	case out.Kind == KindBool:
		if text != "true" && text != "false" {
			return fail("true or false")
		}
		out.Bool = text == "true"
	case out.Kind.IsFloat():
		f, ok := parseFloat(text, out.Kind)
		if !ok {
			return fail("a finite number of " + out.Kind.String())
		}
		out.Float = f
	default:
		n, ok := integer(text, out.Kind)
		if !ok {
			return fail("a whole number of " + out.Kind.String())
		}
		if out.Kind.IsSigned() {
			out.Int = n.Int64()
		} else {
			out.Uint = n.Uint64()
		}
	}
	return true
}

// printable tells whether text holds no control and no directional character:
// it will stand in the source of four languages.
func printable(text string) bool {
	for _, c := range text {
		if !strconv.IsPrint(c) {
			return false
		}
	}
	return true
}

// parseFloat reads a decimal floating-point literal of a kind.
func parseFloat(text string, kind Kind) (float64, bool) {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false // no inf, nan, hexadecimal or underscores
		}
	}
	f, err := strconv.ParseFloat(text, kind.Size()*8)
	if err != nil || math.IsInf(f, 0) {
		return 0, false
	}
	if f == 0 {
		return 0, true // one zero: -0 is written 0 in some languages
	}
	return f, true
}

// integer reads an integer literal and checks that the kind holds it.
func integer(text string, kind Kind) (*big.Int, bool) {
	n, ok := spec.ParseNumber(text)
	if !ok {
		return nil, false
	}
	return n, kind.holds(n)
}

// holds tells whether an integer kind can represent n.
func (k Kind) holds(n *big.Int) bool {
	bits := uint(k.Size() * 8)
	if k.IsUnsigned() {
		return n.Sign() >= 0 && n.BitLen() <= int(bits)
	}
	limit := new(big.Int).Lsh(big.NewInt(1), bits-1)
	return n.Cmp(limit) < 0 && n.Cmp(new(big.Int).Neg(limit)) >= 0
}

// enums resolves enums and flag sets.
func (lo *lowering) enums() {
	lo.enum = map[string]*Enum{}
	for _, e := range lo.spec.Enums {
		what := enumWord(e.Flags)
		out := &Enum{Name: e.Name.Name, Doc: e.Doc, Pos: e.Name.Pos, Flags: e.Flags}
		lo.enum[out.Name] = out
		lo.layout.Enums = append(lo.layout.Enums, out)
		out.Base = KindU8 // a stand-in that keeps later sums defined after an error
		if e.Type.Name != "" {
			kind, _ := ScalarKind(e.Type.Name)
			if !kind.IsUnsigned() {
				lo.errorf(
					e.Type.Pos,
					"%s %q: %q is not u8, u16, u32 or u64",
					what,
					out.Name,
					e.Type.Name,
				)
				continue
			}
			out.Base = kind
		}
		lo.enumValues(e, out)
	}
}

func (lo *lowering) enumValues(e *spec.Enum, out *Enum) {
	seen := map[uint64]string{}
	for _, v := range e.Values {
		if v.Value.Value == nil {
			continue
		}
		value := v.Value.Value
		if e.Flags {
			bits := out.Base.Size() * 8
			bit, ok := within(value, 0, int64(bits-1))
			if !ok {
				lo.errorf(v.Value.Pos, "flags %q: bit %q: %s is not a bit of %s (0 to %d)",
					out.Name, v.Name.Name, value, out.Base, bits-1)
				continue
			}
			value = new(big.Int).Lsh(big.NewInt(1), uint(bit))
		}
		if !out.Base.holds(value) {
			lo.errorf(
				v.Value.Pos,
				"enum %q: value %q: %s does not fit %s",
				out.Name,
				v.Name.Name,
				value,
				out.Base,
			)
			continue
		}
		if other, dup := seen[value.Uint64()]; dup {
			lo.errorf(
				v.Value.Pos,
				"%s %q: %q has the value of %q",
				enumWord(e.Flags),
				out.Name,
				v.Name.Name,
				other,
			)
			continue
		}
		seen[value.Uint64()] = v.Name.Name
		out.Values = append(out.Values, &EnumValue{
			Name: v.Name.Name, Doc: v.Doc, Pos: v.Name.Pos, Value: value.Uint64(),
		})
	}
}
