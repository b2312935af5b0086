// Package witness lets every compiler that is present report what it makes of
// a layout, and holds the reports against the resolved layout.
//
// A probe is the generated declarations with one constant array behind them,
// whose elements are the compiler's own sizeof, alignof and offsetof. It is
// compiled and never run: the array is read out of the object file. So targets
// that this machine can not execute are witnessed as well.
package witness

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Symbol is the name of the array in every probe.
const Symbol = "shmkv_witness"

// Report is what one compiler said.
type Report struct {
	Compiler string `json:"compiler"`
	Version  string `json:"version,omitempty"`

	// Absent says why the compiler could not be asked; it has not passed then.
	Absent string `json:"absent,omitempty"`
	// Failed is the compiler's message when it refused the generated code.
	Failed string `json:"failed,omitempty"`
	// Values are the numbers of the layout's facts, in their order.
	Values []uint64 `json:"values,omitempty"`
}

// Run asks every compiler of the table.
func Run(l *layout.Layout) (*Matrix, error) {
	dir, err := os.MkdirTemp("", "shmkv-witness-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	m := &Matrix{Layout: l.Name, Facts: l.Facts(), Reports: make([]Report, len(compilers))}
	limit := make(chan struct{}, runtime.NumCPU())
	var group sync.WaitGroup
	for i, c := range compilers {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			m.Reports[i] = c.ask(l, m.Facts, filepath.Join(dir, fmt.Sprint(i)))
		})
	}
	group.Wait()
	return m, nil
}

// ask compiles the probe with one compiler and reads its array.
func (c *compiler) ask(l *layout.Layout, facts []layout.Fact, dir string) Report {
	r := Report{Compiler: c.name}
	r.Version, r.Absent = c.find(dir)
	if r.Absent != "" {
		return r
	}
	values, err := c.measure(l, facts, dir)
	if err != nil {
		r.Failed = err.Error()
		return r
	}
	r.Values = values
	return r
}

func (c *compiler) measure(l *layout.Layout, facts []layout.Fact, dir string) ([]uint64, error) {
	files, err := c.probe(l, facts)
	if err != nil {
		return nil, err
	}
	if err := write(dir, files); err != nil {
		return nil, err
	}
	if err := c.run(dir, c.build); err != nil {
		return nil, err
	}
	return readArray(filepath.Join(dir, "probe.out"), c.symbol, len(facts))
}

// write puts files below dir.
func write(dir string, files []emit.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
