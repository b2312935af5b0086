package layout

import (
	"math/big"

	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/spec"
)

// MaxSize bounds a segment, and with it every size and offset in it: it fits
// an int on every target.
const MaxSize = 1 << 30

// MaxDeclared bounds how much one layout declares: fields, values of enums, bits
// of flag sets, constants and records together. Arrays count once.
const MaxDeclared = 1024

// Lower resolves a spec: it places every field, checks every rule that needs
// more than one place of the file, and works out what the protocol and the
// emitters need. When errs gained a diagnostic the result is not to be used.
func Lower(s *spec.Spec, errs *diag.List) *Layout {
	lo := &lowering{spec: s, errs: errs}
	l := &Layout{Name: s.Layout.Name, Doc: s.Doc, Pos: s.Layout.Pos}
	lo.layout = l
	if n := s.Declared(); n > MaxDeclared {
		lo.errorf(s.Layout.Pos, "layout %q declares %d fields, values, constants and records, "+
			"more than %d", l.Name, n, MaxDeclared)
		return l
	}
	lo.endian()
	lo.names()
	lo.constants()
	lo.enums()
	lo.records()
	lo.page()
	if l.Page == nil {
		return l
	}
	lo.roles()
	if errs.Len() > 0 {
		return l // what a seqlock guards can be judged on a sound page only
	}
	lo.seqlocks()
	if errs.Len() > 0 {
		return l
	}
	lo.stamps()
	lo.fingerprint()
	return l
}

// lowering is the state of one run: the tables by name, and what is being
// resolved at the moment.
type lowering struct {
	spec   *spec.Spec
	errs   *diag.List
	layout *Layout

	consts map[string]*Const
	enum   map[string]*Enum
	record map[string]*recordState

	// words keeps, per lowered field, the parts of its spec that roles need.
	words map[*Field]*spec.Field
}

func (lo *lowering) errorf(pos diag.Pos, format string, args ...any) {
	lo.errs.Addf(pos, format, args...)
}

func (lo *lowering) endian() {
	e := Endian(lo.spec.Endian.Name)
	switch e {
	case Little, Big, Native:
		lo.layout.Endian = e
	case "": // the parser has said why
	default:
		lo.errorf(lo.spec.Endian.Pos, "endian: %q is not little, big or native", e)
	}
}

// names refuses type names that the language has for itself. That every name
// stands for one thing only is checked with the names of the output.
func (lo *lowering) names() {
	check := func(what string, id spec.Ident) {
		if builtin(id.Name) {
			lo.errorf(id.Pos, "%s %q: the name is a built-in type", what, id.Name)
		}
	}
	for _, e := range lo.spec.Enums {
		check(enumWord(e.Flags), e.Name)
	}
	for _, r := range lo.spec.Records {
		check("record", r.Name)
	}
}

func builtin(name string) bool {
	_, scalar := ScalarKind(name)
	return scalar || name == "char" || name == "bytes" || name == "reserved" || name == "page"
}

func enumWord(flags bool) string {
	if flags {
		return "flags"
	}
	return "enum"
}

// within returns n as an int when it lies in [low, high].
func within(n *big.Int, low, high int64) (int, bool) {
	if n == nil || !n.IsInt64() || n.Int64() < low || n.Int64() > high {
		return 0, false
	}
	return int(n.Int64()), true
}

// alignUp rounds n up to a multiple of a power of two.
func alignUp(n, align int) int { return (n + align - 1) &^ (align - 1) }
