package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// descriptorFile declares what the runtime needs to know of the layout.
func (g *generator) descriptorFile() *source {
	s := g.newSource("")
	s.doc("Layout describes the page to package segment. What it points at must not be changed.")
	s.decl("func Layout() *@segment.Layout { return &pageLayout }")
	lock := ""
	if g.Page.Seqlock != nil {
		g.emitLock(s, g.Page)
		lock = "Lock: &pageLock,\n"
	}
	for _, r := range g.lockedRecords() {
		g.emitLock(s, r)
	}
	magic := ""
	if g.magic() != nil {
		magic = "Magic: Magic,\n"
	}
	s.decl("var pageLayout = @segment.Layout{\nName: %q,\nSize: Size,\n%s%s%s%s}",
		g.Name, magic, g.stamps(), lock, g.guarded())
	return s
}

// lockedRecords returns the records below the page that carry a seqlock and
// stand in the page.
func (g *generator) lockedRecords() []*layout.Record {
	var list []*layout.Record
	for _, r := range g.Records {
		for _, below := range g.Guarded {
			if below.Record == r {
				list = append(list, r)
				break
			}
		}
	}
	return list
}

func lockName(r *layout.Record) string { return lowerCamel(r.Name) + "Lock" }

// emitLock declares the descriptor of one record's seqlock.
func (g *generator) emitLock(s *source, r *layout.Record) {
	lock := r.Seqlock
	word := func(f *layout.Field) string {
		if f == nil {
			return "@seqlock.None"
		}
		return g.offsetName(r, f)
	}
	var blocks strings.Builder
	for _, b := range lock.Blocks {
		fmt.Fprintf(&blocks, "{Offset: %d, CopyOffset: %d, Size: %d, Unit: %d},\n",
			b.Offset, b.CopyOffset, b.Size, b.Unit)
	}
	ring := ""
	if f := lock.Ring; f != nil {
		ring = fmt.Sprintf("Ring: &@seqlock.Ring{Offset: %s, Stride: %s, Count: %s, Unit: %d},\n",
			g.offsetName(r, f), g.derived(f.Type.Record, nil, "size"), g.derived(r, f, "count"),
			lock.RingUnit())
	}
	s.decl(`
var %s = @seqlock.Lock{
	Seq: %s,
	Counter: %s,
	Futex: %s,
	Waiters: %s,
	CopySize: %d,
	Blocks: []@seqlock.Block{
%s},
%s}`, lockName(r), word(lock.Seq), word(lock.Counter), word(lock.Futex), word(lock.Waiters),
		lock.Copy.Size, blocks.String(), ring)
}

var stampKinds = map[layout.Role]string{
	layout.RoleMagic: "KindMagic", layout.RoleVersion: "KindVersion",
	layout.RoleFingerprint: "KindFingerprint", layout.RoleNone: "KindConstant",
}

func (g *generator) stamps() string {
	if len(g.Stamps) == 0 {
		return ""
	}
	var b strings.Builder
	for _, st := range g.Stamps {
		fmt.Fprintf(&b, "{\nKind: @segment.%s, Field: %q, Offset: %s,\nValue: %s,\n},\n",
			stampKinds[st.Role], st.Field.Name, g.offsetName(g.Page, st.Field), g.stampValue(st))
	}
	return "Stamps: []@segment.Stamp{\n" + b.String() + "},\n"
}

// stampValue renders the bytes of a stamp. Those of a native layout are in
// little-endian order and must follow the machine.
func (g *generator) stampValue(st *layout.Stamp) string {
	if st.Field.Type.Kind == layout.KindChar {
		return "[]byte(" + quote(string(st.Value)) + ")"
	}
	if g.Endian == layout.Native && len(st.Value) > 1 {
		var v uint64
		for i, x := range st.Value {
			v |= uint64(x) << (8 * i)
		}
		return fmt.Sprintf("@binary.NativeEndian.AppendUint%d(nil, 0x%x)", 8*len(st.Value), v)
	}
	var list []string
	for _, x := range st.Value {
		list = append(list, fmt.Sprintf("0x%02x", x))
	}
	return "[]byte{" + strings.Join(list, ", ") + "}"
}

// quote renders a string literal that code takes as it is.
func quote(s string) string { return strings.ReplaceAll(strconv.Quote(s), "@", `\x40`) }

func (g *generator) guarded() string {
	if len(g.Guarded) == 0 {
		return ""
	}
	var b strings.Builder
	for _, below := range g.Guarded {
		count := "1"
		if len(below.Field.Type.Dims) > 0 {
			count = g.derived(g.Page, below.Field, "count")
		}
		fmt.Fprintf(&b, "{Lock: &%s, Offset: %s, Stride: %s, Count: %s},\n", lockName(below.Record),
			g.offsetName(g.Page, below.Field), g.derived(below.Record, nil, "size"), count)
	}
	return "Guarded: []@segment.Guarded{\n" + b.String() + "},\n"
}
