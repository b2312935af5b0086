//go:build !(386 || arm || mips || mipsle)

package mq

import "golang.org/x/sys/unix"

const (
	sysTimedSend    = unix.SYS_MQ_TIMEDSEND
	sysTimedReceive = unix.SYS_MQ_TIMEDRECEIVE
)
