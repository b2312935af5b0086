package futex_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/runtime/futex"
	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	pagetest.Main(m, map[string]func([]string){"wait": waitInChild})
}

// soon is far above what anything here takes, and far below the timeouts that
// must not be what ended a wait.
const soon = 10 * time.Second

// waitInChild sleeps on the word at the offset of a file, mapped read-only.
func waitInChild(args []string) {
	offset, _ := strconv.Atoi(args[1])
	word, err := mapWord(args[0], offset, unix.PROT_READ)
	if err != nil {
		pagetest.Say("%v", err)
		return
	}
	pagetest.Say("ready")
	pagetest.Say("%v", whole(func() error { return futex.Wait(word, 0, time.Minute) }))
}

// whole repeats a wait that a signal of the Go runtime ended.
func whole(wait func() error) error {
	for {
		if err := wait(); !errors.Is(err, futex.ErrInterrupted) {
			return err
		}
	}
}

func mapWord(file string, offset, prot int) (*uint32, error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mem, err := unix.Mmap(int(f.Fd()), 0, 4096, prot, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return (*uint32)(unsafe.Pointer(&mem[offset])), nil
}

// newWord returns a word in a new file, mapped writable.
func newWord(t *testing.T) (word *uint32, file string) {
	file = filepath.Join(t.TempDir(), "word")
	require.NoError(t, os.WriteFile(file, make([]byte, 4096), 0o600))
	word, err := mapWord(file, 12, unix.PROT_READ|unix.PROT_WRITE)
	require.NoError(t, err)
	return word, file
}

// wakeUntil wakes until n threads in all were woken: a waiter announces itself
// just before it sleeps, so the first wake may find nobody.
func wakeUntil(t *testing.T, word *uint32, n int) {
	total := 0
	for start := time.Now(); total < n; time.Sleep(time.Millisecond) {
		woken, err := futex.Wake(word, futex.All)
		require.NoError(t, err)
		total += woken
		require.Less(t, time.Since(start), soon, "%d of %d woken", total, n)
	}
	require.Equal(t, n, total)
}

func TestOutcomes(t *testing.T) {
	word, _ := newWord(t)
	require.ErrorIs(t, futex.Wait(word, 1, time.Minute), futex.ErrAgain)
	require.ErrorIs(t, futex.WaitUntil(word, 1, time.Now().Add(time.Minute)), futex.ErrAgain)

	for _, timeout := range []time.Duration{math.MinInt64, -1, 0, 1, 20 * time.Millisecond} {
		// The runtime may interrupt at any time.
		require.Eventually(t, func() bool {
			start := time.Now()
			err := futex.Wait(word, 0, timeout)
			return errors.Is(err, futex.ErrTimedOut) && time.Since(start) >= timeout
		}, soon, time.Microsecond, "timeout %v", timeout)
		require.Eventually(t, func() bool {
			start := time.Now()
			err := futex.WaitUntil(word, 0, start.Add(timeout))
			return errors.Is(err, futex.ErrTimedOut) && time.Since(start) >= timeout
		}, soon, time.Microsecond, "deadline in %v", timeout)
	}
	past := func() error { return futex.WaitUntil(word, 0, time.Time{}) }
	require.ErrorIs(t, whole(past), futex.ErrTimedOut)

	gone, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	require.NoError(t, err)
	require.ErrorIs(t, futex.Wait((*uint32)(unsafe.Pointer(&gone[0])), 0, time.Second), unix.EFAULT)
	require.NoError(t, unix.Munmap(gone))
}

func TestLongTimeouts(t *testing.T) {
	word, _ := newWord(t)
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	require.ErrorIs(t, whole(func() error {
		return futex.WaitContext(ctx, word, 0, math.MaxInt64)
	}), context.Canceled)

	var wg sync.WaitGroup
	wg.Go(func() {
		_ = whole(func() error { return futex.WaitUntil(word, 0, time.Now().Add(math.MaxInt64)) })
	})
	wakeUntil(t, word, 1)
	wg.Wait()
}

func TestWakeCounts(t *testing.T) {
	word, _ := newWord(t)
	n, err := futex.Wake(word, futex.All)
	require.NoError(t, err)
	require.Zero(t, n, "nobody waits")
	_, err = futex.Wake(word, -1)
	require.ErrorIs(t, err, futex.ErrCount)

	woken := make(chan error, 3)
	for range 3 {
		go func() {
			woken <- whole(func() error { return futex.Wait(word, 0, time.Minute) })
		}()
	}
	time.Sleep(50 * time.Millisecond)
	n, err = futex.Wake(word, 0)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, woken, "a count of 0 wakes nobody")
	require.Eventually(t, func() bool {
		n, err := futex.Wake(word, 1)
		return err == nil && n == 1
	}, soon, time.Millisecond)
	require.NoError(t, <-woken)
	require.Empty(t, woken, "a count of 1 wakes one")
	wakeUntil(t, word, 2)
	require.NoError(t, <-woken)
	require.NoError(t, <-woken)
}

// The kernel takes an int: a count that does not fit one still means all.
func TestWakeCountIsClamped(t *testing.T) {
	word, _ := newWord(t)
	require.Eventually(t, func() bool {
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { _ = futex.Wait(word, 0, 100*time.Millisecond) })
		}
		time.Sleep(20 * time.Millisecond)
		n, err := futex.Wake(word, math.MaxInt)
		require.NoError(t, err)
		wg.Wait()
		return n == 2
	}, soon, time.Microsecond)
}

// Two processes, two mappings, one of them read-only: the wake arrives, so the
// futex is shared.
func TestProcessesMeet(t *testing.T) {
	word, file := newWord(t)
	child := pagetest.Start(t, "wait", file, "12")
	other := pagetest.Start(t, "wait", file, "16")
	require.Equal(t, "ready", child.Line())
	require.Equal(t, "ready", other.Line())
	wakeUntil(t, word, 1)
	require.Equal(t, "<nil>", child.Line())
	word2, err := mapWord(file, 16, unix.PROT_READ|unix.PROT_WRITE)
	require.NoError(t, err)
	wakeUntil(t, word2, 1)
	require.Equal(t, "<nil>", other.Line())
}

// A signal on every thread each millisecond ends waits early but stretches no
// deadline.
func TestSignalStorm(t *testing.T) {
	pagetest.Storm(t)
	word, _ := newWord(t)
	interrupted := 0
	start := time.Now()
	deadline := start.Add(500 * time.Millisecond)
	for {
		err := futex.WaitUntil(word, 0, deadline)
		if errors.Is(err, futex.ErrTimedOut) {
			break
		}
		require.ErrorIs(t, err, futex.ErrInterrupted)
		interrupted++
	}
	require.GreaterOrEqual(t, time.Since(start), 500*time.Millisecond)
	require.Less(t, time.Since(start), soon)
	require.Positive(t, interrupted, "the storm was no storm")
	require.ErrorIs(t, futex.Wait(word, 0, time.Minute), futex.ErrInterrupted)
}
