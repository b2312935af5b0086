package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/internal/arg"
	"github.com/shmkv/shmkv/internal/bench"
	"github.com/shmkv/shmkv/internal/cli"
	"github.com/shmkv/shmkv/internal/output"
	"github.com/shmkv/shmkv/internal/stop"
)

type benchCmd struct {
	File    string         `arg:"" help:"The page: made or continued, and left behind."`
	Rounds  arg.Count      `default:"2000" placeholder:"N" help:"Rounds per channel (default: 2000)."`
	Channel bench.Channels `default:"futex" placeholder:"NAME" help:"One, some with commas, or all."`
	JSON    bool           `help:"Print one JSON object per channel and nothing else."`
}

// Help is shown by bench --help.
func (benchCmd) Help() string {
	return `A second process blocks on one kernel object. Each round publishes one update into the
page, wakes that process, and measures in microseconds how long it takes until it has read the
update; the next round starts when it has answered.

Channels: futex (the default), futex-parked, pipe, eventfd, mq, unix and poll.

In most rounds of "futex" the other process sees the update before it has fallen asleep: that is
the channel's fast path. The row "futex-parked" wakes it only when it is known to sleep. --json
also says in how many rounds it slept.`
}

// Run measures the channels.
func (c *benchCmd) Run() error {
	if c.Rounds == 0 {
		return cli.Usagef("--rounds: want at least 1")
	}
	ctx, cancel := stop.Context()
	defer cancel(nil)
	out := output.New(os.Stdout)
	out.WatchReader(cancel)
	return bench.Run(ctx, bench.Options{
		Path: c.File, Rounds: uint64(c.Rounds), Channels: c.Channel, Command: consumeArgs,
	}, func(r bench.Result) error { return c.print(ctx, out, &r) })
}

func (c *benchCmd) print(ctx context.Context, out *output.Lines, r *bench.Result) error {
	if c.JSON {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		return out.Write(ctx, append(line, '\n'))
	}
	if err := out.Write(ctx, []byte(r.String()+"\n")); err != nil {
		return err
	}
	if terminal(os.Stderr) {
		fmt.Fprintf(os.Stderr, "       slept in %d rounds, %d unobserved\n", r.Slept, r.Unobserved)
	}
	return nil
}

// terminal tells whether a person reads the file.
func terminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
