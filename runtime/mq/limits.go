package mq

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Where the kernel shows the limits of the IPC namespace (mq_overview(7)).
const (
	fileQueuesMax  = "/proc/sys/fs/mqueue/queues_max"
	fileMsgMax     = "/proc/sys/fs/mqueue/msg_max"
	fileMsgSizeMax = "/proc/sys/fs/mqueue/msgsize_max"
)

// rlimitMsgqueue is RLIMIT_MSGQUEUE, which x/sys/unix does not name.
const rlimitMsgqueue = 12

// Need returns how many bytes of RLIMIT_MSGQUEUE a queue takes, as getrlimit(2)
// gives the formula since Linux 3.5: every message at full size, a msg_msg for
// each, and a tree node for each priority that could occur. The struct sizes are
// those of a 64-bit kernel; a 32-bit one asks for less.
func Need(maxMsg, msgSize int) uint64 {
	const (
		sizeofMsgMsg   = 48
		sizeofTreeNode = 48
		prioMax        = 32768 // MQ_PRIO_MAX
	)
	n := uint64(max(maxMsg, 0))
	return n*sizeofMsgMsg + min(n, prioMax)*sizeofTreeNode + n*uint64(max(msgSize, 0))
}

// callError wraps the errno of a call on an open queue, or of its name.
func callError(call, name string, errno unix.Errno) error {
	switch errno {
	case 0:
		return nil
	case unix.ETIMEDOUT:
		return ErrTimedOut
	case unix.EPERM:
		return fmt.Errorf("%s %s: %w: %w", call, name, ErrBlocked, errno)
	case unix.ENOSYS:
		return fmt.Errorf("%s %s: %w: %w", call, name, ErrAbsent, errno)
	}
	return fmt.Errorf("%s %s: %w", call, name, errno)
}

// openError says which limit an mq_open met. attr is nil for an existing queue.
func openError(name string, errno unix.Errno, attr *kernelAttr) error {
	limit := ""
	switch {
	case errno == unix.EMFILE && outOfDescriptors():
		limit = fmt.Sprintf("RLIMIT_NOFILE (ulimit -n): "+
			"this process has all its %s descriptors open", rlimit(unix.RLIMIT_NOFILE))
	case errno == unix.EMFILE && attr != nil:
		limit = fmt.Sprintf("RLIMIT_MSGQUEUE (ulimit -q): %s bytes for all queues of the user, "+
			"this one of %d messages of %d bytes needs %d",
			rlimit(rlimitMsgqueue), attr.maxmsg, attr.msgsize, Need(attr.maxmsg, attr.msgsize))
	case errno == unix.ENOSPC:
		limit = fmt.Sprintf("%s is %s", fileQueuesMax, sysctl(fileQueuesMax))
	case (errno == unix.EINVAL || errno == unix.EOVERFLOW) && attr != nil:
		limit = fmt.Sprintf("%d messages of %d bytes asked for, %s is %s, %s is %s",
			attr.maxmsg, attr.msgsize,
			fileMsgMax, sysctl(fileMsgMax), fileMsgSizeMax, sysctl(fileMsgSizeMax))
	default:
		return callError("mq_open", name, errno)
	}
	return fmt.Errorf("mq_open %s: %w: %s: %w", name, ErrLimit, limit, errno)
}

// outOfDescriptors tells the two meanings of EMFILE apart: it tries to open
// something that only needs a descriptor.
func outOfDescriptors() bool {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err == nil {
		_ = unix.Close(fd)
	}
	return errors.Is(err, unix.EMFILE)
}

// rlimit shows the soft limit of the process.
func rlimit(resource int) string {
	var l unix.Rlimit
	switch err := unix.Getrlimit(resource, &l); {
	case err != nil:
		return "unknown"
	case l.Cur == unix.RLIM_INFINITY:
		return "unlimited"
	}
	return fmt.Sprint(l.Cur)
}

func sysctl(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}
