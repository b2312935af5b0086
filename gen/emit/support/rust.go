package support

import "embed"

// Rust holds the static sources of a generated crate: the protocol, the segment
// and what records and views share. The emitter copies them verbatim to src/.
//
//go:embed rust/*.rs rust/segment/*.rs
var Rust embed.FS
