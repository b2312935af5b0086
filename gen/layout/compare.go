package layout

import "fmt"

// Difference is one fact that two layouts do not share. Programs built from
// them can not use the same page.
type Difference struct {
	What string // "page.seq", "record slot", "size"
	Old  string // what it is in the old layout, "absent" where it has none
	New  string
}

// String renders the difference on one line.
func (d Difference) String() string { return fmt.Sprintf("%s: %s -> %s", d.What, d.Old, d.New) }

// Compare lists how a layout differs from an older one, in the order of the
// new layout's records and offsets. It lists nothing exactly when the
// fingerprints are equal.
func Compare(older, newer *Layout) []Difference {
	var c comparison
	c.value("layout", older.Name, newer.Name)
	c.value("endian", string(older.Endian), string(newer.Endian))
	c.value("size", bytesOf(older.Size), bytesOf(newer.Size))
	old := map[string]*Record{}
	for _, r := range reachable(older) {
		old[r.Name] = r
	}
	for _, r := range reachable(newer) {
		c.record(old[r.Name], r)
		delete(old, r.Name)
	}
	for _, r := range reachable(older) {
		if old[r.Name] != nil {
			c.value("record "+r.Name, bytesOf(r.Size), absent)
		}
	}
	c.enums(older, newer)
	return c.found
}

const absent = "absent"

func bytesOf(n int) string { return fmt.Sprintf("%d bytes", n) }

type comparison struct{ found []Difference }

func (c *comparison) value(what, older, newer string) {
	if older != newer {
		c.found = append(c.found, Difference{what, older, newer})
	}
}

func (c *comparison) record(older, newer *Record) {
	if older == nil {
		c.value("record "+newer.Name, absent, bytesOf(newer.Size))
		return
	}
	if newer.Name != "page" { // the page's size is the layout's
		c.value("record "+newer.Name, bytesOf(older.Size), bytesOf(newer.Size))
	}
	c.value("alignment of "+newer.Name, bytesOf(older.Align), bytesOf(newer.Align))
	for _, f := range newer.Fields {
		was := absent
		if g := older.byName(f.Name); g != nil {
			was = g.describe()
		}
		c.value(newer.Name+"."+f.Name, was, f.describe())
	}
	for _, f := range older.Fields {
		if newer.byName(f.Name) == nil {
			c.value(newer.Name+"."+f.Name, f.describe(), absent)
		}
	}
}

func (f *Field) describe() string {
	return fmt.Sprintf("%s at %d%s", f.Type, f.Offset, f.suffix())
}

func (c *comparison) enums(older, newer *Layout) {
	old := map[string]string{}
	for _, e := range reachableEnums(older) {
		old[e.Name] = e.describe()
	}
	for _, e := range reachableEnums(newer) {
		was, ok := old[e.Name]
		if !ok {
			was = absent
		}
		c.value(enumWord(e.Flags)+" "+e.Name, was, e.describe())
		delete(old, e.Name)
	}
	for _, e := range reachableEnums(older) {
		if was, left := old[e.Name]; left {
			c.value(enumWord(e.Flags)+" "+e.Name, was, absent)
		}
	}
}

// reachable lists the page and the records it contains, each once.
func reachable(l *Layout) []*Record {
	var found []*Record
	seen := map[*Record]bool{}
	var visit func(r *Record)
	visit = func(r *Record) {
		if seen[r] {
			return
		}
		seen[r] = true
		found = append(found, r)
		for _, f := range r.Fields {
			if f.Type.Record != nil {
				visit(f.Type.Record)
			}
		}
	}
	visit(l.Page)
	return found
}

func reachableEnums(l *Layout) []*Enum {
	var found []*Enum
	seen := map[*Enum]bool{}
	for _, r := range reachable(l) {
		for _, f := range r.Fields {
			if e := f.Type.Enum; e != nil && !seen[e] {
				seen[e] = true
				found = append(found, e)
			}
		}
	}
	return found
}
