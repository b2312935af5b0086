package conformance

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// pair is a writer and a watcher on one page.
type pair struct{ writer, watcher string }

// matrix is what became of each pair.
var matrix = struct {
	sync.Mutex
	cells map[pair]string
}{cells: map[pair]string{}}

// note fills the cell of a pair when the test has ended, unless a part of the
// test has done so.
func note(t *testing.T, writer, watcher peer) {
	t.Cleanup(func() {
		matrix.Lock()
		defer matrix.Unlock()
		text := "pass"
		if t.Failed() {
			text = "FAIL"
		}
		if at := (pair{writer.name, watcher.name}); matrix.cells[at] == "" {
			matrix.cells[at] = text
		}
	})
}

// printMatrix prints the pairs of this machine's peers, then those with another
// word size or processor. A dash is a pair that was not tested.
func printMatrix() {
	var native, other []peer
	for _, p := range peers {
		if p.processor() == "" {
			native = append(native, p)
		} else {
			other = append(other, p)
		}
	}
	printTable("writer (down) x watcher (across)", native, native,
		func(row, column peer) pair { return pair{row.name, column.name} })
	printTable("writer of another processor (down) x watcher (across)", other, native,
		func(row, column peer) pair { return pair{row.name, column.name} })
	printTable("watcher of another processor (down) x writer (across)", other, native,
		func(row, column peer) pair { return pair{column.name, row.name} })
}

func printTable(title string, rows, columns []peer, at func(row, column peer) pair) {
	matrix.Lock()
	defer matrix.Unlock()
	tested := false
	var b strings.Builder
	fmt.Fprintf(&b, "conformance: %s\n  %-12s", title, "")
	for _, column := range columns {
		fmt.Fprintf(&b, "%-6s", column.name)
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "\n  %-12s", row.name)
		for _, column := range columns {
			text, ok := matrix.cells[at(row, column)]
			if !ok {
				text = "-"
			}
			tested = tested || ok
			fmt.Fprintf(&b, "%-6s", text)
		}
	}
	if tested {
		fmt.Println(b.String())
	}
}
