package naming

// Lang is an output language with its rules for names.
type Lang string

// The languages.
const (
	Go   Lang = "go"
	C    Lang = "c"
	CPP  Lang = "c++"
	Rust Lang = "rust"
)

// Langs lists the languages in the order of reports.
var Langs = []Lang{Go, C, CPP, Rust}

// Field returns the name of a record's field, and of whatever else is a
// member: Pascal case in Go, snake case elsewhere, escaped where reserved.
func (l Lang) Field(id string) string {
	if l == Go {
		return l.Escape(Exported(id))
	}
	return l.Escape(Snake(id))
}

// Type returns the name of a record or enum without any prefix: Pascal case in
// Go and Rust, snake case in C and C++. C emitters put the layout's name and
// an underscore in front, and so never meet a reserved word.
func (l Lang) Type(id string) string {
	switch l {
	case Go:
		return l.Escape(Exported(id))
	case Rust:
		return l.Escape(Pascal(id))
	default:
		return l.Escape(Snake(id))
	}
}

// Const returns the name of a constant without any prefix: Pascal case in Go,
// capitals in C and Rust, snake case in C++ (as the standard library's).
func (l Lang) Const(id string) string {
	switch l {
	case Go:
		return l.Escape(Exported(id))
	case CPP:
		return l.Escape(Snake(id))
	default:
		return l.Escape(Screaming(id))
	}
}

// Escape appends an underscore to a name that the language or the generated
// code around it reserves. No spec identifier ends in an underscore after
// conversion, so an escaped name meets no other.
func (l Lang) Escape(name string) string {
	if reserved[l][name] {
		return name + "_"
	}
	return name
}
