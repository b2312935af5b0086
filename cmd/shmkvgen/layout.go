package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/report"
)

type layoutCmd struct {
	Layout  string `arg:"" optional:"" default:"layout.yaml" help:"Layout file (default: layout.yaml)."`
	JSON    bool   `help:"Print JSON."`
	Against string `placeholder:"FILE" help:"List what differs from an older layout file instead; exit 1 if anything does."`
}

// Run prints the resolved layout, or how it differs from another.
func (c *layoutCmd) Run() error {
	l, err := read(c.Layout)
	if err != nil {
		return err
	}
	if c.Against != "" {
		return c.compare(l)
	}
	table := report.New(l)
	if c.JSON {
		return printJSON(table)
	}
	return table.Write(os.Stdout)
}

func (c *layoutCmd) compare(newer *layout.Layout) error {
	older, err := read(c.Against)
	if err != nil {
		return err
	}
	differences := layout.Compare(older, newer)
	if c.JSON {
		if err := printJSON(differences); err != nil {
			return err
		}
	} else {
		for _, d := range differences {
			if _, err := fmt.Println(d); err != nil {
				return err
			}
		}
	}
	if len(differences) == 0 {
		return nil
	}
	return fmt.Errorf(
		"%s (fingerprint %s) and %s (%s) can not share a page: %s",
		c.Against,
		report.Fingerprint(older.Fingerprint),
		c.Layout,
		report.Fingerprint(newer.Fingerprint),
		count(len(differences), "difference"),
	)
}

func printJSON(v any) error {
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
