package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// traced is a command under strace whose process id is its own: strace watches
// from the side (-D).
func traced(calls, output string, args ...string) *exec.Cmd {
	flags := []string{"-D", "-f", "-q", "-o", output, "-e", "trace=" + calls}
	return exec.Command("strace", append(flags, args...)...)
}

// trace returns what strace wrote about a process that has ended, one line per
// call: the two halves of an interrupted line are put together again.
func trace(t *testing.T, output string, pid int) []string {
	t.Helper()
	end := regexp.MustCompile(fmt.Sprintf(`(?m)^%d +\+\+\+ exited with `, pid))
	var text []byte
	eventually(t, "the end of the trace", func() bool {
		text, _ = os.ReadFile(output)
		return end.Match(text)
	})
	var calls []string
	begun := map[string]int{} // by thread: the place of the call it is in
	resumed := regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)$`)
	for line := range strings.Lines(string(text)) {
		thread, call, _ := strings.Cut(strings.TrimSpace(line), " ")
		call = strings.TrimSpace(call)
		if m := resumed.FindStringSubmatch(call); m != nil {
			calls[begun[thread]] += m[1]
			continue
		}
		begun[thread] = len(calls)
		calls = append(calls, strings.TrimSuffix(call, "<unfinished ...>"))
	}
	return calls
}

// TestStraceOfWatchAndServe: what the contract says an outside observer sees.
func TestStraceOfWatchAndServe(t *testing.T) {
	t.Parallel()
	if !need(t, "strace") {
		return
	}
	dir := t.TempDir()
	watchOut, serveOut := filepath.Join(dir, "watch.strace"), filepath.Join(dir, "serve.strace")

	cmd := traced("futex", serveOut, program, "serve", "kv.shm", "--stdin")
	lines, err := cmd.StdinPipe()
	require.NoError(t, err)
	serve := start(t, dir, cmd) // makes the page: on one that it continued, it would wake once more
	watch := start(t, dir, traced("futex", watchOut,
		program, "watch", "kv.shm", "--events", "3", "--wait"))
	for id := range uint32(3) {
		sleepsOn(t, watch.pid(), id)
		_, err := fmt.Fprintf(lines, "k%d=value-%d\n", id+1, id+1)
		require.NoError(t, err)
	}
	watch.ends(0, "")
	require.NoError(t, lines.Close())
	serve.ends(0, "")

	var expected []string
	wait := regexp.MustCompile(
		`^futex\(0x[0-9a-f]+00c, FUTEX_WAIT, (\d+), \{tv_sec=2, tv_nsec=0\}\s*\) += `)
	for _, call := range trace(t, watchOut, watch.pid()) {
		if strings.Contains(call, "00c, ") && strings.Contains(call, "FUTEX_WAIT") {
			m := wait.FindStringSubmatch(call)
			require.NotNil(t, m, call)
			expected = append(expected, m[1])
		}
	}
	// A timeout or a signal may have led to the same sleep once more.
	assert.Equal(t, []string{"0", "1", "2"}, slices.Compact(expected))

	wakes := 0
	wake := regexp.MustCompile(`^futex\(0x[0-9a-f]+00c, FUTEX_WAKE, 2147483647\s*\) += 1$`)
	for _, call := range trace(t, serveOut, serve.pid()) {
		if wake.MatchString(call) {
			wakes++
		}
	}
	assert.Equal(t, 3, wakes)
}

// TestStraceOfQueues: the calls of a bench over a message queue.
func TestStraceOfQueues(t *testing.T) {
	t.Parallel()
	if !need(t, "strace") {
		return
	}
	dir := t.TempDir()
	output := filepath.Join(dir, "bench.strace")
	// Some 32-bit kernels' calls have a time of 64 bits and say so.
	calls := "mq_open,mq_timedsend,mq_timedreceive,mq_unlink," +
		"?mq_timedsend_time64,?mq_timedreceive_time64"
	p := start(t, dir, traced(calls, output,
		program, "bench", "kv.shm", "--channel", "mq", "--rounds", "3"))
	p.ends(0, "")
	name := regexp.QuoteMeta(fmt.Sprintf(`"shmkv-bench-%d"`, p.pid()))
	count := func(pattern string) (n int) {
		re := regexp.MustCompile("^" + pattern)
		for _, call := range trace(t, output, p.pid()) {
			if m := re.FindStringSubmatch(call); m != nil {
				n++
				if len(m) > 1 { // an absolute time of the wall clock
					sec, err := strconv.ParseInt(m[1], 10, 64)
					require.NoError(t, err)
					assert.InDelta(t, time.Now().Unix(), sec, 60)
				}
			}
		}
		return n
	}
	assert.Equal(t, 1, count(`mq_open\(`+name+
		`, O_RDWR\|O_CREAT\|O_EXCL, 0600, `+
		`\{mq_flags=0, mq_maxmsg=8, mq_msgsize=8, mq_curmsgs=\d+\}\s*\) += \d`))
	const deadline = `\{tv_sec=(\d+), tv_nsec=\d+\}\s*\)`
	assert.Equal(t, 3, count(`mq_timedsend(?:_time64)?\(\d+, ".*", 8, 0, `+deadline+` += 0$`))
	assert.Equal(t, 3, count(`mq_timedreceive(?:_time64)?\(\d+,\s+".*", 8, \[0\], `+deadline+` += 8$`))
	assert.Equal(t, 1, count(`mq_unlink\(`+name+`\s*\) += 0$`))
}

// TestInputThatStays: a line is served when it is there, not when the input ends.
func TestInputThatStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(program, "serve", "kv.shm", "--stdin")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	p := start(t, dir, cmd)
	watch := launch(t, dir, program, "watch", "kv.shm", "--wait", "--events", "2")
	// Each line is published at once, not when the buffer is full.
	_, err = io.WriteString(in, "k1=value-1\n")
	require.NoError(t, err)
	watch.line()
	assert.Equal(t, observed(1), watch.line())
	_, err = io.WriteString(in, "k2=value")
	require.NoError(t, err)
	_, err = io.WriteString(in, "-2\n")
	require.NoError(t, err)
	assert.Equal(t, observed(2), watch.line())
	require.NoError(t, in.Close())
	p.ends(0, "")
}
