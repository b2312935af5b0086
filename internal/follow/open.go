package follow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/stop"
	"github.com/shmkv/shmkv/runtime/segment"
)

const (
	// lookEvery is how often a file that is waited for is looked for.
	lookEvery = 25 * time.Millisecond

	// halfMade is how long a file of the wrong size or without the magic may be
	// one whose writer has not finished it. Create of this project shows no such
	// file, but other writers may open, resize and format in place.
	halfMade = 2 * time.Second
)

// open opens the page, and where o says so waits for it to appear.
func open(ctx context.Context, o Options) (*shkv2.Reader, error) {
	var since time.Time // the file was first seen half made
	for {
		r, err := shkv2.Open(o.Path)
		switch {
		case err == nil:
			return r, nil
		case !o.Wait:
			return nil, err
		case errors.Is(err, segment.ErrNotFound):
			since = time.Time{}
		case !errors.Is(err, segment.ErrWrongSize) && !errors.Is(err, segment.ErrBadMagic):
			return nil, err
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > halfMade:
			return nil, err
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return nil, gaveUp(ctx, o, err)
		}
	}
}

// gaveUp says why there is no page: an endless run that is stopped has not failed.
func gaveUp(ctx context.Context, o Options, err error) error {
	cause := context.Cause(ctx)
	var signal stop.Signal
	if o.Events == 0 && errors.As(cause, &signal) {
		return errStopped
	}
	return fmt.Errorf("%s: %w while waiting for the file: %w", o.Path, cause, err)
}

// errStopped: there is no page, and that is no failure.
var errStopped = errors.New("stopped")

// watchSize cancels with an error at once when the file is cut short: a sleeping
// reader would see it only at the end of its sleep. Where inotify(7) is not to be
// had, that is what happens.
func watchSize(path string, seg *segment.Segment, cancel context.CancelCauseFunc) (unwatch func()) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return func() {}
	}
	f := os.NewFile(uintptr(fd), "inotify")
	// Stores through a mapping are no IN_MODIFY; truncate(2) is.
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_MODIFY); err != nil {
		_ = f.Close()
		return func() {}
	}
	go func() {
		events := make([]byte, 4096)
		for {
			if err := seg.Check(); errors.Is(err, segment.ErrTruncated) {
				cancel(err)
				return
			}
			if _, err := f.Read(events); err != nil {
				return
			}
		}
	}()
	return func() { _ = f.Close() }
}
