package arg_test

import (
	"encoding"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/shmkv/shmkv/internal/arg"
)

func read[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](s string) (T, error) {
	var v T
	err := P(&v).UnmarshalText([]byte(s))
	return v, err
}

// notNumbers are values that some parser or other takes for a number.
var notNumbers = []string{
	"", " ", "-1", "+5", "0x10", "0b1", "0o7", "1e3", "1_000", " 5", "5 ", "5.0", "٣", "five",
	"18446744073709551616", "99999999999999999999999",
}

func TestCount(t *testing.T) {
	for s, want := range map[string]arg.Count{
		"0": 0, "10": 10, "010": 10, "18446744073709551615": 18446744073709551615,
	} {
		n, err := read[arg.Count](s)
		assert.NoError(t, err, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range notNumbers {
		_, err := read[arg.Count](s)
		assert.Error(t, err, "%q", s)
	}
}

func TestMillis(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "1000": time.Second, "9223372036854": 9223372036854 * time.Millisecond,
	} {
		n, err := read[arg.Millis](s)
		assert.NoError(t, err, s)
		assert.Equal(t, arg.Millis(want), n, s)
	}
	for _, s := range append(notNumbers, "9223372036855", "18446744073709551615") {
		_, err := read[arg.Millis](s)
		assert.Error(t, err, "%q", s)
	}
}

func TestTimeout(t *testing.T) {
	for s, want := range map[string]time.Duration{
		"0": 0, "500ms": 500 * time.Millisecond, "1m30s": 90 * time.Second,
		"1.5s": 1500 * time.Millisecond,
	} {
		n, err := read[arg.Timeout](s)
		assert.NoError(t, err, s)
		assert.Equal(t, arg.Timeout(want), n, s)
	}
	for _, s := range append(notNumbers, "-1s", "+1s", " 1s", "1", "1d", "9999999999h", "s") {
		_, err := read[arg.Timeout](s)
		assert.Error(t, err, "%q", s)
	}
}

func TestMode(t *testing.T) {
	for s, want := range map[string]arg.Mode{"600": 0o600, "0644": 0o644, "0": 0} {
		n, err := read[arg.Mode](s)
		assert.NoError(t, err, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range []string{"", "-1", "0o644", "888", "1777", "4644", "rw-r--r--"} {
		_, err := read[arg.Mode](s)
		assert.Error(t, err, "%q", s)
	}
}
