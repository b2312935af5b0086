package bench

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/shmkv/shmkv/runtime/mq"
)

// removeLeftQueues unlinks the queues of benches whose both processes were
// killed with SIGKILL: a queue lives until it is unlinked. Queues can only be
// listed where their file system is mounted; elsewhere nothing is done.
func removeLeftQueues() {
	for _, dir := range queueDirs() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if pid, ok := queueOwner(e.Name()); ok && dead(pid) {
				_ = mq.Unlink(e.Name()) // that of another user stays
			}
		}
	}
}

// queueOwner returns the process whose queue has this name.
func queueOwner(name string) (pid int, ok bool) {
	digits, ok := strings.CutPrefix(name, queuePrefix)
	if !ok {
		return 0, false
	}
	pid, err := strconv.Atoi(digits)
	return pid, err == nil && pid > 0 && queueName(pid) == name
}

func dead(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// queueDirs returns where message queues are mounted, usually /dev/mqueue.
func queueDirs() []string {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	defer f.Close()
	return parseQueueDirs(f)
}

// parseQueueDirs reads proc_pid_mountinfo(5): the mount point is the fifth
// field, the type of the file system stands behind a lone dash.
func parseQueueDirs(mountinfo io.Reader) []string {
	var dirs []string
	lines := bufio.NewScanner(mountinfo)
	for lines.Scan() {
		mount, fsType, _ := strings.Cut(lines.Text(), " - ")
		fields := strings.Fields(mount)
		if len(fields) > 4 && strings.HasPrefix(fsType, "mqueue ") {
			dirs = append(dirs, unescape(fields[4]))
		}
	}
	return dirs
}

// unescape turns the octal escapes of a mount point, such as \040, back.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+4 <= len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
