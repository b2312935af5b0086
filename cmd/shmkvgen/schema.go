package main

import (
	"os"

	"github.com/shmkv/shmkv/gen/schema"
)

type schemaCmd struct{}

// Run prints the schema.
func (schemaCmd) Run() error {
	_, err := os.Stdout.Write(schema.JSON)
	return err
}
