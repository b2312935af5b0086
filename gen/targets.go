package gen

import (
	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/c11"
	"github.com/shmkv/shmkv/gen/emit/cpp20"
	"github.com/shmkv/shmkv/gen/emit/golang"
	"github.com/shmkv/shmkv/gen/emit/rust"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// Target is an output language.
type Target struct {
	Lang naming.Lang
	Dir  Dir // the folder its files go to
	Emit emitter
}

type emitter func(layouts []*layout.Layout, opt Options) ([]emit.File, error)

// Dir is a folder of generated files. Several languages may share one.
type Dir string

// The folders, by the name they have below --out.
const (
	DirGo   Dir = "go"
	DirC    Dir = "c"
	DirRust Dir = "rust"
)

// Dirs lists the folders in the order of reports.
var Dirs = []Dir{DirGo, DirC, DirRust}

// Options are the choices a user has over the output.
type Options struct {
	// GoPackage names the Go package and puts its files directly into the
	// folder; it goes with one layout. Empty: a folder per layout.
	GoPackage string
}

// Targets is the table of languages. A new language is one entry here, its
// emitter, its rules in gen/naming and its row in the conformance suite.
var Targets = []Target{
	{naming.Go, DirGo, func(ls []*layout.Layout, opt Options) ([]emit.File, error) {
		return golang.Emit(ls, golang.Options{Package: opt.GoPackage, Flat: opt.GoPackage != ""})
	}},
	{naming.C, DirC, plain(c11.Emit)},
	{naming.CPP, DirC, plain(cpp20.Emit)},
	{naming.Rust, DirRust, plain(rust.Emit)},
}

// plain is an emitter without options.
func plain(f func([]*layout.Layout) ([]emit.File, error)) emitter {
	return func(ls []*layout.Layout, _ Options) ([]emit.File, error) { return f(ls) }
}
