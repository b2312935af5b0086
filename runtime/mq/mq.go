// Package mq is the kernel's POSIX message queues without librt: mq_open,
// mq_timedsend, mq_timedreceive and mq_unlink as in mq_overview(7). A queue has
// kernel persistence: it outlives its processes until it is unlinked.
//
// Names "x" and "/x" are the same queue. librt insists on the slash and strips
// it; the kernel wants it stripped.
//
// Every failure to create a queue names the limit that was reached, its value
// and what was asked for: the bare errno reads "too many open files" when the
// bytes of RLIMIT_MSGQUEUE are used up.
package mq

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Errors of the package. Compare with errors.Is.
var (
	// ErrBlocked: a sandbox forbids message queues (EPERM from seccomp).
	ErrBlocked = errors.New("message queues are blocked by a sandbox")

	// ErrAbsent: the kernel was built without CONFIG_POSIX_MQUEUE (ENOSYS).
	ErrAbsent = errors.New("message queues are absent from this kernel")

	// ErrLimit: a limit of the system or of the user was reached.
	ErrLimit = errors.New("message queue limit")

	// ErrTimedOut is also an os.ErrDeadlineExceeded.
	ErrTimedOut = fmt.Errorf("mq: timed out: %w", os.ErrDeadlineExceeded)

	// ErrClosed: the queue was closed by this process.
	ErrClosed = fmt.Errorf("mq: queue is closed: %w", fs.ErrClosed)

	// ErrName: an empty name, or one with a slash or NUL inside.
	ErrName = errors.New("bad message queue name")
)

// Attr is what mq_getattr(3) tells.
type Attr struct {
	MaxMsg  int // messages the queue holds
	MsgSize int // the longest message, in bytes
	CurMsgs int // messages in the queue now
}

// kernelAttr is struct mq_attr; its members are C longs.
type kernelAttr struct {
	flags, maxmsg, msgsize, curmsgs int
	_                               [4]int
}

// Option changes how Create makes a queue.
type Option func(*options)

type options struct {
	mode            fs.FileMode
	maxMsg, msgSize int
}

// Mode sets the permission bits, less the umask. The default is 0600.
func Mode(mode fs.FileMode) Option { return func(o *options) { o.mode = mode.Perm() } }

// MaxMsg sets how many messages the queue holds. The default is 8.
func MaxMsg(n int) Option { return func(o *options) { o.maxMsg = n } }

// MsgSize sets the longest message, in bytes. The default is 8.
func MsgSize(n int) Option { return func(o *options) { o.msgSize = n } }

// Queue is an open message queue. Its methods may be called from many
// goroutines. A goroutine that blocks in one pins a kernel thread.
type Queue struct {
	name string
	attr Attr // as at the open; MaxMsg and MsgSize never change

	mu sync.RWMutex // held for reading during a call: Close waits
	fd int          // -1 when closed
}

// Create makes a new queue and opens it for sending and receiving. It fails with
// fs.ErrExist if the name is taken: a queue of that name may hold stale messages
// of somebody else. The descriptor is close-on-exec, as every one of mq_open is
// on Linux.
func Create(name string, opts ...Option) (*Queue, error) {
	o := options{mode: 0o600, maxMsg: 8, msgSize: 8}
	for _, opt := range opts {
		opt(&o)
	}
	attr := kernelAttr{maxmsg: o.maxMsg, msgsize: o.msgSize}
	return open(name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL, o.mode, &attr)
}

// Open opens an existing queue for sending and receiving.
func Open(name string) (*Queue, error) { return open(name, unix.O_RDWR, 0, nil) }

func open(name string, flags int, mode fs.FileMode, attr *kernelAttr) (*Queue, error) {
	p, err := cName(name)
	if err != nil {
		return nil, err
	}
	var fd int
	errno := retry(func() (errno unix.Errno) {
		var r uintptr
		r, _, errno = unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(p)),
			uintptr(flags), uintptr(mode), uintptr(unsafe.Pointer(attr)), 0, 0)
		fd = int(r)
		return errno
	})
	if errno != 0 {
		return nil, openError(name, errno, attr)
	}
	q := &Queue{name: name, fd: fd}
	if q.attr, err = q.Attr(); err != nil {
		_ = q.Close()
		return nil, err
	}
	return q, nil
}

// Unlink removes the name. The queue itself goes when its last user closes it.
func Unlink(name string) error {
	p, err := cName(name)
	if err != nil {
		return err
	}
	errno := unlink(p)
	if errno == unix.EPERM && !unlinkBlocked() {
		// The queue of another user: the kernel's sticky directory says EPERM.
		errno = unix.EACCES
	}
	return callError("mq_unlink", name, errno)
}

