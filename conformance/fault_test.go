package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// promptly bounds what is promised within a second or two, on a busy machine.
const promptly = 10 * time.Second

// TestSignals: SIGINT and SIGTERM end every command, whatever it waits for.
func TestSignals(t *testing.T) {
	t.Parallel()
	page := func(t *testing.T, p *process) {
		eventually(t, "a page", func() bool { return exists(file(p.cmd.Dir)) })
	}
	busy := func(t *testing.T, p *process) { grows(t, file(p.cmd.Dir)) }
	asleep := func(t *testing.T, p *process) { sleepsOn(t, p, 8) }
	looking := func(t *testing.T, p *process) {
		n := voluntarySwitches(t, p.pid())
		// More than a program sleeps while it starts, when no handler is there yet.
		const looks = 20
		eventually(t, "looks", func() bool { return voluntarySwitches(t, p.pid()) > n+looks })
	}
	some := []string{"serve", "kv.shm", "--updates", "5", "--interval-ms", "3600000"}
	for name, c := range map[string]struct {
		args   []string
		ready  func(t *testing.T, p *process)
		code   int
		stderr string
	}{
		"serve":           {[]string{"serve", "kv.shm", "--interval-ms", "1"}, busy, 0, ""},
		"serve at once":   {[]string{"serve", "kv.shm", "--interval-ms", "0"}, busy, 0, ""},
		"serve slowly":    {[]string{"serve", "kv.shm", "--interval-ms", "3600000"}, page, 0, ""},
		"serve some":      {some, page, 1, `.*\b0 of 5\b.*`},
		"serve input":     {[]string{"serve", "kv.shm", "--stdin"}, page, 0, ""},
		"watch":           {[]string{"watch", "old.shm"}, asleep, 0, ""},
		"watch some":      {[]string{"watch", "old.shm", "--events", "9"}, asleep, 1, `.*\b8 of 9\b.*`},
		"wait":            {[]string{"watch", "nope.shm", "--wait"}, looking, 0, ""},
		"wait for some":   {[]string{"watch", "nope.shm", "--wait", "--events", "1"}, looking, 1, ".*"},
		"bench futex":     {endless("futex"), busy, 1, ".*"},
		"bench parked":    {endless("futex-parked"), busy, 1, ".*"},
		"bench pipe":      {endless("pipe"), busy, 1, ".*"},
		"bench eventfd":   {endless("eventfd"), busy, 1, ".*"},
		"bench unix":      {endless("unix"), busy, 1, ".*"},
		"bench poll":      {endless("poll"), busy, 1, ".*"},
		"bench all of it": {endless("all"), busy, 1, ".*"},
	} {
		for _, p := range here() {
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
				t.Run(fmt.Sprintf("%s/%s/%s", p.name, name, unix.SignalName(signal)), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					serves(t, dir, p, 8)
					require.NoError(t, os.Rename(file(dir), filepath.Join(dir, "old.shm")))
					run := launch(t, dir, p, c.args...)
					c.ready(t, run)
					sent := time.Now()
					run.signal(signal)
					run.ends(c.code, c.stderr)
					assert.Less(t, time.Since(sent), promptly)
				})
			}
		}
	}
}

// TestTruncatedFile: one line, exit code 1, no trace of a fault.
func TestTruncatedFile(t *testing.T) {
	t.Parallel()
	busy := func(t *testing.T, p *process) { grows(t, file(p.cmd.Dir)) }
	asleep := func(t *testing.T, p *process) { sleepsOn(t, p, 1) }
	watch := []string{"watch", "kv.shm"}
	for name, c := range map[string]struct {
		args  []string
		ready func(t *testing.T, p *process)
		size  int64
	}{
		"watch":      {watch, asleep, 0},
		"watch some": {watch, asleep, 100}, // what is left of the only page still reads as zeros
		"serve":      {[]string{"serve", "kv.shm", "--interval-ms", "5"}, busy, 0},
		"bench":      {endless("futex"), busy, 0},
		"mq":         {endless("mq"), busy, 0},
		"poll":       {endless("poll"), busy, 0},
	} {
		for _, p := range here() {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				serves(t, dir, p, 1)
				run := launch(t, dir, p, c.args...)
				c.ready(t, run)
				cut := time.Now()
				require.NoError(t, os.Truncate(file(dir), c.size))
				run.ends(1, ".+")
				assert.Less(t, time.Since(cut), promptly)
			})
		}
	}
}

// TestClosedPipe: whoever reads may leave, also while nothing happens.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"waiting":            "shmkv watch empty.shm | head -1",
		"waiting for a file": "shmkv watch --wait nope.shm | true",
		"writing":            "shmkv watch kv.shm --events 8 | head -2",
		"json":               "shmkv watch kv.shm --json | head -1",
		"bench":              "shmkv bench own.shm --rounds 100000000 --channel mq | true",
	} {
		for _, p := range here() {
			t.Run(p.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				serves(t, dir, p, 8)
				bin := install(t, map[string]peer{"shmkv": p})
				run := start(t, dir, "bash", "-c", "set -o pipefail; PATH="+bin+":$PATH; "+
					"shmkv serve empty.shm --stdin </dev/null; "+script)
				run.finish()
				assert.Empty(t, run.stderr.String())
				// Not finished, and nobody is left to be told. No signal ended it.
				assert.Contains(t, []int{0, 1}, run.cmd.ProcessState.ExitCode())
			})
		}
	}
}

// TestStuckPageCostsLittle: who waits for a write that never ends, waits asleep.
func TestStuckPageCostsLittle(t *testing.T) {
	t.Parallel()
	v, err := readVector(filepath.Join("testdata", "vectors", "killed-in-slot.txtar"))
	require.NoError(t, err)
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(file(dir), v.page, 0o600))
			w := launch(t, dir, p, "watch", "kv.shm")
			w.ends(1, ".*seqlock read livelocked.*")
			used := w.cmd.ProcessState.SystemTime() + w.cmd.ProcessState.UserTime()
			assert.Less(t, used, time.Second)
		})
	}
}

// TestKilledServer: whatever kill -9 leaves, the next server goes on from there.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	for i, p := range here() {
		next := here()[(i+1)%len(here())]
		t.Run(p.name+"-"+next.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for range 8 {
				s := launch(t, dir, p, "serve", "kv.shm", "--interval-ms", "0")
				before := counter(file(dir))
				eventually(t, "full speed", func() bool { return counter(file(dir)) > before+50 })
				s.signal(syscall.SIGKILL)
				<-s.done
				serves(t, dir, next, 1)
				w := launch(t, dir, next, "watch", "kv.shm", "--timeout", "50ms")
				lines := w.rest()
				require.GreaterOrEqual(t, len(lines), 8, "a slot in doubt is one of eight")
				for _, line := range lines[1:] {
					var id uint64
					_, err := fmt.Sscanf(line, "observed update %d:", &id)
					require.NoError(t, err)
					assert.Equal(t, observed(id), line)
				}
			}
		})
	}
}

// TestLockDiesWithItsHolder: a child that outlives the server holds no lock, nor
// does whoever else opens and closes the file.
func TestLockDiesWithItsHolder(t *testing.T) {
	t.Parallel()
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := feeds(t, dir, p)
			for range 2 {
				require.NoError(t, exec.Command("cat", file(dir)).Run())
				refused := launch(t, dir, p, "serve", "kv.shm", "--updates", "1")
				refused.ends(1, ".*another writer holds the lock")
			}
			s.signal(syscall.SIGKILL)
			<-s.done
			serves(t, dir, p, 1)
		})
	}
}
