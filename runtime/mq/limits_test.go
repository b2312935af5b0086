package mq_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
	"github.com/shmkv/shmkv/runtime/mq"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// nobody is a user that surely has no queues yet: the kernel counts the bytes of
// all queues of a user.
const nobody = 54321

const rlimitMsgqueue = 12

// limitInChild makes queues under a limit of a process, or of a namespace, of
// its own: kind, value, maxmsg, msgsize, number of queues.
func limitInChild(args []string) {
	value, _ := strconv.ParseUint(args[1], 10, 64)
	maxMsg, _ := strconv.Atoi(args[2])
	msgSize, _ := strconv.Atoi(args[3])
	queues, _ := strconv.Atoi(args[4])
	if err := setLimit(args[0], value); err != nil {
		pagetest.Say("%v", err)
		return
	}
	for i := range queues {
		n := fmt.Sprintf("shmkv-limit-%d-%d", os.Getpid(), i)
		q, err := mq.Create(n, mq.MaxMsg(maxMsg), mq.MsgSize(msgSize))
		if err == nil {
			defer q.Close()
			err = mq.Unlink(n) // it lives on, and counts, until it is closed
		}
		pagetest.Say("%v", err)
		if err != nil {
			pagetest.Say("limit %v", errors.Is(err, mq.ErrLimit))
		}
	}
}

func setLimit(kind string, value uint64) error {
	both := &syscall.Rlimit{}
	both.Cur, both.Max = value, value
	var err error
	switch kind {
	case "bytes":
		err = syscall.Setrlimit(rlimitMsgqueue, both)
	case "files":
		return syscall.Setrlimit(unix.RLIMIT_NOFILE, both)
	case "queues_max":
		err = os.WriteFile("/proc/sys/fs/mqueue/queues_max", []byte(fmt.Sprint(value)), 0)
	}
	if err == nil && os.Geteuid() == 0 {
		err = syscall.Setuid(nobody) // on every thread, and without CAP_SYS_RESOURCE
	}
	return err
}

func needRoot(t *testing.T, what string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skipf("%s needs root", what)
	}
}

// The bytes of a user's queues: the errno alone reads "too many open files". The
// kernel agrees with Need to the byte.
func TestLimitOfBytes(t *testing.T) {
	child := pagetest.Start(t, "limit", "bytes", "0", "8", "8", "1")
	line := child.Line()
	require.Contains(t, line, "RLIMIT_MSGQUEUE (ulimit -q): 0 bytes for all queues of the user, "+
		"this one of 8 messages of 8 bytes needs 832: too many open files")
	require.Equal(t, "limit true", child.Line())

	needRoot(t, "a user without other queues")
	for _, c := range [][2]int{{8, 8}, {1, 8192}, {10, 100}} {
		need := mq.Need(c[0], c[1])
		for limit, fits := range map[uint64]int{need - 1: 0, need: 1, 2*need - 1: 1, 2 * need: 2} {
			child := pagetest.Start(t, "limit", "bytes", fmt.Sprint(limit),
				strconv.Itoa(c[0]), strconv.Itoa(c[1]), "2")
			for i := range 2 {
				line := child.Line()
				if i < fits {
					require.Equal(t, "<nil>", line, "%v under %d", c, limit)
				} else {
					require.Contains(t, line, fmt.Sprintf("%d bytes for all", limit))
					require.Contains(t, line, fmt.Sprintf("needs %d", need))
					child.Line()
				}
			}
		}
	}
}

// The descriptors of the process: the same errno.
func TestLimitOfDescriptors(t *testing.T) {
	child := pagetest.Start(t, "limit", "files", "3", "8", "8", "1")
	require.Contains(t, child.Line(),
		"RLIMIT_NOFILE (ulimit -n): this process has all its 3 descriptors open")
	require.Equal(t, "limit true", child.Line())
}

