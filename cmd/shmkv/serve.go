package main

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/arg"
	"github.com/shmkv/shmkv/internal/cli"
	"github.com/shmkv/shmkv/internal/output"
	"github.com/shmkv/shmkv/internal/serve"
	"github.com/shmkv/shmkv/internal/stop"
	"github.com/shmkv/shmkv/runtime/segment"
)

type serveCmd struct {
	File       string      `arg:"" help:"The page: made, or continued if it exists."`
	Updates    *arg.Count  `placeholder:"N" help:"Stop after N updates (default: 0, never)."`
	IntervalMs *arg.Millis `placeholder:"M" help:"Milliseconds before each update (default: 1000)."`
	Stdin      bool        `help:"Publish lines key=value of standard input instead, as they come."`
	Mode       arg.Mode    `default:"600" placeholder:"OCTAL" help:"Mode of a new file (default: 600)."`
}

// Help is shown by serve --help.
func (serveCmd) Help() string {
	return `Update number ID is k<ID>=value-<ID>. An existing page goes on with the next ID; what a
killed writer left half done is repaired first. A page has one writer: a second one is refused.

With --stdin, a line whose key (24 bytes) or value (40 bytes) is too long, that has no "=",
no key, or a NUL inside, is reported with its number and skipped; the exit code is then 1.

SIGINT or SIGTERM stop it: exit code 0, or 1 when that is before update N of --updates N.`
}

// Run publishes until there is nothing more to publish.
func (c *serveCmd) Run() error {
	if c.Stdin && (c.Updates != nil || c.IntervalMs != nil) {
		return cli.Usagef("--stdin goes without --updates and --interval-ms")
	}
	ctx, cancel := stop.Context()
	defer cancel(nil)
	w, err := shkv2.Create(c.File, segment.Mode(fs.FileMode(c.Mode)))
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Stdin {
		notes := output.New(os.Stderr)
		return serve.Lines(ctx, w, os.Stdin, func(line uint64, why error) {
			// The exit code tells too, if this can not be written.
			_ = notes.Write(ctx, fmt.Appendf(nil, "%s: line %d: %v\n", program, line, why))
		})
	}
	return serve.Updates(ctx, w, c.options())
}

func (c *serveCmd) options() serve.Options {
	o := serve.Options{Interval: time.Second}
	if c.Updates != nil {
		o.Updates = uint64(*c.Updates)
	}
	if c.IntervalMs != nil {
		o.Interval = time.Duration(*c.IntervalMs)
	}
	return o
}
