package conformance

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// futexCalls are the numbers of futex(2) in /proc/PID/syscall: of this machine,
// then futex and futex_time64 of a 386 program on it.
var futexCalls = []string{strconv.Itoa(syscall.SYS_FUTEX), "240", "422"}

// asleep tells whether a thread of a process is in a shared FUTEX_WAIT on the
// page's word with the value expected. An emulator's threads count as its
// program's.
func asleep(pid int, expected uint32) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/syscall", pid))
	return slices.ContainsFunc(threads, func(path string) bool {
		text, _ := os.ReadFile(path)
		f := strings.Fields(string(text))
		return len(f) > 3 && slices.Contains(futexCalls, f[0]) && strings.HasSuffix(f[1], "00c") &&
			f[2] == "0x0" && f[3] == fmt.Sprintf("%#x", expected)
	})
}

// sleepsOn waits until a process is asleep on a value of the futex word.
func sleepsOn(t *testing.T, p *process, expected uint32) {
	t.Helper()
	eventually(t, fmt.Sprintf("%v asleep on %d", p.cmd.Args, expected), func() bool {
		select {
		case <-p.done:
			t.Fatalf("%v has ended: %v: %s", p.cmd.Args, p.cmd.ProcessState, &p.stderr)
		default:
		}
		return asleep(p.pid(), expected)
	})
}

// readOnly says what in a process could write to a file it has mapped: "" is
// nothing. A process that has not mapped it at all is no proof.
func readOnly(pid int, path string) (fault string, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return "", err
	}
	mapped := 0
	for line := range strings.Lines(string(maps)) {
		f := strings.Fields(line)
		if len(f) < 6 || strings.Join(f[5:], " ") != path {
			continue
		}
		mapped++
		if f[1] != "r--s" {
			return "mapped " + f[1] + ", want r--s", nil
		}
	}
	opened := 0
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return "", err
	}
	for _, fd := range fds {
		if target, _ := os.Readlink(fd); target != path {
			continue
		}
		opened++
		mode, err := openMode(strings.Replace(fd, "/fd/", "/fdinfo/", 1))
		if err != nil {
			return "", err
		}
		if mode != os.O_RDONLY {
			return fmt.Sprintf("descriptor %s is opened for writing", filepath.Base(fd)), nil
		}
	}
	if mapped == 0 || opened == 0 {
		return fmt.Sprintf("%d mappings and %d descriptors of %s", mapped, opened, path), nil
	}
	return "", nil
}

// word returns where the futex word of a page lies in a process.
func word(t *testing.T, p *process, path string) uint64 {
	t.Helper()
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.pid()))
	require.NoError(t, err)
	for line := range strings.Lines(string(maps)) {
		f := strings.Fields(line)
		if len(f) < 6 || strings.Join(f[5:], " ") != path {
			continue
		}
		start, _, _ := strings.Cut(f[0], "-")
		base, err := strconv.ParseUint(start, 16, 64)
		require.NoError(t, err)
		return base + 12
	}
	t.Fatalf("%v has not mapped %s", p.cmd.Args, path)
	return 0
}

// openMode reads the access mode of a descriptor.
func openMode(fdinfo string) (int, error) {
	text, err := os.ReadFile(fdinfo)
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), "flags:")
	flags, err := strconv.ParseInt(strings.Fields(after)[0], 8, 64)
	return int(flags) & syscall.O_ACCMODE, err
}

// voluntarySwitches of a process's main thread.
func voluntarySwitches(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, after, _ := strings.Cut(string(text), "\nvoluntary_ctxt_switches:")
	n, err := strconv.Atoi(strings.Fields(after)[0])
	require.NoError(t, err)
	return n
}

// counter reads the update counter of a page at rest or at work; a torn one is
// no less than what was there before.
func counter(path string) uint64 {
	data, err := os.ReadFile(path)
	if err != nil || len(data) != pageSize {
		return 0
	}
	return binary.LittleEndian.Uint64(data[16:])
}

// grows waits until somebody publishes into a page.
func grows(t *testing.T, path string) {
	t.Helper()
	eventually(t, "updates of "+path, func() bool { return counter(path) > 2 })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
