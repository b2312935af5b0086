package futex

import (
	"os"
	"os/signal"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// One signal may arrive before the waiter is in the kernel: they go on until the
// waiter has returned, and not beyond.
func TestNudgerRepeats(t *testing.T) {
	got := make(chan os.Signal, 100)
	signal.Notify(got, unix.SIGURG)
	defer signal.Stop(got)
	n := nudger{tid: unix.Getpid()} // the main thread
	ended := make(chan struct{})
	go func() {
		n.nudge()
		close(ended)
	}()
	for range 20 {
		select {
		case <-got:
		case <-time.After(10 * time.Second):
			require.Fail(t, "no more signals")
		}
	}
	n.finish()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		require.Fail(t, "the signals go on")
	}
}
