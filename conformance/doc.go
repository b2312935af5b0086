// Package conformance holds every program that speaks the contract to it, from
// the outside: command lines, exit codes, standard output, the bytes of the
// page, and what the kernel says about the processes. It imports nothing of the
// module; the programs are the rows of one table, peers in peers_test.go.
//
//   - TestScripts runs testdata/script for each peer of this machine.
//   - TestMatrix runs testdata/pair for each ordered pair of them, and prints the
//     matrix: writer by watcher.
//   - TestVectors lets each peer, those of other word sizes and processors too,
//     read and write the page images of testdata/vectors.
//   - TestWordSizes lets them share one page with the peers of this machine.
//   - The other tests are what a script can not say: strace(1), /proc, signals,
//     message queues, a file cut short.
//
// The tests build the peers first (scripts/peers, which does nothing when
// nothing changed). A part of them:
//
//	go test ./conformance -run 'TestMatrix/^rust-cpp$'      # a Rust writer, a C++ watcher
//	go test ./conformance -run 'TestScripts/^c$/^usage$'
//	go test ./conformance -run 'TestVectors/^go-arm$/^seq-wrap$'
//
// A peer, compiler, emulator or tool that is missing fails the tests.
// SHMKV_NARROW does without: a list with commas of peers (c, cpp-arm64),
// languages (c), processors (386, arm64) or tools (strace). What was left out is
// printed at the end; `go test` of several packages shows that only with -v,
// make conformance always does.
//
// No test passes because time has passed. Times only bound what would otherwise
// never end.
package conformance
