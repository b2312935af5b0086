package seqlock

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// The budget of one read.
const (
	// MaxAttempts is the most attempts one read makes.
	MaxAttempts = 1_000_000

	// DefaultBudget bounds a read in wall time. A page left odd by a dead writer
	// costs this much, nearly all of it asleep.
	DefaultBudget = 2 * time.Second

	spins    = 100 // attempts with a pause between them: a write takes nanoseconds
	yields   = 16  // then the writer may be preempted on this very core: let it run
	minSleep = 50 * time.Microsecond
	maxSleep = time.Millisecond
)

// backoff paces the attempts of one read that failed at the first try.
type backoff struct {
	deadline time.Time // of the caller; zero for none
	limit    time.Time // the sooner of the deadline and the budget; set when first needed
	failed   int
	sleep    time.Duration
}

// again waits as the number of failures asks for and reports whether another
// attempt is due. The clock is not looked at before the spins are used up, so
// that a read under a busy writer stays cheap and a past deadline still leaves
// it a fair chance.
func (b *backoff) again() bool {
	b.failed++
	switch {
	case b.failed <= spins:
		pause()
		return true
	case b.failed <= spins+yields:
		runtime.Gosched()
		yield()
		return true
	case b.failed >= MaxAttempts:
		return false
	}
	now := time.Now()
	if b.limit.IsZero() {
		b.limit = now.Add(DefaultBudget)
		if !b.deadline.IsZero() && b.deadline.Before(b.limit) {
			b.limit = b.deadline
		}
		b.sleep = minSleep
	}
	left := b.limit.Sub(now)
	if left <= 0 {
		return false
	}
	time.Sleep(min(b.sleep, left))
	b.sleep = min(2*b.sleep, maxSleep)
	return true
}

// pause lets a few dozen cycles pass. Go offers no PAUSE instruction.
//
//go:noinline
func pause() {
	for i := 0; i < 16; i++ { //nolint:revive // the loop is the point
		spin()
	}
}

//go:noinline
func spin() {}

// yield gives the processor to another process. runtime.Gosched alone only
// passes it on inside this one.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
