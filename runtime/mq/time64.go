package mq

// kernelTime is the timespec of a call below: 64-bit seconds everywhere, so that
// a deadline behind the year 2038 is one on 32-bit targets too.
type kernelTime struct {
	sec, nsec int64
}
