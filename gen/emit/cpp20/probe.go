package cpp20

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/support/c/ctext"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// Probe returns the headers of a layout with a source file, probe.cpp, whose
// array shmkv_witness holds what the compiler makes of the layout:
// emit.WitnessHead, then one number per fact.
func Probe(l *layout.Layout, facts []layout.Fact) ([]emit.File, error) {
	files, err := Emit([]*layout.Layout{l})
	if err != nil {
		return nil, err
	}
	static, err := ctext.Static(ctext.Headers...)
	if err != nil {
		return nil, err
	}
	h := newHeader(l)
	var b strings.Builder
	fmt.Fprintf(&b, "#include <cstddef>\n#include <shmkv/%s.hpp>\n\n", naming.Snake(l.Name))
	fmt.Fprintf(&b, "extern \"C\" {\nextern const unsigned long long shmkv_witness[];\n")
	fmt.Fprintf(&b, "const unsigned long long shmkv_witness[] = {\n  %#xULL,\n", emit.WitnessHead)
	for _, f := range facts {
		name := h.qualified(f.Record)
		switch f.Kind {
		case layout.FactSize:
			fmt.Fprintf(&b, "  sizeof(%s),\n", name)
		case layout.FactAlign:
			fmt.Fprintf(&b, "  alignof(%s),\n", name)
		case layout.FactOffset:
			fmt.Fprintf(&b, "  offsetof(%s, %s),\n", name, h.memberName(f.Record, f.Field))
		}
	}
	b.WriteString("};\n}\n")
	files = append(files, static...)
	return append(files, emit.File{Path: "probe.cpp", Data: []byte(b.String())}), nil
}
