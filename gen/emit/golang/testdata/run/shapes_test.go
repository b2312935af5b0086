package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/shmkv/shmkv/runtime/segment"

	"scratch/bare"
	"scratch/hell"
	"scratch/narrow"
	"scratch/pose"
	"scratch/samples"
	"scratch/state"
	"scratch/table"
	"scratch/trades"
)

func path(t testing.TB) string { return filepath.Join(t.TempDir(), "page") }

// A page without a counter; the check for torn copies is that x and y move
// together.
func TestPose(t *testing.T) {
	p := path(t)
	w := must(pose.Create(p))(t)
	defer w.Close()
	r := must(pose.Open(p))(t)
	defer r.Close()
	w.View().SetMode(7)
	equal(t, 7, r.View().Mode())

	stop := time.Now().Add(100 * time.Millisecond)
	var done sync.WaitGroup
	done.Go(func() {
		for i := 1.0; time.Now().Before(stop); i++ {
			w.Update(func(p *pose.Snapshot) {
				p.X, p.Y, p.Theta = i, -i, float32(i)
				p.SetFrame("map")
			})
			runtime.Gosched()
		}
	})
	var s pose.Snapshot
	for time.Now().Before(stop) {
		must(0, r.Snapshot(&s))(t)
		if s.X != -s.Y || s.Theta != float32(s.X) {
			t.Fatalf("torn: %+v", s)
		}
	}
	done.Wait()
	equal(t, "map", s.Frame())

	seq := w.View().Seq().Load()
	func() {
		defer func() { recover() }()
		w.Update(func(p *pose.Snapshot) { p.X = 1e9; panic("no") })
	}()
	equal(t, seq, w.View().Seq().Load())
	must(0, w.Update(func(p *pose.Snapshot) { p.Theta = 1 }))(t)
	must(0, r.Snapshot(&s))(t)
	if s.X == 1e9 {
		t.Fatal("a panicked update was published later")
	}
	set := func(p *pose.Snapshot) { p.X++ }
	equal(t, 0, testing.AllocsPerRun(100, func() { w.Update(set) }))
}

// A counter and a futex without a ring.
func TestStateWait(t *testing.T) {
	p := path(t)
	w := must(state.Create(p))(t)
	defer w.Close()
	r := must(state.Open(p))(t)
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	var s state.Snapshot
	short, stop := context.WithTimeout(ctx, 10*time.Millisecond)
	defer stop()
	if err := r.Wait(short, &s); !errors.Is(err, segment.ErrTimedOut) {
		t.Fatal(err)
	}
	go func() {
		time.Sleep(5 * time.Millisecond)
		w.Update(func(p *state.Snapshot) { p.Level = -3; p.SetReady(true); p.Updates = 99 })
	}()
	must(0, r.Wait(ctx, &s))(t)
	equal(t, 1, s.Updates)
	equal(t, -3, s.Level)
	equal(t, true, s.Ready())
	equal(t, 2, must(w.Update(func(*state.Snapshot) {}))(t))
	equal(t, 2, r.View().Wake().Load())
}

// Records with a seqlock of their own.
func TestTable(t *testing.T) {
	p := path(t)
	w := must(table.Create(p))(t)
	defer w.Close()
	r := must(table.Open(p))(t)
	defer r.Close()
	set := func(c *table.CellSnapshot) { c.Price++; c.SetName("gold") }
	must(0, w.UpdateCells(5, set))(t)
	must(0, w.UpdateCells(5, set))(t)
	must(0, w.UpdateSingle(func(p *table.LoneSnapshot) { p.A = 4 }))(t)
	var c table.CellSnapshot
	must(0, r.Cells(5, &c))(t)
	equal(t, 2, c.Price)
	equal(t, "gold", c.Name())
	must(0, r.Cells(4, &c))(t)
	equal(t, 0, c.Price)
	must(0, w.UpdateCells(4, set))(t) // starts from this cell, not from the one before
	must(0, r.Cells(4, &c))(t)
	equal(t, 1, c.Price)
	var l table.LoneSnapshot
	must(0, r.Single(&l))(t)
	equal(t, 4, l.A)
	for _, i := range []int{-1, table.CellsCount} {
		if r.Cells(i, &c) == nil || w.UpdateCells(i, set) == nil {
			t.Fatal("no error for index", i)
		}
	}
	equal(t, 0, testing.AllocsPerRun(100, func() { w.UpdateCells(1, set); r.Cells(1, &c) }))
	w.Close()

	// A writer killed in the middle leaves the word odd; the next one clears.
	b := must(os.ReadFile(p))(t)
	b[table.CellsOffset+5*table.CellSize+table.CellSeqOffset]++
	must(0, os.WriteFile(p, b, 0o600))(t)
	w2 := must(table.Create(p))(t)
	defer w2.Close()
	must(0, r.Cells(5, &c))(t)
	equal(t, 0, c.Price)
}

