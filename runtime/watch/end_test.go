package watch_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/watch"
	"github.com/stretchr/testify/require"
)

// sleeper starts a watcher that has nothing to report and, when it sleeps, does
// something to it. It returns the error that ended the watcher, and how long
// that took.
func sleeper(
	t *testing.T, w *watch.Watcher, do func(cancel func()),
) (err error, took time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := w.Next(ctx)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	do(cancel)
	select {
	case err = <-done:
		return err, time.Since(start)
	case <-time.After(soon):
		require.Fail(t, "the watcher does not end")
		return nil, 0
	}
}

func TestCancel(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	err, took := sleeper(t, p.watcher(), func(cancel func()) { cancel() })
	require.ErrorIs(t, err, segment.ErrCancelled)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, took, time.Second)
}

func TestDeadline(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	start := time.Now()
	ctx, cancel := context.WithDeadline(context.Background(), start.Add(100*time.Millisecond))
	defer cancel()
	w := p.watcher()
	for range 2 { // the second time it is past from the beginning
		_, err := w.Next(ctx)
		require.ErrorIs(t, err, segment.ErrTimedOut)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.EqualError(t, err, p.path+": timed out")
		require.GreaterOrEqual(t, time.Since(start), 100*time.Millisecond)
		require.Less(t, time.Since(start), soon)
	}
	_, err := w.Wait(ctx)
	require.ErrorIs(t, err, segment.ErrTimedOut)

	// What is there is told even so.
	p.publish(1)
	u, err := w.Next(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1, u.ID)
}

func TestTruncatedAsleep(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	err, took := sleeper(t, p.watcher(), func(func()) { require.NoError(t, os.Truncate(p.path, 0)) })
	require.ErrorIs(t, err, segment.ErrTruncated)
	require.Less(t, took, watch.MaxSleep+2*time.Second)

	_, err = p.watcher().Next(context.Background())
	require.ErrorIs(t, err, segment.ErrTruncated)
	_, err = p.watcher().Wait(context.Background())
	require.ErrorIs(t, err, segment.ErrTruncated)
}

func TestClosedAsleep(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	err, took := sleeper(t, p.watcher(), func(func()) { require.NoError(t, p.r.Close()) })
	require.ErrorIs(t, err, segment.ErrClosed)
	require.Less(t, took, watch.MaxSleep+2*time.Second)
	_, _, err = p.watcher().Poll()
	require.ErrorIs(t, err, segment.ErrClosed)
}

// A page that a dead writer left odd ends the watch in bounded time at little
// cost, and says why; a cancelled watcher does not even wait for that.
func TestOddForEver(t *testing.T) {
	p := newPage(t, pagetest.SHKV2())
	p.publish(3)
	pagetest.Put32(p.w.Bytes(), pagetest.Seq, 7)
	release(t, p.w)
	start, cpu := time.Now(), pagetest.CPU()
	_, err := p.watcher().Next(context.Background())
	took, used := time.Since(start), pagetest.CPU()-cpu
	require.ErrorIs(t, err, segment.ErrLivelocked)
	require.ErrorIs(t, err, segment.ErrWriterDead)
	require.ErrorContains(t, err, "seqlock read livelocked")
	require.Less(t, took, soon)
	require.Less(t, used, took/3, "spinning")

	err, took = sleeper(t, p.watcher(), func(cancel func()) { cancel() })
	require.ErrorIs(t, err, segment.ErrCancelled)
	require.Less(t, took, time.Second)

	p.create(pagetest.SHKV2())
	next(t, p.watcher(), 1, 0)
}
