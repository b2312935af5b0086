package futex

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a sandbox says and what an old kernel says are told apart.
func TestOutcomeOfErrno(t *testing.T) {
	for errno, want := range map[syscall.Errno]error{
		syscall.EAGAIN: ErrAgain, syscall.EINTR: ErrInterrupted, syscall.ETIMEDOUT: ErrTimedOut,
		syscall.EPERM: ErrBlocked, syscall.ENOSYS: ErrAbsent, syscall.EINVAL: syscall.EINVAL,
	} {
		require.ErrorIs(t, outcome(errno), want)
	}
	require.NoError(t, outcome(0))
}
