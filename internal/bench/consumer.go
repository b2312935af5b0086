package bench

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/runtime/mq"
)

// The descriptors that a consumer inherits, behind the three standard ones.
// Standard input is the lifeline: it ends when the producer does.
const (
	controlFD = 3
	channelFD = 4
)

// ConsumerOptions is what a producer tells its consumer.
type ConsumerOptions struct {
	Path     string
	Channel  string
	Rounds   uint64
	After    uint64 // the counter of the page before the first round
	Producer int    // process id
}

// consumer is the process that is woken.
type consumer struct {
	ConsumerOptions
	page    *page
	reader  *shkv2.Reader
	control *control
	woken   bool // it was a wake that ended the FUTEX_WAIT of this round
}

// Consume is the consumer's part of a row. It ends after Rounds rounds, and with
// the producer.
func Consume(o ConsumerOptions) (err error) {
	// The producer looks at the state of this thread, and the kernel counts its
	// switches.
	runtime.LockOSThread()
	ch := find(o.Channel)
	if ch == nil {
		return fmt.Errorf("no channel %q", o.Channel)
	}
	c := consumer{ConsumerOptions: o}
	if c.control, err = inheritControl(controlFD); err != nil {
		return err
	}
	go endWithProducer(queueName(o.Producer))
	if c.reader, err = shkv2.Open(o.Path); err != nil {
		return err
	}
	defer c.reader.Close()
	c.page = pageOf(c.reader.Segment())
	w, err := ch.join(&c)
	if err != nil {
		return err
	}
	return c.run(w)
}

// endWithProducer ends this process when the producer ends, however that came
// about. After a SIGKILL there is nobody else to remove its queue.
func endWithProducer(queue string) {
	var b [1]byte
	for {
		n, err := unix.Read(int(os.Stdin.Fd()), b[:])
		if n == 0 && err == nil || err != nil && err != unix.EINTR {
			_ = mq.Unlink(queue) // in most rows there is none
			// The main thread may block in a call that nothing else ends.
			_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		}
	}
}

func (c *consumer) run(w waiter) (err error) {
	// Channels touch the page themselves, and the file may be cut short.
	defer c.page.seg.Catch(debug.SetPanicOnFault(true), &err)
	c.control.thread = uint32(unix.Gettid())
	switches, err := voluntarySwitches()
	if err != nil {
		return err
	}
	c.control.answer(0)
	for round := uint64(1); round <= c.Rounds; round++ {
		id := c.After + round
		if err := w.wait(c, round, id); err != nil {
			return err
		}
		latency, err := c.observe(id)
		if err != nil {
			return err
		}
		now, err := voluntarySwitches()
		if err != nil {
			return err
		}
		c.control.latency, c.control.slept, c.control.parked = latency, now != switches, c.woken
		switches = now
		c.control.answer(round)
	}
	return nil
}

// observe copies the record of update id and returns how old it is in ns.
func (c *consumer) observe(id uint64) (latency int64, err error) {
	var slot shkv2.Slot
	counter, err := c.reader.Slot(c.page.lock.Ring.Index(id), &slot)
	now := nanotime()
	if err != nil {
		return 0, err
	}
	if counter != id {
		return 0, fmt.Errorf("%s: update %d is the newest, want %d", c.Path, counter, id)
	}
	stamp, err := strconv.ParseInt(string(slot.ValueBytes()), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: update %d has no stamp: %w", c.Path, id, err)
	}
	return now - stamp, nil
}

// voluntarySwitches counts how often this thread gave up its processor.
func voluntarySwitches() (int64, error) {
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &ru); err != nil {
		return 0, os.NewSyscallError("getrusage", err)
	}
	return int64(ru.Nvcsw), nil
}
