package bench

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// signaller is the producer's end of a channel.
type signaller interface {
	// publish puts the record that is in p into the page and signals it.
	publish(p *producer) error

	// files are the descriptors that the consumer's end needs.
	files() []*os.File

	// started comes when the consumer has its own copies of files.
	started()

	// close frees what the channel holds in the system.
	close()
}

// waiter is the consumer's end of a channel.
type waiter interface {
	// wait blocks until the channel says that update id is there, which is
	// published in the given round.
	wait(c *consumer, round, id uint64) error
}

// channel is one row of the table.
type channel struct {
	name string
	make func() (signaller, error)
	join func(c *consumer) (waiter, error)

	// parked rows publish only to a consumer that is asleep, and count no
	// other round.
	parked bool
}

// channels is THE table of channels, in the order of --channel all.
var channels = []channel{
	{name: "futex", make: newFutex, join: joinFutex},
	{name: "futex-parked", make: newFutex, join: joinParked, parked: true},
	{name: "pipe", make: newPipe, join: joinStream},
	{name: "eventfd", make: newEventfd, join: joinStream},
	{name: "mq", make: newQueue, join: joinQueue},
	{name: "unix", make: newSocket, join: joinStream},
	{name: "poll", make: newPoll, join: joinPoll},
}

// Channels is a value of --channel: names with commas between them, or all.
type Channels []string

// UnmarshalText reads a Channels.
func (c *Channels) UnmarshalText(text []byte) error {
	*c = nil
	if string(text) == "all" {
		*c = Names()
		return nil
	}
	for name := range strings.SplitSeq(string(text), ",") {
		switch {
		case find(name) == nil:
			return fmt.Errorf("%q is not a channel, want all or some of %s",
				name, strings.Join(Names(), ","))
		case slices.Contains(*c, name):
			return fmt.Errorf("%s is given twice", name)
		}
		*c = append(*c, name)
	}
	return nil
}

// Names lists the channels.
func Names() []string {
	names := make([]string, 0, len(channels))
	for _, ch := range channels {
		names = append(names, ch.name)
	}
	return names
}

func find(name string) *channel {
	for i := range channels {
		if channels[i].name == name {
			return &channels[i]
		}
	}
	return nil
}
