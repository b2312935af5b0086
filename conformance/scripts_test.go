package conformance

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestScripts runs every script for one peer, for each peer of this machine. In
// a script the peer is shmkv.
func TestScripts(t *testing.T) {
	t.Parallel()
	require.NotEmpty(t, here())
	for _, p := range here() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			runScripts(t, "script", map[string]peer{"shmkv": p})
		})
	}
}

// TestMatrix runs every script for two peers, for each ordered pair of this
// machine's: in a script they are writer and watcher.
func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, writer := range here() {
		for _, watcher := range here() {
			t.Run(writer.name+"-"+watcher.name, func(t *testing.T) {
				t.Parallel()
				note(t, writer, watcher)
				runScripts(t, "pair", map[string]peer{"writer": writer, "watcher": watcher})
			})
		}
	}
}

// runScripts runs the scripts of a folder with the peers under these names.
func runScripts(t *testing.T, folder string, programs map[string]peer) {
	t.Helper()
	bin := install(t, programs)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", folder),
		RequireExplicitExec: true,
		Cmds:                commands,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("vectors", filepath.Join(root(), "conformance", "testdata", "vectors"))
			return nil
		},
	})
}
