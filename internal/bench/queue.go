package bench

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/shmkv/shmkv/runtime/mq"
)

// queuePrefix and the producer's process id name a queue.
const queuePrefix = "shmkv-bench-"

func queueName(pid int) string { return fmt.Sprintf("%s%d", queuePrefix, pid) }

// queueSlice is how long one send or receive may block.
const queueSlice = time.Second

// queue is a POSIX message queue that carries the update's id.
type queue struct {
	alone
	*mq.Queue
}

// newQueue makes the queue of this process. One that is there already was left
// by a dead process that had the same id, and may hold its messages.
func newQueue() (signaller, error) {
	name := queueName(os.Getpid())
	const messages, size = 8, 8
	open := func() (*mq.Queue, error) {
		return mq.Create(name, mq.Mode(0o600), mq.MaxMsg(messages), mq.MsgSize(size))
	}
	q, err := open()
	if errors.Is(err, fs.ErrExist) {
		if err := mq.Unlink(name); err != nil {
			return nil, err
		}
		q, err = open()
	}
	if err != nil {
		return nil, err
	}
	return &queue{Queue: q}, nil
}

func (q *queue) close() {
	_ = mq.Unlink(q.Name()) // before the close: the name is what must not stay
	_ = q.Close()
}

func (q *queue) publish(p *producer) error {
	if err := p.publishQuietly(); err != nil {
		return err
	}
	var message [8]byte
	binary.NativeEndian.PutUint64(message[:], p.id)
	err := q.Send(message[:], 0, time.Now().Add(queueSlice))
	if errors.Is(err, mq.ErrTimedOut) {
		return errTooSlow // with one round in flight the queue is never full
	}
	return err
}

type queueWaiter struct{ *mq.Queue }

func joinQueue(c *consumer) (waiter, error) {
	q, err := mq.Open(queueName(c.Producer))
	if err != nil {
		return nil, err
	}
	return &queueWaiter{q}, nil
}

func (w *queueWaiter) wait(_ *consumer, _, id uint64) error {
	var message [8]byte
	for {
		_, _, err := w.Receive(message[:], time.Now().Add(queueSlice))
		switch {
		case errors.Is(err, mq.ErrTimedOut):
			// A producer that is gone ends this process; one that is stopped does not.
			continue
		case err != nil:
			return err
		}
		if got := binary.NativeEndian.Uint64(message[:]); got != id {
			return fmt.Errorf("%s: message %d, want %d", w.Name(), got, id)
		}
		return nil
	}
}
