// Package futex sleeps on and wakes 32-bit words in shared memory: futex(2)
// without FUTEX_PRIVATE_FLAG, so that unrelated processes meet on one word of a
// mapped file, keyed by (inode, offset).
//
// A wait may end early for many reasons, none of them a failure: a wake, a word
// that had changed (ErrAgain), a signal (ErrInterrupted; the Go runtime sends
// SIGURG at will), the timeout (ErrTimedOut). The caller's loop, not the
// syscall, owns correctness: look at the shared state again after each of them.
//
// Wait works on words mapped PROT_READ. A goroutine in a wait pins one kernel
// thread.
package futex

import (
	"errors"
	"math"
	"os"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// All is the count that wakes every waiter: INT_MAX, the most the kernel takes.
const All = math.MaxInt32

// Operations of futex(2), all shared: none carries FUTEX_PRIVATE_FLAG (128).
const (
	opWait       = 0 // FUTEX_WAIT: relative timeout
	opWake       = 1 // FUTEX_WAKE
	opWaitBitset = 9 // FUTEX_WAIT_BITSET: absolute CLOCK_MONOTONIC deadline

	matchAny = math.MaxUint32 // FUTEX_BITSET_MATCH_ANY
)

// Outcomes of a wait other than a wake. Compare with errors.Is.
var (
	// ErrAgain: the word did not hold the expected value (EAGAIN).
	ErrAgain = errors.New("futex: the word has changed")

	// ErrInterrupted: a signal handler ran on the waiting thread (EINTR).
	ErrInterrupted = errors.New("futex: interrupted by a signal")

	// ErrTimedOut: nobody woke the waiter in time (ETIMEDOUT).
	ErrTimedOut = errors.New("futex: timed out")

	// ErrBlocked: a sandbox forbids futex(2) (EPERM).
	ErrBlocked = errors.New("futex: blocked by a sandbox")

	// ErrAbsent: the kernel has no futex(2), or not this operation (ENOSYS).
	ErrAbsent = errors.New("futex: absent from this kernel")

	// ErrCount: a negative number of waiters to wake.
	ErrCount = errors.New("futex: negative wake count")
)

// Wait sleeps while *addr holds expected, at most timeout; a negative timeout
// counts as 0. It is plain FUTEX_WAIT with a relative timeout, which the kernel
// measures with CLOCK_MONOTONIC. nil means woken, perhaps spuriously.
//
// The other outcomes are ErrAgain, ErrInterrupted and ErrTimedOut, and, as an
// *os.SyscallError, EFAULT where the word is no longer mapped (a file cut short
// under its mapping).
func Wait(addr *uint32, expected uint32, timeout time.Duration) error {
	ts := timespec(timeout)
	// F3, pairs with W7
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(addr)),
		opWait, uintptr(expected), uintptr(unsafe.Pointer(&ts)), 0, 0)
	return outcome(errno)
}

// WaitUntil is Wait with an absolute deadline (FUTEX_WAIT_BITSET with
// CLOCK_MONOTONIC): calling it again after ErrInterrupted does not stretch the
// wait. A deadline without a monotonic reading is taken by the wall clock once,
// at the call.
func WaitUntil(addr *uint32, expected uint32, deadline time.Time) error {
	ts, err := monotonic(deadline)
	if err != nil {
		return err
	}
	// F3, pairs with W7
	_, _, errno := unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(addr)),
		opWaitBitset, uintptr(expected), uintptr(unsafe.Pointer(&ts)), 0, matchAny)
	return outcome(errno)
}

// Wake wakes at most n threads that sleep on addr, in this or any other process,
// and returns how many it woke. n above All counts as All; 0 wakes nobody and
// does not enter the kernel (which would wake one); a negative n is an ErrCount.
// It does not block.
func Wake(addr *uint32, n int) (woken int, err error) {
	switch {
	case n < 0:
		return 0, ErrCount
	case n == 0:
		return 0, nil
	}
	n = min(n, All)
	// Raw: a wake takes a microsecond at most, and telling the scheduler about
	// the syscall costs 140 ns.
	r, _, errno := unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(addr)),
		opWake, uintptr(n), 0, 0, 0) // W7, pairs with F3
	if errno != 0 {
		return 0, outcome(errno)
	}
	return int(r), nil
}

// outcome turns an errno into the package's errors.
func outcome(errno syscall.Errno) error {
	switch errno {
	case 0:
		return nil
	case unix.EAGAIN:
		return ErrAgain
	case unix.EINTR:
		return ErrInterrupted
	case unix.ETIMEDOUT:
		return ErrTimedOut
	case unix.EPERM:
		return ErrBlocked
	case unix.ENOSYS:
		return ErrAbsent
	}
	return os.NewSyscallError("futex", errno)
}

// timespec converts a relative timeout. SYS_FUTEX takes the kernel's old
// timespec, whose seconds have 32 bits on 32-bit targets, as unix.Timespec has
// there: enough for 68 years, and a wait is clamped to less.
func timespec(d time.Duration) unix.Timespec {
	const most = math.MaxInt32 * time.Second
	return unix.NsecToTimespec(int64(min(max(d, 0), most)))
}

// monotonic converts a deadline to CLOCK_MONOTONIC.
func monotonic(deadline time.Time) (unix.Timespec, error) {
	left := max(time.Until(deadline), 0)
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		return now, os.NewSyscallError("clock_gettime", err)
	}
	at := now.Nano()
	if int64(left) > math.MaxInt64-at {
		left = time.Duration(math.MaxInt64 - at)
	}
	return timespec(time.Duration(at) + left), nil
}
