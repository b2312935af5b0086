package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/runtime/futex"
	"golang.org/x/sys/unix"
)

const (
	// spinFor is how long the producer spins for an answer before it sleeps: more
	// than a wake-up takes, so that the next publish follows the answer at once.
	spinFor = 300 * time.Microsecond

	// slice is one sleep for an answer. After maxSlices the consumer has not been
	// waiting but is lost; slices count only while this process runs.
	slice     = 100 * time.Millisecond
	maxSlices = 100

	// gap lets a consumer that is asleep settle: a processor that has just gone
	// idle wakes faster than one that has been so for a while.
	gap = 20 * time.Microsecond
)

var errTooSlow = fmt.Errorf("the consumer has not answered for %v", maxSlices*slice)

// producer is the process that wakes.
type producer struct {
	writer *shkv2.Writer
	page   *page
	id     uint64 // of the last update

	record struct {
		_    [0]uint64 // the runtime copies whole words
		slot shkv2.Slot
	}

	control  *control
	consumer *process
}

// rounds runs a row whose consumer has just been started.
func (p *producer) rounds(
	ctx context.Context, ch *channel, s signaller, n uint64,
) (r Result, err error) {
	defer p.page.seg.Catch(debug.SetPanicOnFault(true), &err)
	t := newTally()
	if err := p.await(ctx, func() bool { return p.control.answered(0) }); err != nil {
		return Result{}, err
	}
	for round := uint64(1); round <= n; round++ {
		if err := p.round(ctx, ch, s, round); err != nil {
			if errors.Is(err, context.Cause(ctx)) {
				err = fmt.Errorf("%w: %d of %d rounds", err, round-1, n)
			}
			return Result{}, err
		}
		if !ch.parked || p.control.parked {
			t.add(p.control.latency)
		}
		if p.control.slept {
			t.slept++
		}
	}
	r = t.result(ch.name, n)
	// Fewer than 99 in 100 rounds parked: the figure would be of something else.
	if ch.parked && r.Unobserved > n/100 {
		return Result{}, fmt.Errorf("only %d of %d rounds found the consumer asleep: no figure",
			n-r.Unobserved, n)
	}
	return r, nil
}

func (p *producer) round(ctx context.Context, ch *channel, s signaller, round uint64) error {
	if err := p.alive(ctx); err != nil { // an answer that comes at once asks nobody
		return err
	}
	if ch.parked {
		if err := p.awaitParked(ctx, round); err != nil {
			return err
		}
	}
	p.id++
	if err := p.stamp(); err != nil {
		return err
	}
	if err := s.publish(p); err != nil {
		if lost := p.page.seg.Check(); lost != nil {
			return lost // the reason why the wake found no word
		}
		return err
	}
	return p.await(ctx, func() bool { return p.control.answered(round) })
}

// stamp makes the record of the next update: its value is the time.
func (p *producer) stamp() error {
	slot := &p.record.slot
	var key, value [24]byte
	if err := slot.SetKey(string(strconv.AppendUint(append(key[:0], 'k'), p.id, 10))); err != nil {
		return err
	}
	return slot.SetValue(string(strconv.AppendInt(value[:0], nanotime(), 10)))
}

// publishQuietly is W1..W6, for a channel whose signal comes instead of W7.
func (p *producer) publishQuietly() error {
	p.page.lock.Publish(p.page.seg.Base(), unsafe.Pointer(&p.record.slot))
	return nil
}

// await waits for the consumer: first spinning, then asleep on ack.
func (p *producer) await(ctx context.Context, done func() bool) error {
	for start := nanotime(); nanotime()-start < int64(spinFor); {
		for range 64 {
			if done() {
				return nil
			}
		}
		yield() // on a single processor, the consumer needs it
	}
	p.control.waiting.Store(1) // pairs with the load in answer
	defer p.control.waiting.Store(0)
	for range maxSlices {
		ack := p.control.ack.Load()
		if done() {
			return nil
		}
		if err := p.alive(ctx); err != nil {
			return err
		}
		_ = futex.Wait(p.control.ackWord(), ack, slice) // whatever ends it, look again
	}
	return errTooSlow
}

// awaitParked waits until the consumer sleeps in the FUTEX_WAIT of this round.
func (p *producer) awaitParked(ctx context.Context, round uint64) error {
	armed := func() bool { return p.control.armed.Load() == uint32(round) }
	if err := p.await(ctx, armed); err != nil {
		return err
	}
	for start := nanotime(); ; yield() {
		asleep, err := p.consumer.asleep(p.control.thread)
		if err != nil {
			return err
		}
		if asleep {
			break
		}
		if err := p.alive(ctx); err != nil {
			return err
		}
		if nanotime()-start > int64(maxSlices*slice) {
			return errTooSlow
		}
	}
	for start := nanotime(); nanotime()-start < int64(gap); {
		continue
	}
	return nil
}

// alive returns an error when there is nobody to wait for, or no time.
func (p *producer) alive(ctx context.Context) error {
	select {
	case <-p.consumer.done:
		return errConsumerGone
	case <-ctx.Done():
		return context.Cause(ctx)
	default:
		return nil
	}
}

// yield gives the processor to another process.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }
