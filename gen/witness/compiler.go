package witness

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/c11"
	"github.com/shmkv/shmkv/gen/emit/cpp20"
	"github.com/shmkv/shmkv/gen/emit/golang"
	"github.com/shmkv/shmkv/gen/emit/rust"
	"github.com/shmkv/shmkv/gen/layout"
)

// compiler is one column of the matrix: a program and the target it is asked
// to compile for.
type compiler struct {
	name    string
	program string
	version []string
	env     []string
	symbol  string

	// trivial is a program of the language that uses what generated code
	// needs of the installation. A compiler that can not build it is absent:
	// gcc -m32 without 32-bit headers, say.
	trivial emit.File
	probe   func(*layout.Layout, []layout.Fact) ([]emit.File, error)
	build   []string // builds probe.out from the probe
	try     []string // builds the trivial program
}

// compilers is the table of all that are asked.
var compilers = []*compiler{
	goTarget("amd64"), goTarget("386"), goTarget("arm64"),
	cCompiler("gcc", "-m64"), cCompiler("gcc", "-m32"),
	cppCompiler("g++", "-m64"), cppCompiler("g++", "-m32"),
	cCompiler("clang", "-m64"), cCompiler("clang", "-m32"),
	cppCompiler("clang++", "-m64"), cppCompiler("clang++", "-m32"),
	rustc(),
}

func goTarget(arch string) *compiler {
	return &compiler{
		name: "go " + arch, program: "go", version: []string{"version"}, symbol: "main." + Symbol,
		env: []string{
			"GOARCH=" + arch, "GOOS=linux", "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
			"GOTOOLCHAIN=local", "GO111MODULE=on",
		},
		trivial: emit.File{Path: "trivial.go", Data: []byte("package main\n\nfunc main() {}\n")},
		try:     []string{"build", "-o", "trivial.out", "trivial.go"},
		probe:   golang.Probe,
		build:   []string{"build", "-o", "probe.out", "."},
	}
}

func cCompiler(program, mode string) *compiler {
	flags := []string{mode, "-std=c11", "-I."}
	return &compiler{
		name: program + " " + mode, program: program, version: []string{"--version"}, symbol: Symbol,
		trivial: emit.File{
			Path: "trivial.c",
			Data: []byte("#include <fcntl.h>\n#include <stdint.h>\nint trivial;\n"),
		},
		try:   append(flags, "-c", "trivial.c", "-o", "trivial.out"),
		probe: c11.Probe,
		build: append(flags, "-c", "probe.c", "-o", "probe.out"),
	}
}

func cppCompiler(program, mode string) *compiler {
	flags := []string{mode, "-std=c++20", "-I."}
	return &compiler{
		name: program + " " + mode, program: program, version: []string{"--version"}, symbol: Symbol,
		trivial: emit.File{
			Path: "trivial.cpp",
			Data: []byte("#include <fcntl.h>\n#include <atomic>\nint trivial;\n"),
		},
		try:   append(flags, "-c", "trivial.cpp", "-o", "trivial.out"),
		probe: cpp20.Probe,
		build: append(flags, "-c", "probe.cpp", "-o", "probe.out"),
	}
}

func rustc() *compiler {
	flags := []string{
		"--edition",
		"2021",
		"--crate-type",
		"lib",
		"--emit",
		"obj",
		"--cap-lints",
		"allow",
	}
	return &compiler{
		name: "rustc", program: "rustc", version: []string{"--version"}, symbol: Symbol,
		trivial: emit.File{Path: "trivial.rs", Data: []byte("pub fn trivial() {}\n")},
		try:     append(flags, "trivial.rs", "-o", "trivial.out"),
		probe:   rust.Probe,
		build:   append(flags, "src/lib.rs", "-o", "probe.out"),
	}
}

// find returns the compiler's version, or why it can not be asked.
func (c *compiler) find(dir string) (version, absent string) {
	if _, err := exec.LookPath(c.program); err != nil {
		return "", c.program + " is not installed"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err.Error()
	}
	cmd := exec.Command(c.program, c.version...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", c.program + " does not run: " + err.Error()
	}
	version, _, _ = strings.Cut(string(out), "\n")
	if err := write(dir, []emit.File{c.trivial}); err != nil {
		return "", err.Error()
	}
	if err := c.run(dir, c.try); err != nil {
		return "", "can not build a trivial program: " + firstLine(err.Error())
	}
	os.Remove(filepath.Join(dir, c.trivial.Path))
	return version, ""
}

// run starts the compiler in dir; its error carries what it printed.
func (c *compiler) run(dir string, args []string) error {
	cmd := exec.Command(c.program, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), c.env...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(output.String())
		if text == "" {
			return err
		}
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
