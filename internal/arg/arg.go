// Package arg holds the types of command-line values that are read strictly:
// plain decimal numbers that fit, and nothing that only looks like one. Each is
// an encoding.TextUnmarshaler, which the command-line parser understands.
package arg

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count is a number of things: decimal digits, at most 2^64-1.
type Count uint64

// UnmarshalText reads a Count.
func (c *Count) UnmarshalText(text []byte) error {
	n, err := number(string(text))
	*c = Count(n)
	return err
}

// Millis is a duration in whole milliseconds that a time.Duration can hold.
type Millis time.Duration

// UnmarshalText reads a Millis.
func (m *Millis) UnmarshalText(text []byte) error {
	n, err := number(string(text))
	if err != nil {
		return err
	}
	const most = math.MaxInt64 / int64(time.Millisecond)
	if n > uint64(most) {
		return fmt.Errorf("%s is too large, want at most %d", text, most)
	}
	*m = Millis(time.Duration(n) * time.Millisecond)
	return nil
}

// Timeout is a duration with its unit, such as 500ms, 30s or 1m30s. 0 needs no
// unit.
type Timeout time.Duration

// UnmarshalText reads a Timeout.
func (t *Timeout) UnmarshalText(text []byte) error {
	s := string(text)
	if strings.Trim(s, "0123456789.hmsuµn") != "" || s == "" {
		return fmt.Errorf("%q is not a duration such as 500ms, 30s or 1m30s", s)
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is not a duration such as 500ms, 30s or 1m30s, or is too large", s)
	}
	*t = Timeout(d)
	return nil
}

// Mode is the permission bits of a file in octal, such as 644 or 0640.
type Mode fs.FileMode

// UnmarshalText reads a Mode.
func (m *Mode) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 8, 32)
	if err != nil || n > uint64(fs.ModePerm) {
		return fmt.Errorf("%q is not a file mode such as 600 or 0644", text)
	}
	*m = Mode(n)
	return nil
}

// number reads decimal digits and nothing else: strconv alone would also take a
// sign, and with base 0 a prefix or underscores.
func number(s string) (uint64, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, fmt.Errorf("%q is not a decimal number", s)
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%s is too large, want at most %d", s, uint64(math.MaxUint64))
	}
	return n, err
}
