package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/stop"
)

// Lines publishes each line key=value of in as it comes, until the input or ctx
// ends. A line that does not fit is never cut: it is reported to refuse with its
// number, skipped, and makes the result an error at the end.
func Lines(
	ctx context.Context, w *shkv2.Writer, in io.Reader, refuse func(line uint64, why error),
) error {
	lines := make(chan line)
	go read(ctx, in, lines)
	var total, refused uint64
	for more := true; more; {
		select {
		case l, ok := <-lines:
			if !ok {
				more = false
				break
			}
			if l.readError != nil {
				return l.readError
			}
			total++
			if err := publish(w, l); errors.Is(err, errRefused) {
				refused++
				refuse(total, err)
			} else if err != nil {
				return err
			}
		case <-ctx.Done():
			more = false
		}
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d lines refused", refused, total)
	}
	var signal stop.Signal
	if cause := context.Cause(ctx); cause != nil && !errors.As(cause, &signal) {
		return cause
	}
	return nil
}

// errRefused marks a line that the layout has no room for.
var errRefused = errors.New("refused")

func publish(w *shkv2.Writer, l line) error {
	if l.fault != nil {
		return l.fault
	}
	if _, err := w.Publish(string(l.key), string(l.value)); err != nil {
		return err
	}
	return nil
}

// line is what became of one line of input.
type line struct {
	key, value []byte
	fault      error // why it is refused
	readError  error // the input failed; there is no line
}

// read sends the lines of in until it ends. It lives on its own because a read
// of a terminal or pipe can not be cancelled: the program ends around it.
func read(ctx context.Context, in io.Reader, lines chan<- line) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 4096)
	for {
		l, ok := next(r)
		if !ok {
			return
		}
		select {
		case lines <- l:
		case <-ctx.Done():
			return
		}
		if l.readError != nil {
			return
		}
	}
}

// next reads one line, in pieces: a huge one needs no more memory than another.
// The last needs no newline.
func next(r *bufio.Reader) (l line, ok bool) {
	p := newPair()
	for {
		piece, err := r.ReadSlice('\n')
		if n := len(piece); n > 0 {
			ok = true
			if piece[n-1] == '\n' {
				piece = piece[:n-1]
			}
			p.feed(piece)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && err != io.EOF:
			return line{readError: err}, true
		default:
			return line{key: p.key.kept, value: p.value.kept, fault: p.fault()}, ok
		}
	}
}
