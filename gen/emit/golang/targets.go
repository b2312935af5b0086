package golang

import (
	"github.com/shmkv/shmkv/gen/layout"
)

// Build constraints. Go aligns a 64-bit integer in a struct to 4 on exactly
// the first set of targets, which are also those with 32-bit words.
const (
	on32Bit = "386 || arm || mips || mipsle"
	on64Bit = "!(" + on32Bit + ")"

	onLittle = "386 || amd64 || arm || arm64 || loong64 || mipsle || mips64le || ppc64le || " +
		"riscv64 || wasm"
	onBig = "mips || mips64 || ppc64 || s390x"
)

var endianText = map[layout.Endian]string{
	layout.Little: "little-endian",
	layout.Big:    "big-endian",
	layout.Native: "in the byte order of the machine",
}

// hasAlign8 tells whether a record aligns to 8.
func (g *generator) hasAlign8() bool {
	for _, r := range g.AllRecords() {
		if r.Align == 8 {
			return true
		}
	}
	return false
}

func (g *generator) align32File() *source {
	if !g.hasAlign8() {
		return nil
	}
	s := g.newSource(on32Bit)
	s.doc("align8 aligns a struct to 8 bytes, as on every other target: of all types only the " +
		"64-bit atomics align so here. No atomic access is made through it. go vet takes a " +
		"record with it for a lock: copy such records through pointers.")
	s.decl("type align8 = [0]@atomic.Uint64")
	return s
}

func (g *generator) align64File() *source {
	if !g.hasAlign8() {
		return nil
	}
	s := g.newSource(on64Bit)
	s.doc("align8 aligns a struct to 8 bytes.")
	s.decl("type align8 = [0]uint64")
	return s
}

// endianFile refuses to compile where the byte order is the other one. A page
// in the order of the machine needs none.
func (g *generator) endianFile() *source {
	right := onLittle
	name := "this_layout_is_little_endian_and_this_target_is_not"
	switch g.Endian {
	case layout.Native:
		return nil
	case layout.Big:
		right = onBig
		name = "this_layout_is_big_endian_and_this_target_is_not"
	}
	s := g.newSource("!(" + right + ")")
	s.doc("Only targets of the other byte order compile this file, and fail on the undefined " +
		"name below: the values in a page are never swapped in silence.")
	s.decl("var _ = %s", name)
	return s
}
