// Package bench measures how long it takes to wake another process, by one kind
// of kernel object after the other.
//
// A row has two processes. The consumer, which is the program itself started
// again, blocks on the row's channel. The producer publishes round i into the
// page, and signals, only after the consumer has answered round i-1: so the
// wake-up is measured, and not the depth of a queue. The latency of a round runs
// from the stamp inside the published slot to the moment when the consumer holds
// a consistent copy of that slot.
//
// A channel's signal takes the place of W7, the futex wake: every other step of
// a publish is the same in each row.
//
// With one round in flight, a futex consumer often sees the word change before it
// ever sleeps, while the consumers of the other channels do sleep. Each row
// therefore counts the rounds in which its consumer slept, and the row
// futex-parked publishes only when the consumer is known to be asleep.
package bench
