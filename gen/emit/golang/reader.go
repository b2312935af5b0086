package golang

import (
	"fmt"

	"github.com/shmkv/shmkv/gen/layout"
)

// readerFile declares the Reader: package segment's reads, typed.
func (g *generator) readerFile() *source {
	s := g.newSource("")
	s.doc("Reader reads a page that another process may be writing. Its methods may be called " +
		"from many goroutines at once.")
	s.decl("type Reader struct {\nseg *@segment.Segment\n}")
	s.doc("Open maps the page in the file path for reading and checks that it is one of this " +
		"layout. It does not wait for the file to appear. The errors are those of segment.Open.")
	s.decl(`
func Open(path string) (*Reader, error) {
	seg, err := @segment.Open(path, &pageLayout)
	if err != nil {
		return nil, err
	}
	return &Reader{seg: seg}, nil
}`)
	s.doc("Close unmaps the page. A method still at work, such as a waiting one, ends with " +
		"segment.ErrClosed.")
	s.decl("func (r *Reader) Close() error { return r.seg.Close() }")
	s.doc("Segment returns the mapped file, for what the Reader does not offer.")
	s.decl("func (r *Reader) Segment() *@segment.Segment { return r.seg }")
	s.doc("View returns the shared bytes, which are valid until Close and read-only. %s", truncation)
	s.decl("func (r *Reader) View() View { return View{r.seg.Base()} }")
	if g.Page.Seqlock != nil {
		g.emitSnapshot(s)
	}
	if g.ringRecord() != nil {
		g.emitSlot(s)
	}
	g.emitWaiting(s)
	for _, below := range g.Guarded {
		g.emitGuardedRead(s, below)
	}
	return s
}

// truncation documents what touching shared bytes risks.
const truncation = "Touching them faults when the file is cut short; Segment().Guard turns " +
	"that into an error."

// budget documents how long a read may take.
const budget = "It retries while a write is in progress, at most seqlock.DefaultBudget (2 s), " +
	"and then fails with segment.ErrLivelocked, which is also a segment.ErrWriterDead where no " +
	"writer is left to finish. It does not allocate."

// emitSnapshot declares the copy of everything the page's seqlock guards.
func (g *generator) emitSnapshot(s *source) {
	s.doc("Snapshot copies everything that the page's seqlock guards into *dst, as of one "+
		"moment. %s", budget)
	header := "func (r *Reader) Snapshot(dst *Snapshot) error"
	g.emitRead(s, header, "", "&pageLock, 0", g.Page.Seqlock.Copy, lockUnit(g.Page.Seqlock))
}

// emitRead declares a method that copies into *dst, which is of record c. The
// runtime copies by whole words, so a record of a lower alignment is copied
// through one that has it.
func (g *generator) emitRead(s *source, header, check, lock string, c *layout.Record, unit int) {
	if c.Align >= unit {
		s.decl("%s {\n%sreturn r.seg.Read(%s, @unsafe.Pointer(dst), @time.Time{})\n}",
			header, check, lock)
		return
	}
	s.decl(`
%s {
	%s var aligned struct {
		_ [0]uint64
		c %s
	}
	err := r.seg.Read(%s, @unsafe.Pointer(&aligned.c), @time.Time{})
	if err == nil {
		*dst = aligned.c
	}
	return err
}`, header, check, recordName(c), lock)
}

// lockUnit returns the widest unit of a seqlock's blocks.
func lockUnit(l *layout.Seqlock) int {
	unit := 4
	for _, b := range l.Blocks {
		unit = max(unit, b.Unit)
	}
	return unit
}

// ringNeedsAlignment tells whether a record of the ring must be copied through one with
// a higher alignment.
func (g *generator) ringNeedsAlignment() bool {
	return g.ringRecord().Align < g.Page.Seqlock.RingUnit()
}

func (g *generator) emitSlot(s *source) {
	rec, name := recordName(g.ringRecord()), g.api().slot
	count := g.derived(g.Page, g.Page.Seqlock.Ring, "count")
	if g.ringNeedsAlignment() {
		s.doc("aligned%s is a %s at an address that the runtime can copy to by whole words.", rec, rec)
		s.decl("type aligned%s struct {\n_ [0]uint64\nr %s\n}", rec, rec)
	}
	s.doc("%s copies the record at index i of the ring, 0 to %s-1, into *dst, and returns "+
		"the counter of the same moment: update id lies at index (id-1) %% %s. %s",
		name, count, count, budget)
	check := fmt.Sprintf(`if uint(i) >= %s {
		return 0, @fmt.Errorf("%s: index %%d is not in 0..%%d", i, %s-1)
	}`, count, g.Page.Seqlock.Ring.Name, count)
	if !g.ringNeedsAlignment() {
		s.decl(`
func (r *Reader) %s(i int, dst *%s) (counter uint64, err error) {
	%s
	return r.seg.ReadSlot(&pageLock, i, @unsafe.Pointer(dst), @time.Time{})
}`, name, rec, check)
		return
	}
	s.decl(`
func (r *Reader) %s(i int, dst *%s) (counter uint64, err error) {
	%s
	var aligned aligned%s
	counter, err = r.seg.ReadSlot(&pageLock, i, @unsafe.Pointer(&aligned.r), @time.Time{})
	if err == nil {
		*dst = aligned.r
	}
	return counter, err
}`, name, rec, check, rec)
}

// emitGuardedRead declares the read of a record with its own seqlock.
func (g *generator) emitGuardedRead(s *source, below *layout.Guarded) {
	c := below.Record.Seqlock.Copy
	name := g.api().guarded[below.Field.Name]
	index, check, offset := g.guardedPlace(below)
	about := fmt.Sprintf("%s copies what the seqlock of %s guards into *dst, as of one moment. %s",
		name, guardedText(below), budget)
	s.doc("%s", sentence(about, below.Field.Doc))
	header := fmt.Sprintf("func (r *Reader) %s(%sdst *%s) error", name, index, recordName(c))
	lock := "&" + lockName(below.Record) + ", " + offset
	g.emitRead(s, header, check, lock, c, lockUnit(below.Record.Seqlock))
}

func guardedText(below *layout.Guarded) string {
	if len(below.Field.Type.Dims) == 0 {
		return "the field " + below.Field.Name
	}
	return fmt.Sprintf("element i of the field %s, 0 to %d,", below.Field.Name, below.Count-1)
}

// guardedPlace returns the index parameter of a method, its check, and the
// offset of the record.
func (g *generator) guardedPlace(below *layout.Guarded) (index, check, offset string) {
	offset = g.offsetName(g.Page, below.Field)
	if len(below.Field.Type.Dims) == 0 {
		return "", "", offset
	}
	count := g.derived(g.Page, below.Field, "count")
	check = fmt.Sprintf(`if uint(i) >= %s {
		return @fmt.Errorf("%s: index %%d is not in 0..%%d", i, %s-1)
	}
	`, count, below.Field.Name, count)
	return "i int, ", check, offset + "+i*" + g.derived(below.Record, nil, "size")
}
