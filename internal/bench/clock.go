package bench

import _ "unsafe" // for go:linkname

// nanotime is CLOCK_MONOTONIC in nanoseconds, read through the vDSO: the same
// clock in both processes of a row. time.Now reads two clocks and counts from
// the start of the process.
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64
