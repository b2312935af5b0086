package golang

import (
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
)

// writerFile declares the Writer: package segment's writes, typed.
func (g *generator) writerFile() *source {
	s := g.newSource("")
	s.doc("Writer is the only writer of a page. One goroutine at a time may call its methods.")
	s.decl("type Writer struct {\nseg *@segment.Segment\n%s}", g.scratch())
	s.doc("Create makes this process the writer of the file path: a file that does not exist " +
		"is made and formatted; a page of this layout is repaired, if a killed writer left it " +
		"half written, and continued. It fails with segment.ErrLocked while another writer is " +
		"alive. The options and the errors are those of segment.Create.")
	s.decl(`
func Create(path string, opts ...@segment.Option) (*Writer, error) {
	seg, err := @segment.Create(path, &pageLayout, opts...)
	if err != nil {
		return nil, err
	}
	return &Writer{seg: seg}, nil
}`)
	s.doc("Close unmaps the page and gives up the writer lock. The file stays.")
	s.decl("func (w *Writer) Close() error { return w.seg.Close() }")
	s.doc("Segment returns the mapped file, for what the Writer does not offer.")
	s.decl("func (w *Writer) Segment() *@segment.Segment { return w.seg }")
	s.doc("View returns the shared bytes, which are valid until Close. %s", truncation)
	s.decl("func (w *Writer) View() View { return View{w.seg.Base()} }")
	switch {
	case g.ringRecord() != nil:
		g.emitPublishRecord(s)
		g.emitPublish(s)
	case g.Page.Seqlock != nil:
		g.emitUpdate(s)
	}
	for _, below := range g.Guarded {
		g.emitGuardedUpdate(s, below)
	}
	return s
}

// scratch declares the copies that Update methods hand to their caller. They
// are fields, because what a function value receives would else be allocated.
func (g *generator) scratch() string {
	var b strings.Builder
	add := func(name string, l *layout.Seqlock) {
		if b.Len() == 0 {
			b.WriteString("\n// Private copies that updates work on; words need their alignment.\n")
		}
		if l.Copy.Align < lockUnit(l) {
			b.WriteString("_ [0]uint64\n")
		}
		fmt.Fprintf(&b, "%s %s\n", name, recordName(l.Copy))
	}
	if g.Page.Seqlock != nil && g.ringRecord() == nil {
		add("pageCopy", g.Page.Seqlock)
	}
	for _, r := range g.lockedRecords() {
		add(copyName(r), r.Seqlock)
	}
	return b.String()
}

func copyName(r *layout.Record) string { return lowerCamel(r.Name) + "Copy" }

// written documents what every publish does.
const written = "It wakes every waiting reader and does not block or allocate."

func (g *generator) emitPublishRecord(s *source) {
	rec := recordName(g.ringRecord())
	s.doc("PublishRecord puts a copy of *rec into the ring as the next update and returns "+
		"the update's id, which counts from 1. %s", written)
	if !g.ringNeedsAlignment() {
		s.decl(`
func (w *Writer) PublishRecord(rec *%s) (id uint64, err error) {
	return w.seg.Publish(&pageLock, @unsafe.Pointer(rec))
}`, rec)
		return
	}
	s.decl(`
func (w *Writer) PublishRecord(rec *%[1]s) (id uint64, err error) {
	aligned := aligned%[1]s{r: *rec}
	return w.seg.Publish(&pageLock, @unsafe.Pointer(&aligned.r))
}`, rec)
}

// emitPublish declares a publish that takes the fields one by one, where each
// is a text, a number or raw bytes.
func (g *generator) emitPublish(s *source) {
	r := g.ringRecord()
	params, stores, ok := publishFields(r)
	if !ok {
		return
	}
	refusal := ""
	if strings.Contains(stores, "err :=") {
		refusal = " A text that is too long, or has a NUL inside, is refused before anything " +
			"is written (segment.ErrTooLong, segment.ErrInnerNUL)."
	}
	s.doc("Publish puts a record of these fields into the ring as the next update and "+
		"returns the update's id, which counts from 1.%s %s", refusal, written)
	rec, declare, pointer := recordName(r), "var rec %s", "&rec"
	if g.ringNeedsAlignment() {
		declare = "var aligned aligned%s\nrec := &aligned.r"
		pointer = "rec"
	}
	s.decl(`
func (w *Writer) Publish(%s) (id uint64, err error) {
	%s
	%s return w.seg.Publish(&pageLock, @unsafe.Pointer(%s))
}`, params, fmt.Sprintf(declare, rec), stores, pointer)
}