// A waiters word: readers count themselves while they sleep.
func TestTrades(t *testing.T) {
	p := path(t)
	w := must(trades.Create(p))(t)
	defer w.Close()
	r := must(trades.Open(p))(t)
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	go func() {
		for w.View().Waiters().Load() == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		w.Publish(1.5, 10, trades.SideSell, true, [2]byte{'x', 'y'})
	}()
	for u, err := range r.Updates(ctx) {
		equal(t, nil, err)
		equal(t, 1.5, u.Trade.Price)
		equal(t, "sell", u.Trade.Side.String())
		equal(t, true, u.Trade.Open())
		equal(t, [2]byte{'x', 'y'}, u.Trade.Tag)
		break
	}
	equal(t, 0, r.View().Waiters().Load())
}

// No futex: nothing to wait with. The record aligns to 2, the words to 4.
func TestSamples(t *testing.T) {
	p := path(t)
	w := must(samples.Create(p))(t)
	defer w.Close()
	r := must(samples.Open(p))(t)
	defer r.Close()
	var odd struct {
		_ int16
		s samples.Sample
	}
	odd.s.Values[5] = -2
	equal(t, 1, must(w.PublishRecord(&odd.s))(t))
	odd.s.Values[5] = 0
	must(r.Sample(0, &odd.s))(t)
	equal(t, -2, odd.s.Values[5])
	for typ, name := range map[any]string{r: "Updates", w: "Publish"} {
		if _, ok := reflect.TypeOf(typ).MethodByName(name); ok {
			t.Fatal("unexpected method", name)
		}
	}
}

func TestNamesFromHell(t *testing.T) {
	p := path(t)
	w := must(hell.Create(p))(t)
	defer w.Close()
	r := must(hell.Open(p))(t)
	defer r.Close()
	rec := hell.Wait{ID: 5, Err: 6}
	rec.SetType("t")
	must(w.PublishRecord(&rec))(t)
	var got hell.Wait
	must(r.Wait_(0, &got))(t)
	equal(t, "t", got.Type())
	equal(t, 6, got.Err)
	must(0, w.UpdateSnapshot(1, func(p *hell.SegmentSnapshot) { p.Range = 3 }))(t)
	var s hell.SegmentSnapshot
	must(0, r.Snapshot_(1, &s))(t)
	equal(t, 3, s.Range)
}

func TestBare(t *testing.T) {
	p := path(t)
	w := must(bare.Create(p))(t)
	defer w.Close()
	r := must(bare.Open(p))(t)
	defer r.Close()
	w.View().SetN(3)
	equal(t, 3, r.View().N())
}

// Words of 8 bytes, copied into a struct that aligns to 4.
func TestNarrow(t *testing.T) {
	p := path(t)
	w := must(narrow.Create(p))(t)
	defer w.Close()
	r := must(narrow.Open(p))(t)
	defer r.Close()
	equal(t, "@fmt.Println", r.View().Magic())
	equal(t, 0x1234, r.View().Version())
	set := func(p *narrow.Snapshot) { p.A, p.B = 1, -1 }
	must(0, w.Update(set))(t)
	var odd struct {
		_ int32
		s narrow.Snapshot
		_ int32
		p narrow.PairSnapshot
	}
	must(0, r.Snapshot(&odd.s))(t)
	equal(t, [2]int32{1, -1}, [2]int32{odd.s.A, odd.s.B})
	must(0, w.UpdatePairs(1, func(p *narrow.PairSnapshot) { p.A, p.B = 2, -2 }))(t)
	must(0, r.Pairs(1, &odd.p))(t)
	equal(t, [2]int32{2, -2}, [2]int32{odd.p.A, odd.p.B})
	equal(t, 0, testing.AllocsPerRun(100, func() { w.Update(set); r.Snapshot(&odd.s) }))
}
