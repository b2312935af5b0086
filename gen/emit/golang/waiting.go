package golang

import "github.com/shmkv/shmkv/gen/layout"

// emitWaiting declares what needs a futex word: every update of a ring, or
// the newest state of a page without one.
func (g *generator) emitWaiting(s *source) {
	lock := g.Page.Seqlock
	switch {
	case lock == nil || lock.Futex == nil:
	case lock.Ring != nil:
		g.emitUpdates(s)
	default:
		g.emitWait(s, lock.Counter)
	}
}

func (g *generator) emitUpdates(s *source) {
	rec, field := recordName(g.ringRecord()), g.api().slot
	s.doc("Update is one update of the page: the record that was published as number ID, which " +
		"counts from 1. Missed is how many before it, since the last one told, can not be told " +
		"any more: the ring had overwritten them, or their writer was killed over them.")
	s.decl("type Update struct {\nID uint64\nMissed uint64\n%s %s\n}", field, rec)
	s.doc("Updates returns every update as a loop to range over: first what the ring still " +
		"holds, then each new one as it comes, without end. An idle loop sleeps in the kernel. " +
		"It ends when ctx does (segment.ErrCancelled or segment.ErrTimedOut, with the cause of " +
		"ctx), and with the errors of watch.Updates; the error comes with a zero Update as the " +
		"last step. watch.From starts behind a given update.")
	s.decl(`
func (r *Reader) Updates(ctx @context.Context, opts ...@watch.Option) @iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		for u, err := range @watch.Updates(ctx, r.seg, &pageLock, opts...) {
			next := Update{ID: u.ID, Missed: u.Missed}
			if err == nil {
				copy(@unsafe.Slice((*byte)(@unsafe.Pointer(&next.%s)), %s), u.Record)
			}
			if !yield(next, err) {
				return
			}
		}
	}
}`, field, g.derived(g.ringRecord(), nil, "size"))
}

func (g *generator) emitWait(s *source, counter *layout.Field) {
	s.doc("Wait blocks until the page's counter is another than dst.%s, and then copies the "+
		"page's state into *dst as Snapshot does. A zero Snapshot waits for the first "+
		"update, or returns at once when there was one. Called in a loop, it gives each time "+
		"the newest state, and may skip some. It ends when ctx does (segment.ErrCancelled or "+
		"segment.ErrTimedOut, with the cause of ctx); for other errors see watch.Wait.",
		fieldName(counter))
	s.decl(`
func (r *Reader) Wait(ctx @context.Context, dst *Snapshot) error {
	w, err := @watch.New(r.seg, &pageLock, @watch.From(dst.%s))
	if err != nil {
		return err
	}
	if _, err := w.Wait(ctx); err != nil {
		return err
	}
	return r.Snapshot(dst)
}`, fieldName(counter))
}
