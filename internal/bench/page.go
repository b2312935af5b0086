package bench

import (
	"time"
	"unsafe"

	"github.com/shmkv/shmkv/generated/go/shkv2"
	"github.com/shmkv/shmkv/runtime/segment"
	"github.com/shmkv/shmkv/runtime/seqlock"
)

// page is the mapped page as both ends of a channel see it.
type page struct {
	seg  *segment.Segment
	lock *seqlock.Lock
}

func pageOf(seg *segment.Segment) *page { return &page{seg, shkv2.Layout().Lock} }

func (p *page) counter() (uint64, error) { return p.seg.ReadCounter(p.lock, time.Time{}) }

// word is the page's futex word.
func (p *page) word() *uint32 { return (*uint32)(unsafe.Add(p.seg.Base(), p.lock.Futex)) }

// reached tells whether the page's counter has come to id.
func (p *page) reached(id uint64) (bool, error) {
	counter, err := p.counter()
	return int64(counter-id) >= 0, err
}
