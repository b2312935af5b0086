package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/internal/cli"
)

// specErrors reports every diagnostic of a run, then one summary line.
type specErrors struct {
	list []diag.Diagnostic
}

func (e *specErrors) Error() string { return count(len(e.list), "error") }

// Report implements cli.Reporter.
func (e *specErrors) Report(w io.Writer, program string) {
	for _, d := range e.list {
		fmt.Fprintln(w, d)
	}
	fmt.Fprintf(w, "%s: %s\n", program, e)
}

func count(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// read resolves one layout file.
func read(path string) (*layout.Layout, error) {
	layouts, err := readAll([]string{path})
	if err != nil {
		return nil, err
	}
	return layouts[0], nil
}

// readAll resolves layout files, collecting the faults of all of them.
func readAll(paths []string) ([]*layout.Layout, error) {
	var layouts []*layout.Layout
	var faults specErrors
	named := map[string]string{}
	for _, path := range paths {
		data, err := readBounded(path)
		if err != nil {
			return nil, err
		}
		l, err := gen.Parse(path, data)
		var list *diag.List
		switch {
		case errors.As(err, &list):
			faults.list = append(faults.list, list.Items()...)
			continue
		case err != nil:
			return nil, err
		}
		if first, dup := named[l.Name]; dup {
			return nil, cli.Usagef("%s and %s both hold a layout named %q", first, path, l.Name)
		}
		named[l.Name] = path
		layouts = append(layouts, l)
	}
	if len(faults.list) > 0 {
		return nil, &faults
	}
	return layouts, nil
}

// readBounded reads a file of sensible size: never all of /dev/zero.
func readBounded(path string) ([]byte, error) {
	const most = 1 << 20 // past any layout; gen names the real limit
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
