package conformance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// commands are what the scripts know beside the commands of testscript.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	// usage ARGS...: the peer ends with 2, before it has touched anything.
	"usage": func(ts *testscript.TestScript, _ bool, args []string) {
		exits(ts, 2, append([]string{"shmkv"}, args...))
	},
	// fails PROGRAM ARGS...: it ends with 1.
	"fails": func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, 1, args) },
	// succeeds PROGRAM ARGS...: it ends with 0 and has nothing to complain of.
	"succeeds": func(ts *testscript.TestScript, _ bool, args []string) { exits(ts, 0, args) },
	// zeros FILE SIZE makes a file of zeros.
	"zeros": func(ts *testscript.TestScript, _ bool, args []string) {
		size, err := strconv.Atoi(args[1])
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), make([]byte, size), 0o600))
	},
	// bytes FILE TEXT writes a file from text with the escapes of Go.
	"bytes": func(ts *testscript.TestScript, _ bool, args []string) {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[1], `"`, `\"`) + `"`)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
	},
	// poke FILE OFFSET BYTE stores one byte.
	"poke": func(ts *testscript.TestScript, _ bool, args []string) {
		offset, err := strconv.ParseInt(args[1], 0, 64)
		ts.Check(err)
		value, err := strconv.ParseUint(args[2], 0, 8)
		ts.Check(err)
		f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY, 0)
		ts.Check(err)
		_, err = f.WriteAt([]byte{byte(value)}, offset)
		ts.Check(errors.Join(err, f.Close()))
	},
	"page":     makePage,
	"image":    compareImage,
	"asleep":   waitAsleep,
	"readonly": checkReadOnly,
	"grows":    waitGrows,
	"signal":   sendSignal,
}

// exits runs a command that must end with the given code, and tell of a failure
// only in lines that name the program: one, where it is a failure at run time.
func exits(ts *testscript.TestScript, want int, command []string) {
	err := ts.Exec(command[0], command[1:]...)
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
	if !faultLines[want].MatchString(stderr) {
		ts.Fatalf("standard error with exit code %d: %q", want, stderr)
	}
	if want == 2 && ts.ReadFile("stdout") != "" {
		ts.Fatalf("wrong usage is told on standard output")
	}
}

// faultLines is what standard error looks like, by exit code.
var faultLines = map[int]*regexp.Regexp{
	0: regexp.MustCompile(`^$`),
	1: regexp.MustCompile(`^(shmkv: .+\n)+$`),
	2: regexp.MustCompile(`^shmkv: .+\n`),
}

// makePage is page FILE VECTOR: it makes the page that a vector starts with.
func makePage(ts *testscript.TestScript, _ bool, args []string) {
	v, err := readVector(filepath.Join(ts.Getenv("vectors"), args[1]+".txtar"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), v.page, 0o600))
}

// compareImage is image FILE LISTING: the file is byte for byte the page listed.
func compareImage(ts *testscript.TestScript, _ bool, args []string) {
	want, err := parsePage(ts.ReadFile(args[1]))
	ts.Check(err)
	got := []byte(ts.ReadFile(args[0]))
	if string(got) != string(want) {
		ts.Fatalf("%s is %s\nwant %s", args[0], dump(got), dump(want))
	}
}

// signals are those that scripts send.
var signals = map[string]syscall.Signal{
	"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL,
	"STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT,
}

// sendSignal is signal NAME COMMAND: the background commands of that name, serve
// or watch, get the signal.
func sendSignal(ts *testscript.TestScript, _ bool, args []string) {
	signal, ok := signals[args[0]]
	if !ok {
		ts.Fatalf("no signal %s", args[0])
	}
	for _, cmd := range background(ts, args[1]) {
		ts.Check(cmd.Process.Signal(signal))
	}
}

// background are the background commands with a word among their arguments.
func background(ts *testscript.TestScript, word string) []*exec.Cmd {
	found := slices.DeleteFunc(ts.BackgroundCmds(), func(c *exec.Cmd) bool {
		return !slices.Contains(c.Args, word)
	})
	if len(found) == 0 {
		ts.Fatalf("no %s in the background", word)
	}
	return found
}

// waitAsleep is asleep VALUE: it waits until every watcher in the background
// sleeps on that value of the futex word.
func waitAsleep(ts *testscript.TestScript, _ bool, args []string) {
	value, err := strconv.ParseUint(args[0], 10, 32)
	ts.Check(err)
	for _, cmd := range background(ts, "watch") {
		until(ts, fmt.Sprintf("%v asleep on %d", cmd.Args, value), func() bool {
			return asleep(cmd.Process.Pid, uint32(value))
		})
	}
}

// checkReadOnly is readonly FILE: no watcher in the background could write to it.
func checkReadOnly(ts *testscript.TestScript, _ bool, args []string) {
	for _, cmd := range background(ts, "watch") {
		fault, err := readOnly(cmd.Process.Pid, ts.MkAbs(args[0]))
		ts.Check(err)
		if fault != "" {
			ts.Fatalf("%v: %s", cmd.Args, fault)
		}
	}
}

// waitGrows is grows FILE: it waits until somebody publishes.
func waitGrows(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, "updates of "+args[0], func() bool { return counter(ts.MkAbs(args[0])) > 2 })
}

func until(ts *testscript.TestScript, what string, holds func() bool) {
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// install puts the peers under the given names into a folder for PATH.
func install(t *testing.T, programs map[string]peer) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, p := range programs {
		require.NoError(t, os.Symlink(p.path(t), filepath.Join(folder, name)))
		require.Empty(t, p.runner, "scripts are for the peers of this machine")
	}
	return folder
}
