package main

import (
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/internal/arg"
	"github.com/shmkv/shmkv/internal/serve"
	"github.com/shmkv/shmkv/internal/stop"
	"github.com/shmkv/shmkv/runtime/segment"
)

type serveCmd struct {
	File       string     `arg:"" help:"The page. A file that does not exist is made; one that does is continued."`
	Updates    arg.Count  `default:"0" placeholder:"N" xor:"updates" help:"Stop after N updates (default: 0, never)."`
	IntervalMs arg.Millis `default:"1000" placeholder:"M" xor:"interval" help:"Milliseconds before each update (default: 1000)."`
	Stdin      bool       `xor:"updates,interval" help:"Publish lines key=value of standard input instead, as they come."`
	Mode       arg.Mode   `default:"600" placeholder:"OCTAL" help:"Permissions of a file that is made (default: 600)."`
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
	ctx, cancel := stop.Context()
	defer cancel(nil)
	w, err := shkv2.Create(c.File, segment.Mode(fs.FileMode(c.Mode)))
	if err != nil {
		return err
	}
	defer w.Close()
	if c.Stdin {
		return serve.Lines(ctx, w, os.Stdin, func(line uint64, why error) {
			fmt.Fprintf(os.Stderr, "%s: line %d: %v\n", program, line, why)
		})
	}
	return serve.Updates(ctx, w, serve.Options{
		Updates: uint64(c.Updates), Interval: time.Duration(c.IntervalMs),
	})
}
