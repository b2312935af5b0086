package bench

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// stream is a channel of 8-byte messages over descriptors: an eventfd's counter,
// or the update's id through a pipe or a socket. The descriptors block; nothing
// of Go's poller stands between.
type stream struct {
	ours, theirs *os.File
	fd           int // of ours
	message      func(id uint64) uint64
}

func theID(id uint64) uint64 { return id }

func newPipe() (signaller, error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, os.NewSyscallError("pipe2", err)
	}
	return newStream(fds[1], fds[0], "pipe", theID), nil
}

func newSocket() (signaller, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	return newStream(fds[0], fds[1], "socket", theID), nil
}

func newEventfd() (signaller, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("eventfd2", err)
	}
	return newStream(fd, fd, "eventfd", func(uint64) uint64 { return 1 }), nil
}

func newStream(ours, theirs int, name string, message func(uint64) uint64) *stream {
	s := &stream{ours: os.NewFile(uintptr(ours), name), fd: ours, message: message}
	s.theirs = s.ours
	if theirs != ours {
		s.theirs = os.NewFile(uintptr(theirs), name)
	}
	return s
}

func (s *stream) files() []*os.File { return []*os.File{s.theirs} }

// started closes the consumer's end here, so that its death is an error for a
// write, and our death an end of file for its read.
func (s *stream) started() {
	if s.theirs != s.ours {
		_ = s.theirs.Close()
	}
}

func (s *stream) close() {
	s.started() // a second close of a file does nothing
	_ = s.ours.Close()
}

func (s *stream) publish(p *producer) error {
	if err := p.publishQuietly(); err != nil {
		return err
	}
	var message [8]byte
	binary.NativeEndian.PutUint64(message[:], s.message(p.id))
	for {
		// 8 bytes go whole or not at all: there is room for them.
		_, err := unix.Write(s.fd, message[:])
		switch err {
		case unix.EINTR:
		case unix.EPIPE, unix.ECONNRESET:
			return errConsumerGone
		default:
			return os.NewSyscallError("write", err)
		}
	}
}

type streamWaiter struct{ fd int }

func joinStream(*consumer) (waiter, error) { return &streamWaiter{channelFD}, nil }

func (w *streamWaiter) wait(_ *consumer, _, _ uint64) error {
	var message [8]byte
	for at := 0; at < len(message); {
		n, err := unix.Read(w.fd, message[at:])
		switch {
		case err == unix.EINTR:
		case err != nil:
			return os.NewSyscallError("read", err)
		case n == 0:
			return errProducerGone
		default:
			at += n
		}
	}
	return nil
}

// errProducerGone: the other process of the row has ended.
var errProducerGone = fmt.Errorf("the producer is gone: %w", io.ErrUnexpectedEOF)
