// Package shmkv is the root of a module for programs in Go, C, C++ and Rust
// that share one page of memory and agree on every byte of it.
//
// The page is written down once, in layout.yaml. The command shmkvgen turns it
// into generated/go, generated/c and generated/rust; the packages below runtime
// carry the protocol for Go; the command shmkv is the reference program. This
// package itself is empty: import the generated package of a layout, such as
// github.com/shmkv/shmkv/generated/go/shkv2.
package shmkv

//go:generate go run ./cmd/shmkvgen generate layout.yaml
