package watch_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
	"github.com/shmkv/shmkv/runtime/watch"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// release gives up a writer's lock but keeps its mapping: it leaves the page as
// a killed writer would.
func release(t *testing.T, s *segment.Segment) {
	t.Helper()
	held := make(chan struct{})
	ready := make(chan struct{})
	go func() {
		_ = s.Guard(func() error {
			close(ready)
			<-held
			return nil
		})
	}()
	<-ready
	require.NoError(t, s.Close())
	t.Cleanup(func() { close(held) })
}

// follow waits for updates until id and checks that none is told twice, torn or
// silently lost. It returns how many were missed.
func follow(t *testing.T, w *watch.Watcher, id uint64) (missed uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	last := w.Last()
	for u, err := range w.Updates(ctx) {
		require.NoError(t, err, "behind update %d", last)
		require.Equal(t, last+u.Missed+1, u.ID)
		of, whole := pagetest.ID(u.Record)
		require.True(t, whole)
		require.Equal(t, u.ID, of)
		missed += u.Missed
		if last = u.ID; last == id {
			break
		}
	}
	require.Equal(t, id, last)
	return missed
}

// A writer in another process, at leisure and at full speed.
func TestFollowAnotherProcess(t *testing.T) {
	for _, c := range []struct{ updates, microseconds int }{{100, 1000}, {200_000, 0}} {
		p := newPage(t, pagetest.SHKV2())
		require.NoError(t, p.w.Close())
		w := p.watcher()
		child := pagetest.Start(t, "serve", p.path, strconv.Itoa(c.updates), strconv.Itoa(c.microseconds))
		require.Equal(t, "ready", child.Line())
		missed := follow(t, w, uint64(c.updates))
		require.Equal(t, "done", child.Line())
		t.Logf("%d updates, one each %d us: %d missed", c.updates, c.microseconds, missed)
	}
}

// An idle watcher sleeps once per update, and its own signals do not change that.
func TestOneSleepPerUpdate(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	require.NoError(t, p.w.Close())
	const updates = 50
	child := pagetest.Start(t, "serve", p.path, strconv.Itoa(updates), "10000")
	require.Equal(t, "ready", child.Line())
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := switches(t)
	follow(t, p.watcher(), updates)
	require.LessOrEqual(t, switches(t)-before, 2*updates)
}

// switches returns how often this thread has gone to sleep.
func switches(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(unix.Gettid()) + "/status")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
	require.True(t, ok)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return n
}

// A signal on every thread each millisecond: no error, no lost event, and no
// deadline stretched.
func TestSignalStorm(t *testing.T) {
	pagetest.Storm(t)
	p := pingPong(t, pagetest.SHKV2(), 1000)
	last := p.watcher(watch.From(1000))
	start := time.Now()
	ctx, cancel := context.WithDeadline(context.Background(), start.Add(300*time.Millisecond))
	defer cancel()
	_, err := last.Next(ctx)
	require.ErrorIs(t, err, segment.ErrTimedOut)
	require.GreaterOrEqual(t, time.Since(start), 300*time.Millisecond)
	require.Less(t, time.Since(start), soon)
}

// Two that answer each other by turns lose no wake.
func TestPingPong(t *testing.T) {
	for _, layout := range []*segment.Layout{pagetest.SHKV2(), pagetest.Elided()} {
		pingPong(t, layout, 20_000)
	}
}

// pingPong passes a token to and fro between two pages and returns the first. A
// lost wake would hold it for the whole of MaxSleep. The token is held for a
// moment of random length, so that it meets the other side at every step of its
// loop.
func pingPong(t *testing.T, layout *segment.Layout, rounds uint64) *page {
	ping, pong := newPage(t, layout), newPage(t, layout)
	answers := make(chan error, 1)
	w, back := ping.watcher(), pong.watcher()
	go func() {
		for range rounds {
			if _, err := w.Next(context.Background()); err != nil {
				answers <- err
				return
			}
			if _, err := pong.w.Publish(layout.Lock, pagetest.Ptr(pagetest.Heap(64))); err != nil {
				answers <- err
				return
			}
		}
		answers <- nil
	}()
	longest := time.Duration(0)
	for id := uint64(1); id <= rounds; id++ {
		start := time.Now()
		for range rand.IntN(8000) {
			runtime.KeepAlive(back)
		}
		ping.publish(1)
		next(t, back, id, 0)
		longest = max(longest, time.Since(start))
	}
	require.NoError(t, <-answers)
	require.Less(t, longest, watch.MaxSleep-50*time.Millisecond, "a wake was lost (%s)", layout.Name)
	return ping
}

// The waiters word counts who sleeps; a writer that finds none skips the wake.
func TestWaiters(t *testing.T) {
	p := newPage(t, pagetest.Elided())
	waiters := (*uint32)(pagetest.Ptr(p.w.Bytes()[pagetest.Waiters:]))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	for range 2 {
		w := p.watcher()
		go func() {
			_, err := w.Next(ctx)
			done <- err
		}()
	}
	isWaiting := func(n uint32) func() bool {
		return func() bool { return atomic.LoadUint32(waiters) == n }
	}
	require.Eventually(t, isWaiting(2), soon, time.Millisecond)
	p.publish(1)
	require.NoError(t, <-done)
	require.NoError(t, <-done)
	require.Eventually(t, isWaiting(0), soon, time.Millisecond)

	w := p.watcher(watch.From(1))
	go func() {
		_, err := w.Next(ctx)
		done <- err
	}()
	require.Eventually(t, isWaiting(1), soon, time.Millisecond)
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	require.Eventually(t, isWaiting(0), soon, time.Millisecond, "also after a cancelled wait")
	n, err := p.w.Layout().Lock.Wake(p.w.Base())
	require.NoError(t, err)
	require.Zero(t, n)
}

// A writer that died between W5 and W6 leaves the futex word behind for ever. A
// watcher that compared the two would spin.
func TestFutexWordBehind(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	p.publish(5)
	pagetest.Put32(p.w.Bytes(), pagetest.Futex, 4)
	release(t, p.w)
	w := p.watcher()
	follow(t, w, 5)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	cpu := pagetest.CPU()
	_, err := w.Next(ctx)
	require.ErrorIs(t, err, segment.ErrTimedOut)
	require.Less(t, pagetest.CPU()-cpu, 250*time.Millisecond, "spinning")

	p.w = p.create(pagetest.SHKV2())
	require.Equal(t, seqlock.RolledForward, p.w.Recovery())
	p.publish(1)
	next(t, w, 6, 0)
}

// The next writer wakes those whom a killed one left asleep.
func TestRecoveryWakes(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	release(t, p.w)
	mem := p.w.Bytes()
	w := p.watcher()
	got := make(chan error, 1)
	start := time.Now()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), soon)
		defer cancel()
		_, err := w.Next(ctx)
		got <- err
	}()
	time.Sleep(100 * time.Millisecond) // it sleeps, or will look before it does
	lock := p.w.Layout().Lock
	lock.Publish(pagetest.Ptr(mem), pagetest.Ptr(pagetest.Record(64, 1, 1))) // killed before W7
	p.create(pagetest.SHKV2())
	require.NoError(t, <-got)
	require.Less(t, time.Since(start), watch.MaxSleep, "only the timeout ended the sleep")
}

func TestErrorsAreKept(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	mine := errors.New("mine")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(mine)
	_, err := p.watcher().Next(ctx)
	require.ErrorIs(t, err, mine)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, segment.ErrCancelled)
	require.EqualError(t, err, p.path+": cancelled")
}
