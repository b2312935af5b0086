// Package seqlock holds the order-critical steps of the page protocol: how one
// writer publishes and how any number of readers take consistent copies of a
// shared page. The steps carry the names of docs/protocol.md (W1..W7 for the
// writer, R1..R6 for a reader); a search for a step finds the same step in the
// C, C++ and Rust protocol files.
//
// A page is described by a Lock: constant offsets that generated code supplies.
// The functions take the base address the offsets count from. Nothing is
// bounds-checked per call: Bind (or Lock.Validate) checks everything once, when
// a page is mapped.
//
// # Memory order in Go
//
// sync/atomic gives sequentially consistent operations, which are stronger than
// each step asks for (LDAR and STLR on arm64, XCHG for a store on amd64). Plain
// copies between two atomic loads would NOT be ordered on arm64, arm and
// riscv64, so the payload too is copied with atomic words: machine words where
// the unit is 8, 32-bit words where it is 4. There is never a 64-bit atomic on a
// 32-bit target, where it may be a library call with a process-local lock and
// hence not atomic between processes.
//
// A reader never writes to the page, so it may be mapped PROT_READ; the one
// exception is a layout with a waiters word.
//
// The bodies of one read attempt and of one publish stand alone in
// copy_portable.go, so that an assembly version can take their place under build
// tags. Retry loops stay in Go, because assembly can not be preempted.
package seqlock
