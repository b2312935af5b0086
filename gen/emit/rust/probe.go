package rust

import (
	"bytes"
	"fmt"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Probe returns the crate of a layout with an array shmkv_witness at the end
// of its module that holds what the compiler makes of the layout:
// emit.WitnessHead, then one number per fact. It stands inside the module
// because some members are private to it.
func Probe(l *layout.Layout, facts []layout.Fact) ([]emit.File, error) {
	files, err := Emit([]*layout.Layout{l})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n#[no_mangle]\npub static shmkv_witness: [u64; %d] = [\n    %#x,\n",
		len(facts)+1, emit.WitnessHead)
	for _, f := range facts {
		name := "self::" + typeName(f.Record.Name)
		switch f.Kind {
		case layout.FactSize:
			fmt.Fprintf(&b, "    ::core::mem::size_of::<%s>() as u64,\n", name)
		case layout.FactAlign:
			fmt.Fprintf(&b, "    ::core::mem::align_of::<%s>() as u64,\n", name)
		case layout.FactOffset:
			member := memberName(layout.Member{Field: f.Field})
			fmt.Fprintf(&b, "    ::core::mem::offset_of!(%s, %s) as u64,\n", name, member)
		}
	}
	b.WriteString("];\n")
	for i := range files {
		if files[i].Path == "src/"+moduleName(l)+".rs" {
			files[i].Data = append(files[i].Data, b.Bytes()...)
		}
	}
	return files, nil
}
