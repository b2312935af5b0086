package golang

import "github.com/shmkv/shmkv/gen/layout"

// api holds the names of a Reader's and a Writer's members that are made of
// the spec's. A name that a fixed method has gets underscores.
type api struct {
	slot    string            // Reader's method, and Update's field, for a record of the ring
	guarded map[string]string // Reader's method by the page's field
}

func (g *generator) api() api {
	if g.names.guarded != nil {
		return g.names // worked out once: every method asks for it
	}
	taken := words("Close Snapshot View Segment Updates Wait WaitFor ID Missed")
	free := func(name string) string {
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		return name
	}
	a := api{guarded: map[string]string{}}
	if r := g.ringRecord(); r != nil {
		a.slot = free(recordName(r))
	}
	for _, below := range g.Guarded {
		a.guarded[below.Field.Name] = free(fieldName(below.Field))
	}
	g.names = a
	return a
}

// ringRecord returns the record of the page's ring; nil where there is none.
func (g *generator) ringRecord() *layout.Record {
	if g.Page.Seqlock == nil || g.Page.Seqlock.Ring == nil {
		return nil
	}
	return g.Page.Seqlock.Ring.Type.Record
}
