package c11

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// Probe returns the headers of a layout with a source file, probe.c, whose
// array shmkv_witness holds what the compiler makes of the layout:
// emit.WitnessHead, then one number per fact.
func Probe(l *layout.Layout, facts []layout.Fact) ([]emit.File, error) {
	files, err := Emit([]*layout.Layout{l})
	if err != nil {
		return nil, err
	}
	types := newHeader(l).types
	var b strings.Builder
	fmt.Fprintf(&b, "#include <stddef.h>\n#include <shmkv/%s.h>\n\n", naming.Snake(l.Name))
	fmt.Fprintf(&b, "const unsigned long long shmkv_witness[] = {\n  %#xULL,\n", emit.WitnessHead)
	for _, f := range facts {
		switch f.Kind {
		case layout.FactSize:
			fmt.Fprintf(&b, "  sizeof(%s),\n", types[f.Record])
		case layout.FactAlign:
			fmt.Fprintf(&b, "  _Alignof(%s),\n", types[f.Record])
		case layout.FactOffset:
			fmt.Fprintf(&b, "  offsetof(%s, %s),\n", types[f.Record], field(f.Field))
		}
	}
	b.WriteString("};\n")
	return append(files, emit.File{Path: "probe.c", Data: []byte(b.String())}), nil
}
