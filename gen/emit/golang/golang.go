// Package golang emits a Go package per layout: record types whose size,
// alignment and offsets the compiler checks, and typed sugar over the packages
// in runtime/. No order-critical step of the protocol is generated: those stand
// in runtime/seqlock and runtime/futex, and the package passes descriptors.
package golang

import (
	"errors"
	"fmt"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Options changes what a package is called and where it lands.
type Options struct {
	// Package is the name of the package; "" means that of the layout. It can
	// only be given for a single layout.
	Package string
	// Flat puts the files directly into the target's folder, not into a folder
	// per layout. It needs a single layout too.
	Flat bool
}

// Emit returns the files of every layout, in the order of the layouts. The
// same layouts always give the same bytes.
func Emit(ls []*layout.Layout, opt Options) ([]emit.File, error) {
	if len(ls) > 1 && opt.Package != "" {
		return nil, errors.New("go: a package name needs a single layout")
	}
	if len(ls) > 1 && opt.Flat {
		return nil, errors.New("go: a flat folder needs a single layout")
	}
	var files []emit.File
	folders := map[string]string{}
	for _, l := range ls {
		g := newGenerator(l, opt.Package)
		if other, ok := folders[g.pkg]; ok {
			return nil, fmt.Errorf("go: layouts %s and %s are both package %s", other, l.Name, g.pkg)
		}
		folders[g.pkg] = l.Name
		own, err := g.files()
		if err != nil {
			return nil, fmt.Errorf("go: layout %s: %w", l.Name, err)
		}
		for _, f := range own {
			if !opt.Flat {
				f.Path = g.pkg + "/" + f.Path
			}
			files = append(files, f)
		}
	}
	return files, nil
}

// generator holds what the files of one package share.
type generator struct {
	*layout.Layout
	pkg   string
	names api // see the method api
}

func newGenerator(l *layout.Layout, pkg string) *generator {
	if pkg == "" {
		pkg = packageName(l.Name)
	}
	return &generator{Layout: l, pkg: pkg}
}

// files renders the package: its table of contents.
func (g *generator) files() ([]emit.File, error) {
	if err := g.checkNames(); err != nil {
		return nil, err
	}
	var out []emit.File
	for _, part := range []struct {
		path  string
		build func() *source // nil result: the layout does not need the file
	}{
		{"layout.go", g.layoutFile},
		{"align_32bit.go", g.align32File},
		{"align_64bit.go", g.align64File},
		{"endian.go", g.endianFile},
		{"view.go", g.viewFile},
		{"view_32bit.go", g.view32File},
		{"view_64bit.go", g.view64File},
		{"descriptor.go", g.descriptorFile},
		{"reader.go", g.readerFile},
		{"writer.go", g.writerFile},
	} {
		src := part.build()
		if src == nil {
			continue
		}
		data, err := src.render()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.path, err)
		}
		out = append(out, emit.File{Path: part.path, Data: data})
	}
	return out, nil
}
