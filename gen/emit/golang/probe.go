package golang

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Probe returns a program whose array shmkv_witness holds what the compiler
// makes of the layout: emit.WitnessHead, then one number per fact. It needs
// the declarations only, so nothing but the standard library.
func Probe(l *layout.Layout, facts []layout.Fact) ([]emit.File, error) {
	g := newGenerator(l, "main")
	files := []emit.File{{Path: "go.mod", Data: []byte("module probe\n\ngo 1.23\n")}}
	for _, part := range []struct {
		path  string
		build func() *source
	}{
		{"layout.go", g.layoutFile}, {"align_32bit.go", g.align32File}, {"align_64bit.go", g.align64File},
	} {
		src := part.build()
		if src == nil {
			continue
		}
		data, err := src.render()
		if err != nil {
			return nil, err
		}
		files = append(files, emit.File{Path: part.path, Data: data})
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport \"unsafe\"\n\n")
	fmt.Fprintf(&b, "var shmkv_witness = [...]uint64{\n\t%#x,\n", emit.WitnessHead)
	for _, f := range facts {
		name := recordName(f.Record)
		switch f.Kind {
		case layout.FactSize:
			fmt.Fprintf(&b, "\tuint64(unsafe.Sizeof(%s{})),\n", name)
		case layout.FactAlign:
			fmt.Fprintf(&b, "\tuint64(unsafe.Alignof(%s{})),\n", name)
		case layout.FactOffset:
			fmt.Fprintf(&b, "\tuint64(unsafe.Offsetof(%s{}.%s)),\n", name, storage(f.Field))
		}
	}
	// The linker drops a variable that no code reaches.
	b.WriteString("}\n\nvar sink *uint64\n\nfunc main() { sink = &shmkv_witness[0] }\n")
	return append(files, emit.File{Path: "probe.go", Data: []byte(b.String())}), nil
}
