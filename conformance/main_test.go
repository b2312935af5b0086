package conformance

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain builds the peers, runs the tests, and says what they were.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.list").Value.String() != "" {
		m.Run()
		return
	}
	if !parallelGiven() {
		_ = flag.Set("test.parallel", "6") // most tests wait for a process that waits
	}
	began := time.Now()
	if err := build(); err != nil {
		fmt.Printf("conformance: the peers are not built: %v\n", err)
		os.Exit(1)
	}
	fmt.Printf("conformance: the peers are built, %v\n", time.Since(began).Round(time.Second/10))
	began = time.Now()
	m.Run() // its code is the program's
	printMatrix()
	printNarrowed()
	fmt.Printf("conformance: %v\n", time.Since(began).Round(time.Second/10))
}

func parallelGiven() (given bool) {
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	return given
}

// build runs scripts/peers. It looks at every source itself: go test then knows
// that a result of other sources says nothing.
func build() error {
	for _, dir := range []string{"peers", "generated", "cmd", "internal", "runtime", "scripts"} {
		if err := filepath.WalkDir(filepath.Join(root(), dir), look); err != nil {
			return err
		}
	}
	cmd := exec.Command(filepath.Join(root(), "scripts", "peers"), "all")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	return cmd.Run()
}

func look(path string, d fs.DirEntry, err error) error {
	if err == nil && !d.IsDir() {
		_, err = os.Stat(path)
	}
	return err
}

// leftOut is what the run was narrowed by.
var leftOut = struct {
	sync.Mutex
	what map[string]string // to the word of SHMKV_NARROW
}{what: map[string]string{}}

// narrowed tells whether SHMKV_NARROW has one of a thing's names, and notes it.
func narrowed(what string, names ...string) bool {
	words := strings.Split(os.Getenv("SHMKV_NARROW"), ",")
	for _, name := range names {
		if name != "" && slices.Contains(words, name) {
			leftOut.Lock()
			defer leftOut.Unlock()
			leftOut.what[what] = name
			return true
		}
	}
	return false
}

// have tells whether a tool is there. One that is missing fails the test, unless
// the run is narrowed by it.
func have(t *testing.T, tool string) bool {
	t.Helper()
	if narrowed(tool+", for "+t.Name(), tool) {
		t.Logf("NARROWED: without %s nothing is tested here", tool)
		return false
	}
	if _, err := exec.LookPath(tool); err != nil {
		t.Fatalf("%v: run scripts/deps, or SHMKV_NARROW=%s to do without", err, tool)
	}
	return true
}

func printNarrowed() {
	leftOut.Lock()
	defer leftOut.Unlock()
	var lines []string
	for what, word := range leftOut.what {
		lines = append(lines, fmt.Sprintf(
			"conformance: NARROWED: without %s (SHMKV_NARROW has %s)", what, word))
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}
