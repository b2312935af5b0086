package main

import (
	"os"

	"github.com/shmkv/shmkv/gen/witness"
)

type witnessCmd struct {
	Layout string `arg:"" optional:"" default:"layout.yaml" help:"Layout file (default: layout.yaml)."`
	JSON   bool   `help:"Print JSON."`
}

// Run prints the matrix and fails when any compiler disagrees.
func (c *witnessCmd) Run() error {
	l, err := read(c.Layout)
	if err != nil {
		return err
	}
	matrix, err := witness.Run(l)
	if err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(matrix)
	} else {
		err = matrix.Write(os.Stdout)
	}
	if err != nil {
		return err
	}
	return matrix.Err()
}