// The number of queues, in an IPC namespace of the test's own.
func TestLimitOfQueues(t *testing.T) {
	needRoot(t, "an IPC namespace")
	child := pagetest.StartIn(t, unix.CLONE_NEWIPC, "limit", "queues_max", "2", "8", "8", "3")
	require.Equal(t, "<nil>", child.Line())
	require.Equal(t, "<nil>", child.Line())
	require.Contains(t, child.Line(), "/proc/sys/fs/mqueue/queues_max is 2: no space left on device")
	require.Equal(t, "limit true", child.Line())
}

// The size of one queue.
func TestLimitOfSize(t *testing.T) {
	for _, c := range [][2]string{{"70000", "8"}, {"8", "17000000"}, {"0", "8"}, {"8", "0"}} {
		child := pagetest.Start(t, "limit", "user", "0", c[0], c[1], "1")
		line := child.Line()
		require.Contains(t, line, fmt.Sprintf("%s messages of %s bytes asked for, "+
			"/proc/sys/fs/mqueue/msg_max is ", c[0], c[1]))
		require.Contains(t, line, "msgsize_max is ")
		require.Equal(t, "limit true", child.Line())
	}
}

// forbidInChild uses a queue in a sandbox that answers with the given errno.
func forbidInChild(args []string) {
	n := fmt.Sprintf("shmkv-forbid-%d", os.Getpid())
	q, err := mq.Create(n)
	if err == nil {
		defer q.Close()
		err = mq.Unlink(n)
	}
	if err != nil {
		pagetest.Say("%v", err)
		return
	}
	errno, _ := strconv.Atoi(args[0])
	err = pagetest.Forbid(unix.Errno(errno), unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
		mq.SysTimedSend, mq.SysTimedReceive, unix.SYS_MQ_GETSETATTR)
	pagetest.Say("%v", err)
	_, errOpen := mq.Open(n)
	_, errCreate := mq.Create(n)
	_, errAttr := q.Attr()
	_, _, errReceive := q.Receive(make([]byte, 8), time.Now().Add(soon))
	errSend := q.Send(nil, 0, time.Now().Add(soon))
	for _, err := range []error{errOpen, errCreate, errAttr, errReceive, errSend, mq.Unlink(n)} {
		pagetest.Say("blocked %v, absent %v, limit %v, exists %v", errors.Is(err, mq.ErrBlocked),
			errors.Is(err, mq.ErrAbsent), errors.Is(err, mq.ErrLimit), errors.Is(err, fs.ErrExist))
	}
}

// What a sandbox forbids and what the kernel lacks are told apart.
func TestForbidden(t *testing.T) {
	for errno, want := range map[unix.Errno]string{
		unix.EPERM:  "blocked true, absent false, limit false, exists false",
		unix.ENOSYS: "blocked false, absent true, limit false, exists false",
	} {
		child := pagetest.Start(t, "forbid", strconv.Itoa(int(errno)))
		require.Equal(t, "<nil>", child.Line(), "the sandbox itself")
		for range 6 {
			require.Equal(t, want, child.Line())
		}
	}
}

// The queue of another user is no sandbox: the kernel's EPERM is told apart.
func TestUnlinkOfAnother(t *testing.T) {
	needRoot(t, "another user")
	n := name(t)
	create(t, n)
	child := pagetest.Start(t, "unlink", n)
	require.Equal(t, "mq_unlink "+n+": permission denied", child.Line())
	require.Equal(t, "blocked false, permission true", child.Line())
}

// unlinkInChild removes the queue of another user.
func unlinkInChild(args []string) {
	if err := syscall.Setuid(nobody); err != nil {
		pagetest.Say("%v", err)
		return
	}
	err := mq.Unlink(args[0])
	pagetest.Say("%v", err)
	pagetest.Say("blocked %v, permission %v",
		errors.Is(err, mq.ErrBlocked), errors.Is(err, fs.ErrPermission))
}
