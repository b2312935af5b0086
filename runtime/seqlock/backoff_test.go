package seqlock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The attempts of one read stay few: a preempted writer is waited for asleep.
func TestBackoffAttempts(t *testing.T) {
	b := backoff{deadline: time.Now().Add(300 * time.Millisecond)}
	n := 0
	for b.again() {
		n++
	}
	require.Greater(t, n, spins+yields)
	require.Less(t, n, 1000)
}

func TestBackoffGivesUp(t *testing.T) {
	b := backoff{failed: MaxAttempts - 1}
	require.False(t, b.again(), "at the most attempts")

	b = backoff{deadline: time.Now().Add(-time.Hour)}
	for range spins + yields {
		require.True(t, b.again(), "a past deadline leaves the cheap attempts")
	}
	require.False(t, b.again())
}
