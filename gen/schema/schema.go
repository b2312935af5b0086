// Package schema holds the JSON schema of layout files. Editors find it by the
// modeline that `shmkvgen init` writes; a test holds it against the parser.
package schema

import _ "embed"

// JSON is the schema, in draft 2020-12.
//
//go:embed layout.schema.json
var JSON []byte
