package conformance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// peer is one program that speaks the contract.
type peer struct {
	// name is its language, or its language and its processor.
	name string

	// binary lies below bin/; scripts/peers builds it.
	binary string

	// runner starts it where this machine can not do so by itself.
	runner string
}

// peers is THE table. A program added here runs through everything.
var peers = []peer{
	{name: "go", binary: "shmkv"},
	{name: "c", binary: "shmkv-c"},
	{name: "cpp", binary: "shmkv-cpp"},
	{name: "rust", binary: "shmkv-rust"},

	{name: "go-386", binary: "386/shmkv"},
	{name: "c-386", binary: "386/shmkv-c"},
	{name: "cpp-386", binary: "386/shmkv-cpp"},

	{name: "go-arm64", binary: "arm64/shmkv", runner: "qemu-aarch64"},
	{name: "c-arm64", binary: "arm64/shmkv-c", runner: "qemu-aarch64"},
	{name: "cpp-arm64", binary: "arm64/shmkv-cpp", runner: "qemu-aarch64"},

	{name: "go-arm", binary: "arm/shmkv", runner: "qemu-arm"},
	{name: "c-arm", binary: "arm/shmkv-c", runner: "qemu-arm"},
	{name: "cpp-arm", binary: "arm/shmkv-cpp", runner: "qemu-arm"},

	{name: "go-riscv64", binary: "riscv64/shmkv", runner: "qemu-riscv64"},
	{name: "c-riscv64", binary: "riscv64/shmkv-c", runner: "qemu-riscv64"},
	{name: "cpp-riscv64", binary: "riscv64/shmkv-cpp", runner: "qemu-riscv64"},
}

// language and processor are the parts of a name; a peer of this machine has no
// processor.
func (p peer) language() string  { l, _, _ := strings.Cut(p.name, "-"); return l }
func (p peer) processor() string { _, a, _ := strings.Cut(p.name, "-"); return a }

// here are the peers of this machine that the run is not narrowed by.
func here() []peer { return chosen(func(p peer) bool { return p.processor() == "" }) }

// foreign are those of other word sizes and processors.
func foreign() []peer { return chosen(func(p peer) bool { return p.processor() != "" }) }

func chosen(is func(peer) bool) []peer {
	return slices.DeleteFunc(slices.Clone(peers), func(p peer) bool {
		names := []string{p.name, p.language(), p.processor(), p.runner}
		return !is(p) || narrowed("the peer "+p.name, names...)
	})
}

// path is where the binary lies.
func (p peer) path(t *testing.T) string {
	t.Helper()
	path := filepath.Join(root(), "bin", p.binary)
	_, err := os.Stat(path) // go test runs a test anew when a file it looked at has changed
	require.NoError(t, err, "scripts/peers builds it")
	return path
}

// command is how the peer is started.
func (p peer) command(t *testing.T, args ...string) []string {
	t.Helper()
	command := append([]string{p.path(t)}, args...)
	if p.runner != "" {
		command = append([]string{p.runner}, command...)
	}
	return command
}

// root is the project's folder.
func root() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err) // the working directory is gone
	}
	return dir
}
