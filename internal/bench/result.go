package bench

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Result is one row. Microseconds are rounded down.
type Result struct {
	Channel string `json:"channel"`
	Rounds  uint64 `json:"rounds"`
	P50us   int64  `json:"p50_us"`
	P99us   int64  `json:"p99_us"`
	P50ns   int64  `json:"p50_ns"`
	P90ns   int64  `json:"p90_ns"`
	P99ns   int64  `json:"p99_ns"`
	MaxNs   int64  `json:"max_ns"`

	// Slept counts the rounds in which the consumer's thread gave up its
	// processor, Unobserved those of which there is no latency.
	Slept      uint64 `json:"slept"`
	Unobserved uint64 `json:"unobserved"`
}

// String is the line for people.
func (r *Result) String() string {
	return fmt.Sprintf("bench: channel=%s rounds=%d p50_us=%d p99_us=%d",
		r.Channel, r.Rounds, r.P50us, r.P99us)
}

// longest is the longest latency told apart from longer ones.
const longest = time.Minute

// tally collects the rounds of a row.
type tally struct {
	latencies *hdrhistogram.Histogram // in ns
	slept     uint64
}

func newTally() *tally {
	const digits = 3 // of each latency that count
	return &tally{latencies: hdrhistogram.New(1, int64(longest), digits)}
}

func (t *tally) add(ns int64) {
	_ = t.latencies.RecordValue(min(max(ns, 0), int64(longest))) // inside the range by construction
}

func (t *tally) result(channel string, rounds uint64) Result {
	at := func(percent float64) int64 { return t.latencies.ValueAtPercentile(percent) }
	r := Result{
		Channel: channel, Rounds: rounds,
		P50ns: at(50), P90ns: at(90), P99ns: at(99), MaxNs: t.latencies.Max(),
		Slept: t.slept, Unobserved: rounds - uint64(t.latencies.TotalCount()),
	}
	r.P50us, r.P99us = r.P50ns/1000, r.P99ns/1000
	return r
}
