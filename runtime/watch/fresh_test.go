package watch_test

import (
	"math"
	"testing"

	"github.com/shmkv/shmkv/runtime/internal/pagetest"
)

// A watcher that has seen nothing yet takes every counter for news, also one so
// large that it would otherwise look like a counter that went back.
func TestFreshWatcherOnAnOldPage(t *testing.T) {
	const counter = math.MaxUint64
	p := newPage(t, pagetest.SHKV2())
	pagetest.Put64(p.w.Bytes(), pagetest.Counter, counter-8)
	pagetest.Put32(p.w.Bytes(), pagetest.Futex, math.MaxUint32-8)
	p.publish(8)
	w := p.watcher()
	next(t, w, counter-7, counter-8)
	for id := uint64(counter - 6); id != 0; id++ {
		next(t, w, id, 0)
	}
	nothing(t, w)
	p.publish(2) // across
	next(t, w, 0, 0)
	next(t, w, 1, 0)
}
