package witness

import (
	"debug/elf"
	"fmt"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
)

// readArray reads the witness array out of an object file or executable: its
// head, then n numbers of 64 bits in the order of the file's machine.
func readArray(path, symbol string, n int) ([]uint64, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the object file: %w", err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("read the object file: %w", err)
	}
	for _, s := range symbols {
		if s.Name != symbol || int(s.Section) >= len(f.Sections) {
			continue
		}
		section := f.Sections[s.Section]
		data, err := section.Data()
		if err != nil {
			return nil, fmt.Errorf("read section %s: %w", section.Name, err)
		}
		start := s.Value - section.Addr
		end := start + uint64(n+1)*8
		if end < start || end > uint64(len(data)) {
			return nil, fmt.Errorf("symbol %s: %d bytes at %d of section %s, which has %d",
				symbol, (n+1)*8, start, section.Name, len(data))
		}
		values := make([]uint64, n+1)
		for i := range values {
			values[i] = f.ByteOrder.Uint64(data[start+uint64(i)*8:])
		}
		if values[0] != emit.WitnessHead {
			return nil, fmt.Errorf(
				"symbol %s: it starts with %#x, want %#x",
				symbol,
				values[0],
				emit.WitnessHead,
			)
		}
		return values[1:], nil
	}
	return nil, fmt.Errorf(
		"symbol %s is not in the object file, which has %s",
		symbol,
		some(symbols),
	)
}

func some(symbols []elf.Symbol) string {
	var names []string
	for _, s := range symbols {
		if s.Name != "" && len(names) < 8 {
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}
