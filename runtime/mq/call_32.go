//go:build 386 || arm || mips || mipsle

package mq

import "golang.org/x/sys/unix"

// The calls with a 64-bit timespec, since Linux 5.1.
const (
	sysTimedSend    = unix.SYS_MQ_TIMEDSEND_TIME64
	sysTimedReceive = unix.SYS_MQ_TIMEDRECEIVE_TIME64
)
