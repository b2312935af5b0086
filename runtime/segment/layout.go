package segment

import (
	"bytes"
	"fmt"

	"github.com/shmkv/shmkv/runtime/seqlock"
)

// The kinds of stamp.
const (
	KindMagic       = "magic"
	KindVersion     = "version"
	KindFingerprint = "fingerprint"
	KindConstant    = "constant"
)

// Stamp is a run of bytes that formatting a page writes and opening compares.
type Stamp struct {
	Kind   string // one of the Kind constants
	Field  string // the field's name, for messages
	Offset int    // from the start of the page, in bytes
	Value  []byte // as it lies in memory
}

// Guarded names Count records below the page that carry a seqlock of their own,
// Stride bytes apart, the first at Offset. The lock's offsets count from the
// start of one record.
type Guarded struct {
	Lock                  *seqlock.Lock
	Offset, Stride, Count int
}

// Layout describes a page. Generated code supplies it; it must not be changed
// once used.
type Layout struct {
	Name    string        // of the layout, for messages
	Size    int           // of the page and the file, in bytes
	Magic   string        // what the magic reads, for messages
	Stamps  []Stamp       // compared in this order, after the size
	Lock    *seqlock.Lock // of the page; nil for none
	Guarded []Guarded
}

// Validate tells whether everything the layout names lies inside it. The error
// is an ErrLayout.
func (l *Layout) Validate() error {
	if l.Size <= 0 {
		return fmt.Errorf("%w: %s: size %d", ErrLayout, l.Name, l.Size)
	}
	for _, s := range l.Stamps {
		if s.Offset < 0 || len(s.Value) > l.Size || s.Offset > l.Size-len(s.Value) {
			return fmt.Errorf("%w: %s: %s at %d of %d bytes",
				ErrLayout, l.Name, s.Field, s.Offset, l.Size)
		}
	}
	if l.Lock != nil {
		if err := l.Lock.Validate(l.Size); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	for _, g := range l.Guarded {
		if g.Offset < 0 || g.Offset > l.Size || g.Count <= 0 || g.Stride <= 0 ||
			g.Stride > (l.Size-g.Offset)/g.Count || (g.Offset|g.Stride)%4 != 0 {
			return fmt.Errorf("%w: %s: records at %d, %d times %d bytes, of %d",
				ErrLayout, l.Name, g.Offset, g.Count, g.Stride, l.Size)
		}
		if err := g.Lock.Validate(g.Stride); err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
	}
	return nil
}

// format writes every stamp into a page that nobody else sees yet, the magic
// last.
func (l *Layout) format(mem []byte) {
	for _, magic := range []bool{false, true} {
		for _, s := range l.Stamps {
			if (s.Kind == KindMagic) == magic {
				copy(mem[s.Offset:], s.Value)
			}
		}
	}
}

// stampOrder is the order of the checks: the first that fails names the reason.
var stampOrder = [...]string{KindMagic, KindVersion, KindFingerprint, KindConstant}

// compare checks every stamp of a page of the right size.
func (l *Layout) compare(path string, mem []byte) error {
	for _, kind := range stampOrder {
		for i := range l.Stamps {
			s := &l.Stamps[i]
			found := mem[s.Offset : s.Offset+len(s.Value)]
			if s.Kind == kind && !bytes.Equal(found, s.Value) {
				return l.mismatch(path, s, bytes.Clone(found))
			}
		}
	}
	return nil
}

// mismatch says what is wrong with one stamp.
func (l *Layout) mismatch(path string, s *Stamp, found []byte) error {
	if s.Kind == KindMagic {
		return refused(path, ErrBadMagic, "bad magic (want %s)", l.Magic)
	}
	if bytes.Equal(reversed(found), s.Value) {
		return refused(path, ErrWrongEndian, "wrong byte order: %s is %s, want %s: "+
			"the file was written on a machine of the other byte order",
			s.Field, number(found), number(s.Value))
	}
	switch s.Kind {
	case KindFingerprint:
		return refused(path, ErrWrongFingerprint, "fingerprint %s, want %s: "+
			"the file was written with another layout than %s; "+
			"regenerate both sides from one layout.yaml",
			number(found), number(s.Value), l.Name)
	case KindVersion:
		return refused(path, ErrWrongVersion, "version %s, want %s",
			decimal(found), decimal(s.Value))
	default:
		return refused(path, ErrWrongConstant, "%s is %s, want %s",
			s.Field, number(found), number(s.Value))
	}
}
