package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/shmkv/shmkv/generated/go/shkv2"
)

// Options says what to measure.
type Options struct {
	Path     string
	Rounds   uint64
	Channels Channels

	// Command returns the arguments that make this program a consumer.
	Command func(ConsumerOptions) []string
}

// Run measures each channel in turn and passes its row on. It is the page's
// writer meanwhile: each round is an update of the page. A channel that can not
// be measured does not keep the others from it; the error is then a Failures.
func Run(ctx context.Context, o Options, row func(Result) error) error {
	removeLeftQueues()
	w, err := shkv2.Create(o.Path)
	if err != nil {
		return err
	}
	defer w.Close()
	var failures []error
	for _, name := range o.Channels {
		r, err := measure(ctx, w, find(name), o)
		if err != nil {
			failures = append(failures, fmt.Errorf("bench: %s: %w", name, err))
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if err := row(r); err != nil {
			return err
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return Failures(failures)
}

// Failures are the channels that could not be measured.
type Failures []error

func (f Failures) Error() string { return errors.Join(f...).Error() }

// Unwrap returns each of them.
func (f Failures) Unwrap() []error { return f }

// Report prints a line for each of them.
func (f Failures) Report(w io.Writer, program string) {
	for _, err := range f {
		fmt.Fprintf(w, "%s: %v\n", program, err)
	}
}

// measure runs one row: it sets the channel up, starts the consumer, and leaves
// neither behind.
func measure(ctx context.Context, w *shkv2.Writer, ch *channel, o Options) (r Result, err error) {
	s, err := ch.make()
	if err != nil {
		return Result{}, err
	}
	defer s.close()
	control, file, err := newControl()
	if err != nil {
		return Result{}, err
	}
	defer control.unmap()
	defer file.Close()
	p := &producer{writer: w, page: pageOf(w.Segment()), control: control}
	if p.id, err = p.page.counter(); err != nil {
		return Result{}, err
	}
	args := o.Command(ConsumerOptions{
		Path: o.Path, Channel: ch.name, Rounds: o.Rounds, After: p.id, Producer: os.Getpid(),
	})
	p.consumer, err = start(args, append([]*os.File{file}, s.files()...))
	if err != nil {
		return Result{}, err
	}
	s.started()
	// Whoever else watches the page missed the wakes of a channel that has its own.
	defer p.page.lock.Wake(w.Segment().Base()) //nolint:errcheck // a courtesy
	if r, err = p.rounds(ctx, ch, s, o.Rounds); err == nil {
		return r, p.consumer.end()
	}
	if ctx.Err() == nil {
		if why := p.consumer.reason(); why != nil {
			err = why
		}
	}
	p.consumer.kill()
	return r, err
}
