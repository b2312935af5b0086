// Package serve is the writer's side of the command: it publishes on a schedule,
// or what it reads line by line.
package serve

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/stop"
)

// Options says how much to publish and how often.
type Options struct {
	Updates  uint64        // 0: until stopped
	Interval time.Duration // before each update; 0: as fast as it goes
}

// Updates publishes k<id>=value-<id>, the first after one interval. It returns
// nil when all are out, or when ctx ended and there was no number to reach.
func Updates(ctx context.Context, w *shkv2.Writer, o Options) error {
	next, err := w.Segment().ReadCounter(shkv2.Layout().Lock, time.Time{})
	if err != nil {
		return err
	}
	tick, stopTicks := ticks(o.Interval)
	defer stopTicks()
	for done := uint64(0); o.Updates == 0 || done < o.Updates; done++ {
		select {
		case <-tick:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return stopped(ctx, w, done, o.Updates)
		}
		next++
		id := strconv.FormatUint(next, 10)
		if next, err = w.Publish("k"+id, "value-"+id); err != nil {
			return err
		}
	}
	return nil
}

// ticks paces the updates. A program that was held up, stopped by SIGSTOP say,
// goes on with the next interval and does not catch up in a burst.
func ticks(interval time.Duration) (tick <-chan time.Time, stop func()) {
	if interval > 0 {
		t := time.NewTicker(interval)
		return t.C, t.Stop
	}
	always := make(chan time.Time)
	close(always)
	return always, func() {}
}

// stopped is a clean end only where there was no number to reach.
func stopped(ctx context.Context, w *shkv2.Writer, done, of uint64) error {
	cause := context.Cause(ctx)
	var signal stop.Signal
	if of == 0 && errors.As(cause, &signal) {
		return nil
	}
	return fmt.Errorf("%s: %w: %d of %d updates published", w.Segment().Path(), cause, done, of)
}
