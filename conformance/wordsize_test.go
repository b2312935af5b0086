package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWordSizes: peers of other word sizes and processors share one page with
// those of this machine, across a carry between the halves of the counter.
func TestWordSizes(t *testing.T) {
	t.Parallel()
	v, err := readVector(filepath.Join("testdata", "vectors", "futex-wrap.txtar"))
	require.NoError(t, err)
	for _, writer := range append(here(), foreign()...) {
		others := foreign()
		if writer.processor() != "" {
			others = here()
		}
		if len(others) == 0 {
			continue // narrowed, and said so
		}
		t.Run(writer.name, func(t *testing.T) {
			t.Parallel()
			onePage(t, v, writer, others)
		})
	}
}

// onePage lets many watch what one writes.
func onePage(t *testing.T, v *vector, writer peer, watchers []peer) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(file(dir), v.page, 0o600))
	want, lost := reported(t, v)
	var running []*process
	for _, p := range watchers {
		note(t, writer, p)
		running = append(running, launch(t, dir, p, "watch", "kv.shm", "--json", "--events", "12"))
	}
	for _, w := range running {
		sleepsOn(t, w, v.means.Futex)
		fault, err := readOnly(w.pid(), file(dir))
		require.NoError(t, err)
		require.Empty(t, fault, "%v", w.cmd.Args)
	}
	serve := launch(t, dir, writer, "serve", "kv.shm", "--stdin")
	for i := range uint64(4) {
		serve.writes("k%d=value-%[1]d", i)
		want = append(want, fmt.Sprintf(`{"id":%d,"lost":0,"key":"k%d","value":"value-%[2]d"}`,
			v.means.Counter+1+i, i))
		if i == 3 {
			break
		}
		for _, w := range running {
			sleepsOn(t, w, uint32(v.means.Counter+1+i))
		}
	}
	for i, w := range running {
		t.Run(watchers[i].name, func(t *testing.T) {
			note(t, writer, watchers[i])
			assert.Equal(t, want, w.rest())
			w.ends(0, lostNote(lost))
		})
	}
	require.NoError(t, serve.in.Close())
	serve.ends(0, "")
}

// TestBigEndian: a little-endian layout does not compile for a big-endian
// processor, and the message says why.
func TestBigEndian(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command []string
		source  string
		message string
	}{
		"c": {
			[]string{"s390x-linux-gnu-gcc", "-std=c11", "-fsyntax-only", "-x", "c"},
			"#include <shmkv/shkv2.h>\n", "shkv2 is little-endian; this target is big-endian",
		},
		"cpp": {
			[]string{"s390x-linux-gnu-g++", "-std=c++20", "-fsyntax-only", "-x", "c++"},
			"#include <shmkv/shkv2.hpp>\n", "shkv2 is little-endian; this target is big-endian",
		},
		"go": {
			[]string{"go", "build", "-o", os.DevNull, "./cmd/shmkv"},
			"", "this_layout_is_little_endian_and_this_target_is_not",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if narrowed("s390x in "+name, "s390x", name, name+"-s390x") || !have(t, c.command[0]) {
				return
			}
			args := c.command[1:]
			if c.source != "" {
				args = append(args, "-I", filepath.Join("generated", "c"), "-")
			}
			cmd := exec.Command(c.command[0], args...)
			cmd.Dir, cmd.Stdin = root(), strings.NewReader(c.source)
			cmd.Env = append(os.Environ(), "GOARCH=s390x", "CGO_ENABLED=0")
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "it compiles")
			assert.Contains(t, string(out), c.message)
		})
	}
}
