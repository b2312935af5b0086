package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"shmkvgen": main})
}

func repository(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	return root
}

func TestScripts(t *testing.T) {
	root := repository(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("SHMKV_UPDATE") == "1",
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			// The go command finds its caches below the real home.
			env.Setenv("HOME", os.Getenv("HOME"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"flip":   flip,
			"digest": digest,
		},
	})
}

// exits CODE PROGRAM ARG...: the program ends with just that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// flip FILE: changes one byte in the middle of a file.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	data[len(data)/2] ^= 0x01
	ts.Check(os.WriteFile(path, data, 0o644))
}

// digest FILE DIR...: writes a hash over every path, byte and time of change
// below the folders into FILE.
func digest(ts *testscript.TestScript, _ bool, args []string) {
	text := ""
	for _, dir := range args[1:] {
		sum, err := treeHash(ts.MkAbs(dir), true)
		ts.Check(err)
		text += sum + "\n"
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// treeHash hashes every path and byte below a folder, and with times when each
// file was last written.
func treeHash(root string, times bool) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %d\n%s", rel, len(data), data)
		if info, err := d.Info(); err == nil && times {
			fmt.Fprintln(h, info.ModTime().UnixNano())
		}
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// TestOutputIsTheSameEverywhere: fifty runs under different folders, zones,
// languages and numbers of processors give one hash.
func TestOutputIsTheSameEverywhere(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	layout := filepath.Join(repository(t), "layout.yaml")
	hashes := map[string]bool{}
	for i := range 50 {
		cwd := filepath.Join(t.TempDir(), fmt.Sprint("folder", i%7))
		require.NoError(t, os.MkdirAll(cwd, 0o755))
		cmd := exec.Command(program, "generate", layout)
		cmd.Args[0] = "shmkvgen"
		cmd.Dir = cwd
		cmd.Env = append(os.Environ(),
			"TZ="+[]string{"UTC", "Asia/Kolkata", "America/St_Johns"}[i%3],
			"LANG="+[]string{"C", "de_DE.UTF-8", "tr_TR.UTF-8"}[i%3],
			"LC_ALL="+[]string{"C", "", "tr_TR.UTF-8"}[i%3],
			"GOMAXPROCS="+fmt.Sprint(1+i%8))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		hash, err := treeHash(filepath.Join(cwd, "generated"), false)
		require.NoError(t, err)
		hashes[hash] = true
	}
	require.Len(t, hashes, 1)
}
