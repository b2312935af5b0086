package layout

// Kind is the basic type of a field.
type Kind uint8

// The kinds. A new one is one row in the table below.
const (
	KindInvalid Kind = iota
	KindU8
	KindU16
	KindU32
	KindU64
	KindI8
	KindI16
	KindI32
	KindI64
	KindF32
	KindF64
	KindBool     // one byte; any non-zero value is true
	KindChar     // NUL-padded text of Len bytes
	KindBytes    // Len raw bytes
	KindReserved // Len bytes that are zero and belong to nobody yet
	KindEnum
	KindFlags
	KindRecord
	kindCount
)

var kinds = [kindCount]struct {
	name string
	size int // of a scalar; 0 where it depends on the type
}{
	KindInvalid:  {"invalid", 0},
	KindU8:       {"u8", 1},
	KindU16:      {"u16", 2},
	KindU32:      {"u32", 4},
	KindU64:      {"u64", 8},
	KindI8:       {"i8", 1},
	KindI16:      {"i16", 2},
	KindI32:      {"i32", 4},
	KindI64:      {"i64", 8},
	KindF32:      {"f32", 4},
	KindF64:      {"f64", 8},
	KindBool:     {"bool", 1},
	KindChar:     {"char", 0},
	KindBytes:    {"bytes", 0},
	KindReserved: {"reserved", 0},
	KindEnum:     {"enum", 0},
	KindFlags:    {"flags", 0},
	KindRecord:   {"record", 0},
}

// String returns the name a spec uses for the kind.
func (k Kind) String() string { return kinds[k].name }

// Size returns the size of a scalar kind, 0 for the others.
func (k Kind) Size() int { return kinds[k].size }

// IsUnsigned tells whether the kind is u8, u16, u32 or u64.
func (k Kind) IsUnsigned() bool { return k >= KindU8 && k <= KindU64 }

// IsSigned tells whether the kind is i8, i16, i32 or i64.
func (k Kind) IsSigned() bool { return k >= KindI8 && k <= KindI64 }

// IsFloat tells whether the kind is f32 or f64.
func (k Kind) IsFloat() bool { return k == KindF32 || k == KindF64 }

// IsScalar tells whether the kind has a size of its own.
func (k Kind) IsScalar() bool { return kinds[k].size != 0 }

// ScalarKind returns the scalar kind of a spec name such as "u32".
func ScalarKind(name string) (Kind, bool) {
	for k := KindU8; k <= KindBool; k++ {
		if kinds[k].name == name {
			return k, true
		}
	}
	return KindInvalid, false
}