// publishFields returns the parameters of Publish and the statements that
// store them; false where a field is an array or a record.
func publishFields(r *layout.Record) (params, stores string, ok bool) {
	var names, types []string
	var b strings.Builder
	for _, f := range r.Fields {
		if len(f.Type.Dims) > 0 || f.Type.Kind == layout.KindRecord {
			return "", "", false
		}
		name, typ := local(f.Name), goType(f.Type)
		switch f.Type.Kind {
		case layout.KindReserved:
			continue
		case layout.KindChar:
			typ = "string"
			fmt.Fprintf(&b, "if err := rec.Set%s(%s); err != nil {\nreturn 0, err\n}\n",
				fieldName(f), name)
		case layout.KindBool:
			typ = "bool"
			fmt.Fprintf(&b, "rec.Set%s(%s)\n", fieldName(f), name)
		default:
			fmt.Fprintf(&b, "rec.%s = %s\n", fieldName(f), name)
		}
		names, types = append(names, name), append(types, typ)
	}
	return parameters(names, types), b.String(), len(names) > 0
}

// parameters joins names with their types, each type once per run, and breaks
// the line where it would grow too long.
func parameters(names, types []string) string {
	const limit = 80
	var lines []string
	line := ""
	for i, name := range names {
		if i+1 == len(names) || types[i+1] != types[i] {
			name += " " + types[i]
		}
		switch {
		case line == "":
			line = name
		case len(line)+len(", ")+len(name) < limit:
			line += ", " + name
		default:
			lines = append(lines, line)
			line = name
		}
	}
	lines = append(lines, line)
	if len(lines) == 1 && len(line) < limit/2 {
		return line
	}
	return "\n" + strings.Join(lines, ",\n") + ",\n"
}

// emitUpdate declares the write of a page without a ring.
func (g *generator) emitUpdate(s *source) {
	about, result, fail := "", "error", "return err"
	update := "_, err := w.seg.Update(&pageLock, 0, @unsafe.Pointer(p))\nreturn err"
	if c := g.Page.Seqlock.Counter; c != nil {
		about = fmt.Sprintf(" It returns the new counter, whatever f does to %s.", fieldName(c))
		result, fail = "(counter uint64, err error)", "return 0, err"
		update = "return w.seg.Update(&pageLock, 0, @unsafe.Pointer(p))"
	}
	s.doc("Update lets f change a private copy of what the page holds and then publishes the "+
		"copy as one consistent write.%s Where f panics, nothing is written. f must not call "+
		"the Writer nor keep p. %s",
		about, written)
	s.decl(`
func (w *Writer) Update(f func(p *Snapshot)) %s {
	p := &w.pageCopy
	if err := w.seg.Read(&pageLock, 0, @unsafe.Pointer(p), @time.Time{}); err != nil {
		%s
	}
	f(p)
	%s
}`, result, fail, update)
}

// emitGuardedUpdate declares the write of a record with its own seqlock.
func (g *generator) emitGuardedUpdate(s *source, below *layout.Guarded) {
	index, check, offset := g.guardedPlace(below)
	name := "Update" + fieldName(below.Field)
	s.doc("%s lets f change a private copy of what the seqlock of %s guards and then "+
		"publishes the copy as one consistent write. Where f panics, nothing is written. f "+
		"must not call the Writer nor keep p. It does not block, allocate or wake anybody.",
		name, guardedText(below))
	s.decl(`
func (w *Writer) %[1]s(%[2]sf func(p *%[3]s)) error {
	%[4]s at, p := %[5]s, &w.%[6]s
	if err := w.seg.Read(&%[7]s, at, @unsafe.Pointer(p), @time.Time{}); err != nil {
		return err
	}
	f(p)
	_, err := w.seg.Update(&%[7]s, at, @unsafe.Pointer(p))
	return err
}`, name, index, recordName(below.Record.Seqlock.Copy), check, offset, copyName(below.Record),
		lockName(below.Record))
}
