package conformance

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// mqOpen is mq_open(2) with the system's sizes, mqUnlink mq_unlink(2): the names
// have no slash.
func mqOpen(name *byte, flags, mode int) (fd int, errno unix.Errno) {
	r, _, errno := unix.Syscall6(unix.SYS_MQ_OPEN,
		uintptr(unsafe.Pointer(name)), uintptr(flags), uintptr(mode), 0, 0, 0)
	return int(r), errno
}

func mqUnlink(name *byte) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_MQ_UNLINK, uintptr(unsafe.Pointer(name)), 0, 0)
	return errno
}
