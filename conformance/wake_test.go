package conformance

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestManyWatchers: sixteen watchers in all languages, asleep on one page, and
// one FUTEX_WAKE for all of them each time.
func TestManyWatchers(t *testing.T) {
	t.Parallel()
	if !have(t, "strace") {
		return
	}
	const crowd, events = 16, 3
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			output := filepath.Join(dir, "serve.strace")
			serve := traced(t, dir, "futex", output, p, "serve", "kv.shm", "--stdin")
			var watchers []*process
			for i := range crowd {
				w := here()[i%len(here())]
				watchers = append(watchers,
					launch(t, dir, w, "watch", "kv.shm", "--events", "3", "--wait"))
			}
			for id := range uint32(events) {
				for _, w := range watchers {
					sleepsOn(t, w, id)
				}
				serve.writes("k%d=value-%[1]d", id+1)
			}
			for _, w := range watchers {
				assert.Equal(t, []string{
					"watch: file=kv.shm events=3",
					observed(1), observed(2), observed(3),
					"watch: complete events=3",
				}, w.rest())
				w.ends(0, "")
			}
			at := word(t, serve, file(dir))
			require.NoError(t, serve.in.Close())
			serve.ends(0, "")
			woken := woken(t, onWord(trace(t, output, serve.pid()), at))
			require.Len(t, woken, events)
			// Each sleep ends after 2 s, so one of them may have been up just then.
			assert.Equal(t, crowd, slices.Max(woken), "%v", woken)
		})
	}
}

// TestOneSleepPerUpdate: an idle watcher sleeps, and each update wakes it once.
func TestOneSleepPerUpdate(t *testing.T) {
	t.Parallel()
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			serve := feeds(t, dir, p)
			watch := launch(t, dir, p, "watch", "kv.shm")
			sleepsOn(t, watch, 0)
			before := voluntarySwitches(t, watch.pid())
			const updates = 40
			for id := uint32(1); id <= updates; id++ {
				serve.writes("k=%d", id)
				sleepsOn(t, watch, id)
			}
			slept := voluntarySwitches(t, watch.pid()) - before
			assert.GreaterOrEqual(t, slept, updates)
			assert.LessOrEqual(t, slept, updates+updates/2)
		})
	}
}

// TestLinesComeAtOnce: a line of input is served when it is there, and a pipe
// does not hold lines of output back until it is full.
func TestLinesComeAtOnce(t *testing.T) {
	t.Parallel()
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			serve := feeds(t, dir, p)
			watch := launch(t, dir, p, "watch", "kv.shm", "--events", "2")
			assert.Equal(t, "watch: file=kv.shm events=2", watch.line())
			serve.writes("k1=value-1")
			assert.Equal(t, observed(1), watch.line())
			_, err := serve.in.Write([]byte("k2=val"))
			require.NoError(t, err)
			_, err = serve.in.Write([]byte("ue-2\n"))
			require.NoError(t, err)
			assert.Equal(t, observed(2), watch.line())
			watch.ends(0, "")
			require.NoError(t, serve.in.Close())
			serve.ends(0, "")
		})
	}
}
