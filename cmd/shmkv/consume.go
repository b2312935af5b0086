package main

import (
	"strconv"

	"github.com/shmkv/shmkv/internal/bench"
)

// consumeCmd is the process that bench wakes. Its command line is no contract.
type consumeCmd struct {
	File     string `arg:""`
	Channel  string `required:""`
	Rounds   uint64 `required:""`
	After    uint64 `required:""`
	Producer int    `required:""`
}

// consumeArgs is the command line of a consumer.
func consumeArgs(o bench.ConsumerOptions) []string {
	return []string{
		"bench-consumer",
		"--channel=" + o.Channel,
		"--rounds=" + strconv.FormatUint(o.Rounds, 10),
		"--after=" + strconv.FormatUint(o.After, 10),
		"--producer=" + strconv.Itoa(o.Producer),
		"--", o.Path,
	}
}

// Run answers the rounds of a producer.
func (c *consumeCmd) Run() error {
	return bench.Consume(bench.ConsumerOptions{
		Path: c.File, Channel: c.Channel, Rounds: c.Rounds, After: c.After, Producer: c.Producer,
	})
}
