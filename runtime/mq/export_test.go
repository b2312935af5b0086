package mq

// FD returns the queue's descriptor.
func (q *Queue) FD() uintptr { return uintptr(q.fd) }

// The calls of this target.
const (
	SysTimedSend    = sysTimedSend
	SysTimedReceive = sysTimedReceive
)
