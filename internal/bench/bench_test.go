package bench

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/runtime/mq"
)

func TestChannels(t *testing.T) {
	var c Channels
	require.NoError(t, c.UnmarshalText([]byte("all")))
	assert.Equal(t, Channels{"futex", "futex-parked", "pipe", "eventfd", "mq", "unix", "poll"}, c)
	require.NoError(t, c.UnmarshalText([]byte("poll,mq")))
	assert.Equal(t, Channels{"poll", "mq"}, c)
	for _, bad := range []string{"", ",", "mq,", "nope", "mq,mq", "all,mq", "MQ", " mq"} {
		assert.Error(t, c.UnmarshalText([]byte(bad)), "%q", bad)
	}
}

// TestPercentiles: microseconds are rounded down, and one slow round in a
// thousand is not in the p99.
func TestPercentiles(t *testing.T) {
	tally := newTally()
	for i := range 1000 {
		tally.add(int64(i) * 2)
	}
	tally.add(int64(time.Hour)) // past the longest
	tally.add(-5)               // the clock of another processor
	r := tally.result("pipe", 1005)
	assert.InDelta(t, 1000, r.P50ns, 10)
	assert.InDelta(t, 1800, r.P90ns, 10)
	assert.InDelta(t, 1980, r.P99ns, 10)
	assert.InDelta(t, int64(longest), r.MaxNs, float64(longest)/1000)
	assert.EqualValues(t, 1, r.P99us)
	assert.EqualValues(t, 3, r.Unobserved)
	assert.Equal(t, "bench: channel=pipe rounds=1005 p50_us=0 p99_us=1",
		(&Result{Channel: "pipe", Rounds: 1005, P50us: 0, P99us: r.P99us}).String())
}

// TestClock: the stamps of two processes are of one clock.
func TestClock(t *testing.T) {
	var ts unix.Timespec
	require.NoError(t, unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts))
	before := ts.Nano()
	now := nanotime()
	require.NoError(t, unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts))
	assert.LessOrEqual(t, before, now)
	assert.LessOrEqual(t, now, ts.Nano())
}

func TestControlPage(t *testing.T) {
	assert.EqualValues(t, 64, unsafe.Offsetof(control{}.armed), "a cache line of its own")
	assert.EqualValues(t, 128, unsafe.Sizeof(control{}))
	c, f, err := newControl()
	require.NoError(t, err)
	defer c.unmap()
	defer f.Close()
	other, err := inheritControl(int(f.Fd()))
	require.NoError(t, err)
	defer other.unmap()
	assert.False(t, c.answered(0))
	for _, round := range []uint64{0, 1, math.MaxUint32 - 1, math.MaxUint32, math.MaxUint32 + 1} {
		other.answer(round)
		assert.True(t, c.answered(round))
		assert.False(t, c.answered(round+1))
	}
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	_, err = inheritControl(int(null.Fd()))
	assert.ErrorContains(t, err, "is not a control page")
}

// TestQueueOfADeadNamesake: a queue with our process id in its name was left by
// another process; its messages are not ours.
func TestQueueOfADeadNamesake(t *testing.T) {
	old, err := mq.Create(queueName(os.Getpid()))
	require.NoError(t, err)
	defer old.Close()
	require.NoError(t, old.Send([]byte("stale"), 0, time.Now().Add(time.Second)))
	s, err := newQueue()
	require.NoError(t, err)
	attr, err := s.(*queue).Attr()
	require.NoError(t, err)
	assert.Equal(t, mq.Attr{MaxMsg: 8, MsgSize: 8}, attr)
	s.close()
	_, err = mq.Open(queueName(os.Getpid()))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestQueueOwner(t *testing.T) {
	pid, ok := queueOwner("shmkv-bench-123")
	assert.True(t, ok)
	assert.Equal(t, 123, pid)
	for _, other := range []string{
		"", "x", "shmkv-bench-", "shmkv-bench-0", "shmkv-bench--1", "shmkv-bench-01",
		"shmkv-bench-1x", "shmkv-bench-+1",
	} {
		_, ok := queueOwner(other)
		assert.False(t, ok, other)
	}
	assert.False(t, dead(os.Getpid()))
	assert.False(t, dead(1), "that of another user is not dead")
}

func TestQueueDirs(t *testing.T) {
	const mounts = `22 1 0:21 / /proc rw,relatime - proc proc rw
30 24 0:20 / /dev/mqueue rw,nosuid shared:13 - mqueue mqueue rw
31 24 0:20 / /my\040queues rw - mqueue none rw
32 24 0:9 / /mqueue rw - tmpfs mqueue rw
short - mqueue x
`
	assert.Equal(t, []string{"/dev/mqueue", "/my queues"}, parseQueueDirs(strings.NewReader(mounts)))
}

// TestFailures: each is a line, and whoever left is found among them.
func TestFailures(t *testing.T) {
	f := Failures{errors.New("bench: mq: no"), syscall.EPIPE}
	var out bytes.Buffer
	f.Report(&out, "shmkv")
	assert.Equal(t, "shmkv: bench: mq: no\nshmkv: broken pipe\n", out.String())
	assert.ErrorIs(t, f, syscall.EPIPE)
}
