package segment

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Guard calls f, which touches the page, and returns its error. A fault inside
// the mapping, as a file cut short under it gives, becomes an ErrTruncated; any
// other panic goes on. After Close, f is not called and ErrClosed returned. The
// page stays mapped until f returns.
//
// The conversion works for f's own goroutine only: not for those it starts.
func (s *Segment) Guard(f func() error) (err error) {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave() //nolint:errcheck // reported by Close, unless it overtook us
	defer s.Catch(debug.SetPanicOnFault(true), &err)
	return f()
}

// Catch is the deferred half of Guard, for code that can not afford a closure:
//
//	defer s.Catch(debug.SetPanicOnFault(true), &err)
//
// before is the setting to go back to. Unlike Guard it does not hold the page
// against Close.
func (s *Segment) Catch(before bool, err *error) {
	debug.SetPanicOnFault(before)
	if r := recover(); r != nil {
		*err = s.fault(r)
	}
}

// fault turns a recovered fault inside the mapping into an error and panics
// again with anything else.
func (s *Segment) fault(r any) error {
	e, ok := r.(runtime.Error)
	if !ok {
		panic(r)
	}
	// The runtime's errors for memory faults tell the address that way.
	at, ok := r.(interface{ Addr() uintptr })
	if !ok {
		panic(r)
	}
	offset := at.Addr() - uintptr(unsafe.Pointer(unsafe.SliceData(s.mem)))
	if offset >= uintptr(len(s.mem)) {
		panic(r)
	}
	if s.closed.Load() {
		return &Error{Path: s.path, Kind: ErrClosed, Text: "the segment was closed during use"}
	}
	if err := s.checkSize(); err != nil {
		return err
	}
	// The size is right again, or the device failed, or a reader's page was written to.
	return &Error{Path: s.path, Cause: e, Text: "memory fault inside the page: " + e.Error()}
}
