package conformance

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

const pageSize = 4096

// parsePage reads a page from a listing: lines of an offset in hexadecimal, a
// colon, and bytes; from a bar on they are for people. What is not listed is zero.
func parsePage(listing string) ([]byte, error) {
	page := make([]byte, pageSize)
	for line := range strings.Lines(listing) {
		text, _, _ := strings.Cut(line, "|")
		if strings.TrimSpace(text) == "" {
			continue
		}
		at, digits, ok := strings.Cut(text, ":")
		offset, err := strconv.ParseUint(at, 16, 16)
		if !ok || err != nil {
			return nil, fmt.Errorf("no offset: %q", line)
		}
		data, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		if int(offset)+len(data) > pageSize {
			return nil, fmt.Errorf("beyond the page: %q", line)
		}
		copy(page[offset:], data)
	}
	return page, nil
}

// dump is a page as text that can be compared line by line.
func dump(page []byte) string { return fmt.Sprintf("%d bytes\n%s", len(page), hex.Dump(page)) }

// words are the numbers of a page.
type words struct {
	Seq     uint32 `json:"seq"`
	Futex   uint32 `json:"futex"`
	Counter uint64 `json:"counter"`
}

func wordsOf(page []byte) words {
	le := binary.LittleEndian
	return words{le.Uint32(page[8:]), le.Uint32(page[12:]), le.Uint64(page[16:])}
}
