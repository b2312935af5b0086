package segment

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
)

// reversed returns the bytes in the other order.
func reversed(b []byte) []byte {
	r := slices.Clone(b)
	slices.Reverse(r)
	return r
}

// unsigned reads a scalar as it lies in memory.
func unsigned(b []byte) (uint64, bool) {
	switch len(b) {
	case 1:
		return uint64(b[0]), true
	case 2:
		return uint64(binary.NativeEndian.Uint16(b)), true
	case 4:
		return uint64(binary.NativeEndian.Uint32(b)), true
	case 8:
		return binary.NativeEndian.Uint64(b), true
	}
	return 0, false
}

// number shows a stamp in a message: a scalar in hex, other bytes quoted.
func number(b []byte) string {
	if v, ok := unsigned(b); ok {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprintf("%q", b)
}

// decimal shows a scalar in decimal.
func decimal(b []byte) string {
	if v, ok := unsigned(b); ok {
		return strconv.FormatUint(v, 10)
	}
	return number(b)
}
