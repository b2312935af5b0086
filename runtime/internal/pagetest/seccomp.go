package pagetest

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Forbid makes the given system calls fail with errno on every thread of this
// process from now on, as a sandbox does (seccomp(2)).
func Forbid(errno unix.Errno, calls ...uint32) error {
	const (
		allow      = 0x7fff0000 // SECCOMP_RET_ALLOW
		fail       = 0x00050000 // SECCOMP_RET_ERRNO
		modeFilter = 1          // SECCOMP_SET_MODE_FILTER
		allThreads = 1          // SECCOMP_FILTER_FLAG_TSYNC
	)
	load := unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0} // seccomp_data.nr
	filter := []unix.SockFilter{load}
	for _, nr := range calls {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: nr, Jf: 1},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: fail | uint32(errno)})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: allow})
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// On every thread: the filter is put on all of them by TSYNC, but only one
	// that has no_new_privs, or is root, may ask for it.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, modeFilter, allThreads,
		uintptr(unsafe.Pointer(&prog)))
	if e != 0 {
		return e
	}
	return nil
}
