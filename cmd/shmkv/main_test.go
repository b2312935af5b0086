package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"usage":       func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, 2, program, args...) },
			"fails":       func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, 1, program, args...) },
			"shell":       func(ts *testscript.TestScript, _ bool, args []string) { inShell(ts, 0, args) },
			"fails-shell": func(ts *testscript.TestScript, _ bool, args []string) { inShell(ts, 1, args) },
			"zeros":       zeros,
			"bytes":       writeBytes,
		},
	})
}

// exits runs a command that must end with the given code, and tell of a failure
// only in lines that name the program.
func exits(ts *testscript.TestScript, want int, command string, args ...string) {
	err := ts.Exec(command, args...)
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

// inShell runs a script of the shell.
func inShell(ts *testscript.TestScript, want int, args []string) {
	exits(ts, want, "bash", append([]string{"-c"}, args...)...)
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
