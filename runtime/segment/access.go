package segment

import (
	"runtime/debug"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/seqlock"
)

// The methods of this file are package seqlock's for a mapped page: they survive
// a truncated file and a closed segment, and their errors name the file. lock is
// the page's lock with offset 0, or that of a guarded record with the record's
// offset in the page.

// at returns the address of a record of the page.
func (s *Segment) at(offset int) unsafe.Pointer {
	if uint(offset) >= uint(len(s.mem)) {
		panic("segment: offset out of range")
	}
	return unsafe.Add(s.Base(), offset)
}

// Read takes a consistent copy of everything the lock guards into dst
// (lock.CopySize bytes, aligned to 8). A zero deadline stands for
// seqlock.DefaultBudget. It is an ErrLivelocked if no attempt succeeds by then,
// and also an ErrWriterDead where no writer is alive that would finish.
func (s *Segment) Read(
	lock *seqlock.Lock, offset int, dst unsafe.Pointer, deadline time.Time,
) (err error) {
	if s.closed.Load() {
		return s.errClosed()
	}
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	base := s.at(offset)
	if lock.TryRead(base, dst) {
		return nil
	}
	return s.explain(lock.Read(base, dst, deadline))
}

// ReadSlot copies the record at index i of the page's ring into dst (Ring.Stride
// bytes) and returns the update counter of the same moment. See Read.
func (s *Segment) ReadSlot(
	lock *seqlock.Lock, i int, dst unsafe.Pointer, deadline time.Time,
) (counter uint64, err error) {
	if s.closed.Load() {
		return 0, s.errClosed()
	}
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	counter, ok := lock.TryReadSlot(s.Base(), i, dst)
	if ok {
		return counter, nil
	}
	counter, err = lock.ReadSlot(s.Base(), i, dst, deadline)
	return counter, s.explain(err)
}

// ReadCounter reads the update counter. See Read.
func (s *Segment) ReadCounter(lock *seqlock.Lock, deadline time.Time) (counter uint64, err error) {
	if s.closed.Load() {
		return 0, s.errClosed()
	}
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	counter, err = lock.ReadCounter(s.Base(), deadline)
	return counter, s.explain(err)
}

// Publish puts one record (Ring.Stride bytes) into the page's ring as the next
// update, wakes every sleeper, and returns the update's id. It does not block.
func (s *Segment) Publish(lock *seqlock.Lock, record unsafe.Pointer) (id uint64, err error) {
	if err := s.canWrite(); err != nil {
		return 0, err
	}
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	id = lock.Publish(s.Base(), record)
	_, err = lock.Wake(s.Base())
	return id, s.explain(err)
}

// Update replaces everything the lock guards by the copy at src as one
// consistent write, wakes every sleeper, and returns the new counter (0 where
// there is none). It does not block.
func (s *Segment) Update(
	lock *seqlock.Lock, offset int, src unsafe.Pointer,
) (id uint64, err error) {
	if err := s.canWrite(); err != nil {
		return 0, err
	}
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	base := s.at(offset)
	id = lock.Update(base, src)
	_, err = lock.Wake(base)
	return id, s.explain(err)
}

func (s *Segment) errClosed() error {
	return &Error{Path: s.path, Kind: ErrClosed, Text: "the segment is closed"}
}

// canWrite refuses readers and closed segments.
func (s *Segment) canWrite() error {
	switch {
	case s.closed.Load():
		return s.errClosed()
	case !s.writer:
		return &Error{Path: s.path, Kind: ErrReadOnly}
	}
	return nil
}

// explain names the file and, for a read that never succeeded, the reason.
func (s *Segment) explain(err error) error {
	switch err {
	case nil:
		return nil
	case seqlock.ErrLivelocked:
		e := &Error{Path: s.path, Kind: ErrLivelocked}
		if alive, err := s.WriterAlive(); err == nil && !alive {
			e.Cause = ErrWriterDead
			e.Text = ErrLivelocked.Error() + ": no writer is alive; the next one repairs the page"
		}
		return e
	}
	// A wake on a word that is gone fails with EFAULT: the file was cut short
	// between the store and the wake.
	if lost := s.Check(); lost != nil {
		return lost
	}
	return &Error{Path: s.path, Cause: err}
}