func unlink(name *byte) unix.Errno {
	return retry(func() unix.Errno {
		_, _, errno := unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)), 0, 0)
		return errno
	})
}

// unlinkBlocked tells whether even a name that can not exist is an EPERM, which
// only a sandbox would answer.
func unlinkBlocked() bool {
	var empty byte
	return unlink(&empty) == unix.EPERM
}

// Name returns the queue's name, as the caller gave it.
func (q *Queue) Name() string { return q.name }

// Attr returns the queue's sizes and how many messages it holds.
func (q *Queue) Attr() (Attr, error) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.fd < 0 {
		return Attr{}, ErrClosed
	}
	var a kernelAttr
	_, _, errno := unix.Syscall(unix.SYS_MQ_GETSETATTR, uintptr(q.fd), 0,
		uintptr(unsafe.Pointer(&a)))
	if errno != 0 {
		return Attr{}, callError("mq_getattr", q.name, errno)
	}
	return Attr{MaxMsg: a.maxmsg, MsgSize: a.msgsize, CurMsgs: a.curmsgs}, nil
}

// Send puts a message into the queue. While the queue is full it blocks until
// the deadline, an absolute time of the wall clock (CLOCK_REALTIME), and then
// returns ErrTimedOut; a deadline that is past, such as the zero time, means not
// to block. Of waiting messages, higher priorities are received first.
func (q *Queue) Send(msg []byte, priority uint32, deadline time.Time) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.fd < 0 {
		return ErrClosed
	}
	at := realtime(deadline)
	// Absolute, so a repeat after a signal does not stretch the wait.
	errno := retry(func() unix.Errno {
		_, _, errno := unix.Syscall6(sysTimedSend, uintptr(q.fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(msg))), uintptr(len(msg)),
			uintptr(priority), uintptr(unsafe.Pointer(&at)), 0)
		return errno
	})
	if errno == unix.EMSGSIZE {
		return fmt.Errorf("mq_timedsend %s: message of %d bytes, the queue takes %d: %w",
			q.name, len(msg), q.attr.MsgSize, errno)
	}
	return callError("mq_timedsend", q.name, errno)
}

// Receive takes the oldest message of the highest priority into buf, which must
// hold at least Attr.MsgSize bytes, and returns its length. While the queue is
// empty it blocks as Send does.
func (q *Queue) Receive(buf []byte, deadline time.Time) (n int, priority uint32, err error) {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.fd < 0 {
		return 0, 0, ErrClosed
	}
	at := realtime(deadline)
	errno := retry(func() unix.Errno {
		r, _, errno := unix.Syscall6(sysTimedReceive, uintptr(q.fd),
			uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)),
			uintptr(unsafe.Pointer(&priority)), uintptr(unsafe.Pointer(&at)), 0)
		n = int(r)
		return errno
	})
	switch errno {
	case 0:
		return n, priority, nil
	case unix.EMSGSIZE:
		return 0, 0, fmt.Errorf("mq_timedreceive %s: buffer of %d bytes, want %d: %w",
			q.name, len(buf), q.attr.MsgSize, errno)
	}
	return 0, 0, callError("mq_timedreceive", q.name, errno)
}

// Close closes the queue for this process; it waits for calls that block. The
// queue and its messages stay until Unlink. A second call does nothing.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fd < 0 {
		return nil
	}
	fd := q.fd
	q.fd = -1
	if err := unix.Close(fd); err != nil {
		return fmt.Errorf("close %s: %w", q.name, err)
	}
	return nil
}

// cName returns the name as the kernel takes it.
func cName(name string) (*byte, error) {
	bare := strings.TrimPrefix(name, "/")
	switch {
	case bare == "", bare == ".", bare == "..", strings.ContainsAny(bare, "/\x00"):
		return nil, fmt.Errorf("%w: %q", ErrName, name)
	case len(bare) > unix.NAME_MAX:
		return nil, fmt.Errorf("%w: %d bytes, want at most %d", ErrName, len(bare), unix.NAME_MAX)
	}
	return unix.BytePtrFromString(bare)
}

// retry repeats a call that a signal interrupted.
func retry(call func() unix.Errno) unix.Errno {
	for {
		if errno := call(); errno != unix.EINTR {
			return errno
		}
	}
}

// realtime converts a deadline, clamped to what the kernel takes.
func realtime(deadline time.Time) kernelTime {
	sec := deadline.Unix()
	switch {
	case sec < 0:
		return kernelTime{}
	case sec > math.MaxInt32<<2: // far behind every use, and no overflow in the kernel
		return kernelTime{sec: math.MaxInt32 << 2}
	}
	return kernelTime{sec: sec, nsec: int64(deadline.Nanosecond())}
}
