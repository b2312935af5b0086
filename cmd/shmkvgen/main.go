// Command shmkvgen turns layout files into bindings for Go, C, C++ and Rust,
// and proves that every compiler agrees on them.
package main

import "github.com/shmkv/shmkv/internal/cli"

type commands struct {
	Generate generateCmd `cmd:"" help:"Write the bindings of a layout, all or nothing."`
	Check    checkCmd    `cmd:"" help:"Compare the bindings on disk with the layout; exit 1 with a diff on any difference."`
	Layout   layoutCmd   `cmd:"" help:"Print the resolved layout: offsets, sizes, names, padding, fingerprint."`
	Witness  witnessCmd  `cmd:"" help:"Let every compiler found report sizes and offsets, and compare them with the layout."`
	Init     initCmd     `cmd:"" help:"Write a first layout file, ready to generate."`
	Schema   schemaCmd   `cmd:"" help:"Print the JSON schema of layout files, for editors."`
}

func main() {
	cli.Main(
		"shmkvgen",
		"One layout file, bindings for Go, C, C++ and Rust that agree on every byte.",
		&commands{},
	)
}
