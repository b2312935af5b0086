package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/internal/cli"
)

// outputFlags say what to generate and where to.
type outputFlags struct {
	Layouts   []string `arg:"" optional:"" name:"layout" help:"Layout files (default: layout.yaml)."`
	Out       string   `placeholder:"DIR" help:"Folder for all languages: DIR/go, DIR/c, DIR/rust (default: generated)."`
	Go        string   `placeholder:"DIR" help:"Folder for Go; with --go, --c or --rust only those are generated."`
	GoPackage string   `placeholder:"NAME" help:"Name of the Go package, whose files then stand in --go itself."`
	C         string   `placeholder:"DIR" help:"Folder for the C and C++ headers (in DIR/shmkv)."`
	Rust      string   `placeholder:"DIR" help:"Folder for the Rust crate."`
}

// dirs settles the folder of each language.
func (f *outputFlags) dirs() (map[gen.Dir]string, error) {
	separate := map[gen.Dir]string{}
	for dir, path := range map[gen.Dir]string{gen.DirGo: f.Go, gen.DirC: f.C, gen.DirRust: f.Rust} {
		if path != "" {
			separate[dir] = path
		}
	}
	switch {
	case f.GoPackage != "" && f.Go == "":
		return nil, cli.Usagef("--go-package goes with --go")
	case f.GoPackage != "" && len(f.Layouts) > 1:
		return nil, cli.Usagef("--go-package goes with one layout")
	case len(separate) == 0:
		out := f.Out
		if out == "" {
			out = "generated"
		}
		all := map[gen.Dir]string{}
		for _, dir := range gen.Dirs {
			all[dir] = filepath.Join(out, string(dir))
		}
		return all, nil
	case f.Out != "":
		return nil, cli.Usagef("--out goes without --go, --c and --rust")
	}
	return separate, nil
}

// changes works out what a run would change on disk.
func (f *outputFlags) changes() ([]gen.Change, error) {
	if len(f.Layouts) == 0 {
		f.Layouts = []string{"layout.yaml"}
	}
	dirs, err := f.dirs()
	if err != nil {
		return nil, err
	}
	layouts, err := readAll(f.Layouts)
	if err != nil {
		return nil, err
	}
	output, err := gen.Emit(layouts, dirs, gen.Options{GoPackage: f.GoPackage})
	if err != nil {
		return nil, err
	}
	return output.Changes()
}

type generateCmd struct {
	outputFlags
}

// Run writes what changed and names it.
func (c *generateCmd) Run() error {
	changes, err := c.changes()
	if err != nil {
		return err
	}
	if err := gen.Apply(changes); err != nil {
		return err
	}
	for _, change := range changes {
		verb := "wrote"
		if change.New == nil {
			verb = "removed"
		}
		if _, err := fmt.Fprintf(os.Stdout, "%s %s\n", verb, change.Path); err != nil {
			return err
		}
	}
	return nil
}
