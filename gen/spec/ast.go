// Package spec reads a layout file into an abstract syntax tree that keeps the
// position of everything. It checks the grammar (keys, kinds of values,
// spelling of numbers and names) and nothing that needs more than one place of
// the file: that is gen/layout's work. It is the only importer of YAML.
package spec

import (
	"math/big"

	"github.com/shmkv/shmkv/gen/diag"
)

// Ident is a name with the place where it stands. An absent name is empty.
type Ident struct {
	Name string
	Pos  diag.Pos
}

// Number is an integer as it was written, of any size. An absent number has a
// nil Value.
type Number struct {
	Value *big.Int
	Pos   diag.Pos
}

// Literal is the value of a constant. Quoted tells text from other scalars.
type Literal struct {
	Text   string
	Quoted bool
	Pos    diag.Pos
}

// Spec is one layout file.
type Spec struct {
	Layout  Ident
	Doc     string
	Endian  Ident // "little" where absent
	Size    Number
	Consts  []*Const
	Enums   []*Enum // enums and flag sets
	Page    *Record
	Records []*Record
}

// Declared counts what the spec declares: constants, enums and their values,
// records and their fields.
func (s *Spec) Declared() int {
	n := len(s.Consts) + len(s.Enums) + len(s.Records)
	for _, e := range s.Enums {
		n += len(e.Values)
	}
	for _, r := range s.Records {
		n += len(r.Fields)
	}
	if s.Page != nil {
		n += len(s.Page.Fields)
	}
	return n
}

// Const is an entry of constants.
type Const struct {
	Name  Ident
	Doc   string
	Type  Ident
	Value Literal
}

// Enum is an entry of enums or of flags.
type Enum struct {
	Name   Ident
	Doc    string
	Flags  bool
	Type   Ident
	Values []*EnumValue
}

// EnumValue is a value of an enum or a bit of a flag set.
type EnumValue struct {
	Name  Ident
	Doc   string
	Value Number
}

// Record is the page or an entry of records.
type Record struct {
	Name   Ident
	Doc    string
	Size   Number
	Fields []*Field
}

// Field is an entry of a record's fields.
type Field struct {
	Name    Ident
	Doc     string
	At      Number
	Type    *Type // nil when it could not be read; a diagnostic says why
	Role    Ident
	Access  Ident // "rw" where absent
	Const   *Literal
	Guards  []Ident
	Follows Ident
	Index   Ident

	// Broken tells that a diagnostic was given about the field, so that its
	// place and size can not be relied on.
	Broken bool
}

// Type is a type as it was written: a base name and the lengths in brackets,
// in the order of writing.
type Type struct {
	Base    string
	Lengths []Length
	Pos     diag.Pos
}

// Length is one pair of brackets: a number, or the name of a constant.
type Length struct {
	Value *big.Int // nil when Name counts
	Name  string
}
