package main

import (
	"os"
	"time"

	"github.com/shmkv/shmkv/internal/arg"
	"github.com/shmkv/shmkv/internal/follow"
	"github.com/shmkv/shmkv/internal/output"
	"github.com/shmkv/shmkv/internal/stop"
)

// eventsDeadline holds while --events is given, and nothing else is.
const eventsDeadline = 30 * time.Second

type watchCmd struct {
	File    string       `arg:"" help:"The page."`
	Events  arg.Count    `default:"0" placeholder:"N" help:"Stop after N updates (default: 0, never)."`
	Timeout *arg.Timeout `placeholder:"D" help:"Stop after D, as 500ms or 1m (0: never)."`
	JSON    bool         `help:"Print one JSON object per update and nothing else."`
	Wait    bool         `help:"Wait for FILE to appear."`
}

// Help is shown by watch --help.
func (watchCmd) Help() string {
	return `It starts with what the page still holds, the last 8 updates at most, and then sleeps until
the next one comes. Each line is written at once, also into a pipe. When it was too slow, or
came too late, standard error says how many updates were lost.

--timeout is 30s by default where --events is given, and 0 otherwise.

Fewer than N updates of --events N when the time is up, or at SIGINT or SIGTERM, are a failure
(exit code 1). Without --events those are the ways to end it: exit code 0.

--json prints {"id":1,"lost":0,"key":"k1","value":"value-1"}: lost is the number of updates
lost before this one; key_hex and value_hex are added where the text is not UTF-8.`
}

// Run prints updates.
func (c *watchCmd) Run() error {
	ctx, cancel := stop.Context()
	defer cancel(nil)
	out := output.New(os.Stdout)
	out.WatchReader(cancel)
	text := follow.Text{Out: out, Notes: output.New(os.Stderr), Program: program}
	var printer follow.Printer = &text
	if c.JSON {
		printer = &follow.JSON{Text: text}
	}
	return follow.Run(ctx, follow.Options{
		Path: c.File, Events: uint64(c.Events), Timeout: c.timeout(), Wait: c.Wait,
	}, printer)
}

func (c *watchCmd) timeout() time.Duration {
	switch {
	case c.Timeout != nil:
		return time.Duration(*c.Timeout)
	case c.Events > 0:
		return eventsDeadline
	}
	return 0
}
