package futex_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/futex"
	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/stretchr/testify/require"
)

var errMine = errors.New("mine")

func TestWaitContext(t *testing.T) {
	word, _ := newWord(t)

	ctx, cancel := context.WithCancelCause(context.Background())
	require.ErrorIs(t, futex.WaitContext(ctx, word, 1, time.Minute), futex.ErrAgain)
	require.Eventually(t, func() bool {
		return errors.Is(futex.WaitContext(ctx, word, 0, time.Millisecond), futex.ErrTimedOut)
	}, soon, time.Microsecond)
	cancel(errMine)
	require.ErrorIs(t, futex.WaitContext(ctx, word, 0, time.Minute), errMine, "ended before")

	ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer stop()
	start := time.Now()
	err := whole(func() error { return futex.WaitContext(ctx, word, 0, time.Minute) })
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(start), soon)

	require.ErrorIs(t, futex.WaitContext(context.Background(), word, 1, time.Minute), futex.ErrAgain)
}

// Cancelling one waiter, at any moment between its entry and its sleep, ends
// that one and leaves the other asleep.
func TestCancelWakesNobodyElse(t *testing.T) {
	word, file := newWord(t)
	child := pagetest.Start(t, "wait", file, "12")
	require.Equal(t, "ready", child.Line())

	start := time.Now()
	for range 3000 {
		ctx, cancel := context.WithCancel(context.Background())
		spin := rand.IntN(2000)
		go func() {
			for range spin {
				runtime.KeepAlive(ctx)
			}
			cancel()
		}()
		err := whole(func() error { return futex.WaitContext(ctx, word, 0, time.Minute) })
		require.ErrorIs(t, err, context.Canceled)
	}
	require.Less(t, time.Since(start), 20*time.Second, "3000 cancelled waits of a minute")
	wakeUntil(t, word, 1) // the child still sleeps
	require.Equal(t, "<nil>", child.Line())
}

// A wake that comes together with the cancellation is not lost or misread.
func TestWakeAndCancel(t *testing.T) {
	word, _ := newWord(t)
	for range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error)
		go func() {
			done <- whole(func() error { return futex.WaitContext(ctx, word, 0, time.Minute) })
		}()
		time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
		n, err := futex.Wake(word, 1)
		require.NoError(t, err)
		cancel()
		got := <-done
		if n == 1 {
			require.NoError(t, got)
		} else {
			require.ErrorIs(t, got, context.Canceled)
		}
	}
}
