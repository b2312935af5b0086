package ctext

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// Descriptors says how the descriptors of a layout are declared.
type Descriptors struct {
	Layout  *layout.Layout
	Storage string // what stands before the type: SHMKV_CONST or inline constexpr
	None    string // the offset that does not exist

	// Name returns the name of a descriptor by its plain name.
	Name func(plain string) string

	seqlocks map[*layout.Seqlock]string
}

// Seqlock returns the name of a seqlock's descriptor, once written.
func (d *Descriptors) Seqlock(s *layout.Seqlock) string { return d.seqlocks[s] }

// Write writes the descriptors of the page's seqlock and of the records', and
// returns the name of the layout's own.
func (d *Descriptors) Write(s *Source) string {
	l := d.Layout
	d.seqlocks = map[*layout.Seqlock]string{}
	if lock := l.Page.Seqlock; lock != nil {
		d.seqlock(s, "", lock)
	}
	for _, g := range l.Guarded {
		if _, done := d.seqlocks[g.Record.Seqlock]; !done {
			d.seqlock(s, g.Record.Name+"_", g.Record.Seqlock)
		}
	}
	stamps, guarded := d.stamps(s), d.guarded(s)
	lock := "NULL"
	if l.Page.Seqlock != nil {
		lock = "&" + d.seqlocks[l.Page.Seqlock]
	}
	name := d.Name("layout")
	s.Line("%s shmkv_layout %s = {", d.Storage, name)
	s.Line("    %s, // name", Quote([]byte(l.Name)))
	s.Line("    %s, // magic", d.magic())
	s.Line("    %d, // bytes", l.Size)
	s.Line("    %d, // stamps", len(l.Stamps))
	s.Line("    %d, // arrays of records with their own seqlock", len(l.Guarded))
	s.Line("    %s,", stamps)
	s.Line("    %s,", guarded)
	s.Line("    %s, // the page's own", lock)
	s.Line("};")
	return name
}

func (d *Descriptors) seqlock(s *Source, prefix string, lock *layout.Seqlock) {
	blocks := "NULL"
	if len(lock.Blocks) > 0 {
		blocks = d.Name(prefix + "blocks")
		s.Line("// What is copied: offset, offset in the copy, bytes, access width.")
		s.Line("%s shmkv_block %s[] = {", d.Storage, blocks)
		for _, b := range lock.Blocks {
			s.Line("    {%d, %d, %d, %d},", b.Offset, b.CopyOffset, b.Size, blockUnit(lock, b))
		}
		s.Line("};")
	}
	name := d.Name(prefix + "seqlock")
	d.seqlocks[lock] = name
	s.Line("%s shmkv_seqlock %s = {", d.Storage, name)
	for _, w := range []struct {
		field *layout.Field
		what  string
	}{{lock.Seq, "seq"}, {lock.Counter, "counter"}, {lock.Futex, "futex"}, {lock.Waiters, "waiters"}} {
		s.Line("    %s, // %s", d.offset(w.field), w.what)
	}
	s.Line("    %d,", len(lock.Blocks))
	s.Line("    %s,", blocks)
	ring := fmt.Sprintf("{%s, 0, 1, 8}", d.None)
	if r := lock.Ring; r != nil {
		stride, count := r.Type.ElemSize(), lock.RingCount()
		ring = fmt.Sprintf("{%d, %d, %d, %d}", r.Offset, stride, count, lock.RingUnit())
	}
	s.Line("    %s, // ring: offset, stride, count, access width", ring)
	s.Line("};")
}

// blockUnit is the access width of a block. What a ring's writer stores by 4
// bytes is also loaded by 4: one width per byte.
func blockUnit(lock *layout.Seqlock, b layout.Block) int {
	if lock.Ring != nil {
		return min(b.Unit, lock.RingUnit())
	}
	return b.Unit
}

func (d *Descriptors) offset(f *layout.Field) string {
	if f == nil {
		return d.None
	}
	return fmt.Sprint(f.Offset)
}

var stampKinds = map[layout.Role]string{
	layout.RoleMagic:       "SHMKV_STAMP_MAGIC",
	layout.RoleVersion:     "SHMKV_STAMP_VERSION",
	layout.RoleFingerprint: "SHMKV_STAMP_FINGERPRINT",
}

func (d *Descriptors) stamps(s *Source) string {
	if len(d.Layout.Stamps) == 0 {
		return "NULL"
	}
	name := d.Name("stamps")
	s.Line("// What creating a page writes and opening it compares.")
	s.Line("%s shmkv_stamp %s[] = {", d.Storage, name)
	for _, stamp := range d.Layout.Stamps {
		kind, special := stampKinds[stamp.Role]
		if !special {
			kind = "SHMKV_STAMP_CONSTANT"
		}
		s.Line("    {%s, %s, %d, %d, %s},", kind, Quote([]byte(stamp.Field.Name)), stamp.Offset,
			len(stamp.Value), Quote(stamp.Value))
	}
	s.Line("};")
	return name
}

func (d *Descriptors) guarded(s *Source) string {
	if len(d.Layout.Guarded) == 0 {
		return "NULL"
	}
	name := d.Name("guarded")
	s.Line("// Records with a seqlock of their own: offset, stride, count.")
	s.Line("%s shmkv_guarded %s[] = {", d.Storage, name)
	for _, g := range d.Layout.Guarded {
		lock := d.seqlocks[g.Record.Seqlock]
		s.Line("    {&%s, %d, %d, %d}, // %s", lock, g.Offset, g.Stride, g.Count, g.Field.Name)
	}
	s.Line("};")
	return name
}

// Magic returns the layout's magic as text; false where it has none.
func Magic(l *layout.Layout) (string, bool) {
	for _, stamp := range l.Stamps {
		if stamp.Role == layout.RoleMagic {
			return strings.TrimRight(string(stamp.Value), "\x00"), true
		}
	}
	return "", false
}

func (d *Descriptors) magic() string {
	if text, ok := Magic(d.Layout); ok {
		return Quote([]byte(text))
	}
	return "NULL"
}
