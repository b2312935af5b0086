package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts, and the tests that start processes, run this very
// binary as the command.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){program: main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Cmds: map[string]command{
			"usage":       exits(2, program),
			"fails":       exits(1, program),
			"shell":       exits(0, "bash", "-c"),
			"fails-shell": exits(1, "bash", "-c"),
			"zeros":       zeros,
			"bytes":       writeBytes,
		},
	})
}

// command is one of the scripts' own.
type command = func(ts *testscript.TestScript, neg bool, args []string)

// exits makes a command that runs a program, which must end with the given code
// and tell of a failure only in lines that name ours.
func exits(want int, name string, first ...string) command {
	return func(ts *testscript.TestScript, _ bool, args []string) {
		check(ts, want, ts.Exec(name, append(slices.Clone(first), args...)...))
	}
}

func check(ts *testscript.TestScript, want int, err error) {
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
	stderr := ts.ReadFile("stderr")
	if want != 0 && !strings.HasPrefix(stderr, program+": ") {
		ts.Fatalf("a failure without its line: %q", stderr)
	}
	if want == 2 && ts.ReadFile("stdout") != "" {
		ts.Fatalf("wrong usage is told on standard output")
	}
}

// zeros FILE SIZE makes a file of zeros.
func zeros(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), make([]byte, size), 0o600))
}

// writeBytes FILE TEXT writes a file from text with the escapes of Go.
func writeBytes(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote("\"" + strings.ReplaceAll(args[1], "\"", "\\\"") + "\"")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
