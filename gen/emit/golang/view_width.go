package golang

import "strings"

// The View's 8-byte fields differ by the width of the target: no 64-bit atomic
// may be used between processes on a 32-bit one.

// has64 tells whether the View has 8-byte words of the protocol (wide) and
// other 8-byte fields.
func (g *generator) has64() (wide, fields bool) {
	for _, f := range g.Page.Fields {
		if a, ok := g.accessor(f); ok {
			wide = wide || a.wide
			fields = fields || strings.Contains(a.get, "load64(")
		}
	}
	return wide, fields
}

func (g *generator) view32File() *source {
	if _, fields := g.has64(); !fields {
		return nil
	}
	s := g.newSource(on32Bit)
	s.decl(`
// load64 reads an unguarded value by two loads: a writer may come between.
func load64(p @unsafe.Pointer) (v uint64) {
	half := (*[2]uint32)(@unsafe.Pointer(&v))
	half[0] = @atomic.LoadUint32((*uint32)(p))
	half[1] = @atomic.LoadUint32((*uint32)(@unsafe.Add(p, 4)))
	return v
}`)
	s.decl(`
// store64 writes an unguarded value by two stores: a reader may come between.
func store64(p @unsafe.Pointer, v uint64) {
	half := (*[2]uint32)(@unsafe.Pointer(&v))
	@atomic.StoreUint32((*uint32)(p), half[0])
	@atomic.StoreUint32((*uint32)(@unsafe.Add(p, 4)), half[1])
}`)
	return s
}

func (g *generator) view64File() *source {
	wide, fields := g.has64()
	if !wide && !fields {
		return nil
	}
	s := g.newSource(on64Bit)
	if wide {
		g.viewMethods(s, true)
	}
	if fields {
		s.decl(`
// load64 reads an unguarded value whole.
func load64(p @unsafe.Pointer) uint64 { return @atomic.LoadUint64((*uint64)(p)) }`)
		s.decl(`
// store64 writes an unguarded value whole.
func store64(p @unsafe.Pointer, v uint64) { @atomic.StoreUint64((*uint64)(p), v) }`)
	}
	return s
}
