package conformance

import (
	"fmt"
	"os"
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

// traced starts a peer under strace so that its process id is its own: strace
// watches from the side (-D).
func traced(t *testing.T, dir, calls, output string, p peer, args ...string) *process {
	t.Helper()
	command := []string{"strace", "-D", "-f", "-q", "-o", output, "-e", "trace=" + calls}
	return start(t, dir, append(command, p.command(t, args...)...)...)
}

// trace returns what strace wrote about a process that has ended, one line per
// call: the two halves of an interrupted line are put together again.
func trace(t *testing.T, output string, pid int) []string {
	t.Helper()
	end := regexp.MustCompile(fmt.Sprintf(`(?m)^%d +\+\+\+ (exited with|killed by) `, pid))
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

// onWord selects the calls on a futex word.
func onWord(calls []string, word uint64) []string {
	start := fmt.Sprintf("futex(%#x, ", word)
	return slices.DeleteFunc(calls, func(call string) bool { return !strings.HasPrefix(call, start) })
}

// TestStraceOfWatchAndServe: what the contract says an outside observer sees.
func TestStraceOfWatchAndServe(t *testing.T) {
	t.Parallel()
	if !have(t, "strace") {
		return
	}
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			watchOut, serveOut := filepath.Join(dir, "watch.strace"), filepath.Join(dir, "serve.strace")
			// It makes the page: on one that it went on with, it would wake once more.
			serve := traced(t, dir, "futex", serveOut, p, "serve", "kv.shm", "--stdin")
			watch := traced(t, dir, "futex", watchOut, p, "watch", "kv.shm", "--events", "3", "--wait")
			var watched, served uint64
			for id := range uint32(3) {
				sleepsOn(t, watch, id)
				watched, served = word(t, watch, file(dir)), word(t, serve, file(dir))
				serve.writes("k%d=value-%[1]d", id+1)
			}
			watch.ends(0, "")
			require.NoError(t, serve.in.Close())
			serve.ends(0, "")
			checkWaits(t, onWord(trace(t, watchOut, watch.pid()), watched))
			checkWakes(t, onWord(trace(t, serveOut, serve.pid()), served))
		})
	}
}

// checkWaits: plain FUTEX_WAIT on the word, expecting 0, 1, 2, for 2 s each.
func checkWaits(t *testing.T, calls []string) {
	t.Helper()
	wait := regexp.MustCompile(
		`^futex\(0x[0-9a-f]+00c, FUTEX_WAIT, (\d+), \{tv_sec=2, tv_nsec=0\}\s*\) += `)
	var expected []string
	for _, call := range calls {
		m := wait.FindStringSubmatch(call)
		require.NotNil(t, m, call)
		expected = append(expected, m[1])
	}
	// A timeout or a signal may have led to the same sleep once more.
	assert.Equal(t, []string{"0", "1", "2"}, slices.Compact(expected))
}

// checkWakes: all of them, three times. Who came back from a timeout just then
// was not woken.
func checkWakes(t *testing.T, calls []string) {
	t.Helper()
	require.Len(t, calls, 3, "%q", calls)
	woken := woken(t, calls)
	assert.LessOrEqual(t, slices.Max(woken), 1)
	assert.Contains(t, woken, 1)
}

// woken returns how many each wake of a traced writer woke. The writer makes no
// other calls on the word.
func woken(t *testing.T, calls []string) (n []int) {
	t.Helper()
	wake := regexp.MustCompile(`^futex\(0x[0-9a-f]+00c, FUTEX_WAKE, 2147483647\s*\) += (\d+)$`)
	for _, call := range calls {
		m := wake.FindStringSubmatch(call)
		require.NotNil(t, m, call)
		count, err := strconv.Atoi(m[1])
		require.NoError(t, err)
		n = append(n, count)
	}
	return n
}

// TestStraceOfQueues: the calls of a bench over a message queue.
func TestStraceOfQueues(t *testing.T) {
	t.Parallel()
	if !have(t, "strace") {
		return
	}
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			output := filepath.Join(dir, "bench.strace")
			const calls = "mq_open,mq_timedsend,mq_timedreceive,mq_unlink"
			b := traced(t, dir, calls, output, p, "bench", "kv.shm", "--channel", "mq", "--rounds", "3")
			b.ends(0, "")
			name := regexp.QuoteMeta(fmt.Sprintf("%q", queueName(b.pid())))
			made := trace(t, output, b.pid())
			const until = `\{tv_sec=(\d+), tv_nsec=\d+\}`
			for pattern, want := range map[string]int{
				`mq_open\(` + name + `, O_RDWR\|O_CREAT\|O_EXCL, 0600, ` +
					`\{mq_flags=0, mq_maxmsg=8, mq_msgsize=8, mq_curmsgs=\d+\}\s*\) += \d`: 1,
				`mq_timedsend\(\d+, ".*", 8, 0, ` + until + `\s*\) += 0$`:              3,
				`mq_timedreceive\(\d+,\s+".*", 8, \[?\w+\]?, ` + until + `\s*\) += 8$`: 3,
				`mq_unlink\(` + name + `\s*\) += 0$`:                                   1,
			} {
				assert.Equal(t, want, count(t, made, pattern), "%s in %q", pattern, made)
			}
		})
	}
}

// count counts calls. Where the pattern has a group, it is the second of a
// deadline by the wall clock.
func count(t *testing.T, calls []string, pattern string) (n int) {
	t.Helper()
	re := regexp.MustCompile("^" + pattern)
	for _, call := range calls {
		m := re.FindStringSubmatch(call)
		if m == nil {
			continue
		}
		n++
		if len(m) > 1 {
			sec, err := strconv.ParseInt(m[1], 10, 64)
			require.NoError(t, err)
			assert.InDelta(t, time.Now().Unix(), sec, 120)
		}
	}
	return n
}
