package main

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/internal/cli"
)

//go:embed init.yaml
var initTemplate string

type initCmd struct {
	Name   string `arg:"" help:"Name of the layout: it names the Go package, C++ namespace and Rust module."`
	Output string `short:"o" placeholder:"FILE" default:"layout.yaml" help:"File to write (default: layout.yaml)."`
}

// Run writes a first layout; an existing file is never touched.
func (c *initCmd) Run() error {
	// A magic needs no more than a few letters; seven leave room for a NUL.
	magic := strings.ToUpper(c.Name[:min(len(c.Name), 7)])
	fill := strings.NewReplacer("MAGIC", magic, "NAME", c.Name)
	data := []byte(fill.Replace(initTemplate))
	if _, err := gen.Parse(c.Output, data); err != nil {
		return cli.Usagef("%q can not name a layout: %w", c.Name, err)
	}
	f, err := os.OpenFile(c.Output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		os.Remove(c.Output)
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	_, err = fmt.Printf("wrote %s; next: shmkvgen generate %s\n", c.Output, c.Output)
	return err
}
