package serve

import (
	"bytes"
	"fmt"

	"github.com/shmkv/shmkv/generated/go/shkv2"
)

// pair takes a line apart at its first '='.
type pair struct {
	key, value part
	split      bool
}

func newPair() *pair {
	var slot shkv2.Slot
	return &pair{
		key:   part{name: "key", limit: uint64(len(slot.KeyRaw()))},
		value: part{name: "value", limit: uint64(len(slot.ValueRaw()))},
	}
}

func (p *pair) feed(piece []byte) {
	if !p.split {
		key, value, found := bytes.Cut(piece, []byte("="))
		p.key.feed(key)
		p.split, piece = found, value
	}
	p.value.feed(piece)
}

// fault says why the line can not be published.
func (p *pair) fault() error {
	switch {
	case !p.split:
		return fmt.Errorf("%w: no '=' in it, want key=value", errRefused)
	case p.key.size == 0:
		return fmt.Errorf("%w: the key is empty", errRefused)
	}
	if err := p.key.fault(); err != nil {
		return err
	}
	return p.value.fault()
}

// part is a key or a value: no more of it is kept than the layout has room for.
type part struct {
	name  string
	limit uint64 // in bytes
	size  uint64 // in bytes, all of it
	kept  []byte
	nul   bool
}

func (p *part) feed(piece []byte) {
	if room := p.limit - uint64(len(p.kept)); room > 0 {
		p.kept = append(p.kept, piece[:min(uint64(len(piece)), room)]...)
	}
	p.size += uint64(len(piece))
	p.nul = p.nul || bytes.IndexByte(piece, 0) >= 0
}

func (p *part) fault() error {
	switch {
	case p.size > p.limit:
		return fmt.Errorf("%w: the %s has %d bytes, want at most %d", errRefused, p.name, p.size, p.limit)
	case p.nul:
		return fmt.Errorf("%w: the %s contains a NUL", errRefused, p.name)
	}
	return nil
}
