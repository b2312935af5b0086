package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

type checkCmd struct {
	outputFlags
}

// Run prints a unified diff of every file that is missing, stale or different.
func (c *checkCmd) Run() error {
	changes, err := c.changes()
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return nil
	}
	for _, change := range changes {
		from, to := change.Path, change.Path+" (as generated)"
		if change.Old == nil {
			from = change.Path + " (missing)"
		}
		if change.New == nil {
			to = change.Path + " (stale: no longer generated)"
		}
		diff := udiff.Unified(from, to, string(change.Old), string(change.New))
		if _, err := os.Stdout.WriteString(diff); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s from what %s gives; run: shmkvgen generate",
		differ(len(changes)), strings.Join(c.Layouts, ", "))
}

func differ(n int) string {
	if n == 1 {
		return "1 file differs"
	}
	return fmt.Sprintf("%d files differ", n)
}
