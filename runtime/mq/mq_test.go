package mq_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/mq"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	pagetest.Main(m, map[string]func([]string){
		"limit": limitInChild, "forbid": forbidInChild, "unlink": unlinkInChild,
	})
}

// soon is far above what anything here takes.
const soon = 10 * time.Second

var count int

// name returns the name of a queue that does not exist and is removed at the end.
func name(t *testing.T) string {
	count++
	n := fmt.Sprintf("shmkv-test-%d-%d", os.Getpid(), count)
	t.Cleanup(func() { _ = mq.Unlink(n) })
	return n
}

func create(t *testing.T, name string, opts ...mq.Option) *mq.Queue {
	t.Helper()
	q, err := mq.Create(name, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = q.Close() })
	return q
}

func TestCreateOpenUnlink(t *testing.T) {
	n := name(t)
	_, err := mq.Open(n)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.EqualError(t, err, "mq_open "+n+": no such file or directory")
	require.ErrorIs(t, mq.Unlink(n), fs.ErrNotExist)

	q := create(t, n)
	require.Equal(t, n, q.Name())
	a, err := q.Attr()
	require.NoError(t, err)
	require.Equal(t, mq.Attr{MaxMsg: 8, MsgSize: 8}, a)
	_, err = mq.Create(n)
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = mq.Create("/" + n)
	require.ErrorIs(t, err, fs.ErrExist, "with a slash it is the same queue")

	other, err := mq.Open("/" + n)
	require.NoError(t, err)
	require.NoError(t, q.Send([]byte("12345678"), 0, time.Time{}))
	a, err = other.Attr()
	require.NoError(t, err)
	require.Equal(t, 1, a.CurMsgs)
	require.NoError(t, other.Close())

	require.NoError(t, mq.Unlink("/"+n))
	require.ErrorIs(t, mq.Unlink(n), fs.ErrNotExist)
	require.NoError(t, q.Send([]byte("1"), 0, time.Time{}), "its users keep it")
}

// The kernel makes every queue's descriptor close-on-exec without being asked.
func TestCloseOnExec(t *testing.T) {
	q := create(t, name(t))
	flags, err := unix.FcntlInt(q.FD(), unix.F_GETFD, 0)
	require.NoError(t, err)
	require.Equal(t, unix.FD_CLOEXEC, flags)
}

func TestMode(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	q := create(t, name(t), mq.Mode(0o640), mq.MaxMsg(3), mq.MsgSize(100))
	var st unix.Stat_t
	require.NoError(t, unix.Fstat(int(q.FD()), &st))
	require.EqualValues(t, 0o640, st.Mode&0o7777)
	a, err := q.Attr()
	require.NoError(t, err)
	require.Equal(t, mq.Attr{MaxMsg: 3, MsgSize: 100}, a)
}

func TestSendReceive(t *testing.T) {
	q := create(t, name(t), mq.MsgSize(16))
	now := time.Time{}
	for i, text := range []string{"low", "high", "high again", ""} {
		require.NoError(t, q.Send([]byte(text), uint32(i+1)/2, now))
	}
	buf := make([]byte, 16)
	for _, want := range []struct {
		text     string
		priority uint32
	}{{"", 2}, {"high", 1}, {"high again", 1}, {"low", 0}} {
		n, priority, err := q.Receive(buf, now)
		require.NoError(t, err)
		require.Equal(t, want.text, string(buf[:n]))
		require.Equal(t, want.priority, priority)
	}

	err := q.Send(make([]byte, 17), 0, now)
	require.ErrorIs(t, err, unix.EMSGSIZE)
	require.ErrorContains(t, err, "message of 17 bytes, the queue takes 16")
	_, _, err = q.Receive(buf[:15], now)
	require.ErrorIs(t, err, unix.EMSGSIZE)
	require.ErrorContains(t, err, "buffer of 15 bytes, want 16")
}

// Deadlines are absolute: past ones do not block, others are neither cut short
// nor stretched, here by a signal on every thread each millisecond.
func TestDeadlines(t *testing.T) {
	pagetest.Storm(t)
	q := create(t, name(t), mq.MaxMsg(1))
	buf := make([]byte, 8)
	for _, deadline := range []time.Time{{}, time.Unix(-5, 0), time.Unix(0, 0), time.Now()} {
		_, _, err := q.Receive(buf, deadline)
		require.ErrorIs(t, err, mq.ErrTimedOut)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	}
	start := time.Now()
	_, _, err := q.Receive(buf, start.Add(200*time.Millisecond))
	require.ErrorIs(t, err, mq.ErrTimedOut)
	require.GreaterOrEqual(t, time.Since(start), 190*time.Millisecond) // of another clock
	require.Less(t, time.Since(start), soon)

	require.NoError(t, q.Send([]byte("a"), 0, time.Time{}))
	start = time.Now()
	err = q.Send([]byte("b"), 0, start.Add(200*time.Millisecond))
	require.ErrorIs(t, err, mq.ErrTimedOut)
	require.GreaterOrEqual(t, time.Since(start), 190*time.Millisecond)

	// Somebody blocks far into the future and is served.
	done := make(chan error)
	go func() { done <- q.Send([]byte("b"), 0, time.Unix(math.MaxInt64/2, 0)) }()
	time.Sleep(20 * time.Millisecond)
	for _, want := range []string{"a", "b"} {
		n, _, err := q.Receive(buf, time.Now().Add(soon))
		require.NoError(t, err)
		require.Equal(t, want, string(buf[:n]))
	}
	require.NoError(t, <-done)
}

func TestClosed(t *testing.T) {
	q := create(t, name(t))
	require.NoError(t, q.Close())
	require.NoError(t, q.Close())
	_, err := q.Attr()
	require.ErrorIs(t, err, mq.ErrClosed)
	require.ErrorIs(t, q.Send(nil, 0, time.Time{}), mq.ErrClosed)
	_, _, err = q.Receive(nil, time.Time{})
	require.ErrorIs(t, err, fs.ErrClosed)
}

func TestNames(t *testing.T) {
	for _, n := range []string{"", "/", "a/b", "//a", "a\x00b", ".", "..", strings.Repeat("n", 256)} {
		_, err := mq.Create(n)
		require.ErrorIs(t, err, mq.ErrName, "%q", n)
		_, err = mq.Open(n)
		require.ErrorIs(t, err, mq.ErrName, "%q", n)
		require.ErrorIs(t, mq.Unlink(n), mq.ErrName, "%q", n)
	}
}
