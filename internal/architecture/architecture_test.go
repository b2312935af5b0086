// Package architecture holds the tree to its plan: imports go one way only.
package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/shmkv/shmkv/"

// room is a part of the tree with what it may import of the module and of
// others; the standard library is always open but for what never lists.
type room struct {
	prefix string   // of the import path, without the module's
	may    []string // prefixes of the module it may import
	others []string // modules it may import
	never  []string // packages of the standard library it may not
}

// The most special prefix counts.
var rooms = []room{
	{prefix: "gen/diag"},
	{
		prefix: "gen/spec",
		may:    []string{"gen/diag"},
		others: []string{"gopkg.in/yaml.v3"},
		never:  []string{"os"},
	},
	{prefix: "gen/layout", may: []string{"gen/diag", "gen/spec"}, never: []string{"os"}},
	{prefix: "gen/naming", may: []string{"gen/diag", "gen/layout"}, never: []string{"os"}},
	{prefix: "gen/schema"},
	{prefix: "gen/report", may: []string{"gen/layout", "gen/naming"}, never: []string{"os"}},
	{
		prefix: "gen/emit", may: []string{"gen/emit/support", "gen/layout", "gen/naming"},
		others: []string{"github.com/dave/jennifer"}, never: []string{"os", "time"},
	},
	{prefix: "gen/internal", may: []string{"gen/"}, others: []string{
		"pgregory.net/rapid", "github.com/stretchr/testify",
	}},
	{prefix: "gen/witness", may: []string{"gen/emit", "gen/layout"}},
	{prefix: "gen", may: []string{"gen/"}},
	{prefix: "generated/go", may: []string{"runtime/"}},
	{prefix: "runtime", may: []string{"runtime/"}, others: []string{"golang.org/x/sys"}},
	{prefix: "cmd/shmkv", may: []string{"internal/", "generated/go", "runtime/"}, others: []string{
		"github.com/alecthomas/kong", "golang.org/x/sys",
	}},
	{prefix: "internal", may: []string{"internal/", "generated/go", "runtime/"}, others: []string{
		"github.com/alecthomas/kong", "github.com/HdrHistogram/hdrhistogram-go", "golang.org/x/sys",
	}},
	{prefix: "conformance"}, // black-box: its tests start programs
	{prefix: "internal/cli", others: []string{"github.com/alecthomas/kong"}},
	{
		prefix: "cmd/shmkvgen",
		may:    []string{"gen", "internal/cli"},
		others: []string{"github.com/aymanbagabas/go-udiff"},
	},
}

type pkg struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", module+"...")
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []pkg
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
	require.Greater(t, len(all), 10)
	return all
}

func roomOf(path string) *room {
	var best *room
	for i, r := range rooms {
		inside := path == r.prefix || strings.HasPrefix(path, r.prefix+"/")
		if inside && (best == nil || len(r.prefix) > len(best.prefix)) {
			best = &rooms[i]
		}
	}
	return best
}

func within(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool {
		return path == strings.TrimSuffix(p, "/") ||
			strings.HasPrefix(path, strings.TrimSuffix(p, "/")+"/")
	})
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		r := roomOf(path)
		if r == nil {
			continue
		}
		for _, imported := range p.Imports {
			own, inModule := strings.CutPrefix(imported, module)
			first, _, _ := strings.Cut(imported, "/")
			switch {
			case inModule && (within(own, r.may) || own == r.prefix):
			case !inModule && !strings.Contains(first, ".") && !slices.Contains(r.never, imported):
			case within(imported, r.others):
			default:
				t.Errorf("%s imports %s, which its room does not allow", path, imported)
			}
		}
	}
}

// TestEmittersStandAlone: an emitter that uses another would tie two languages
// together.
func TestEmittersStandAlone(t *testing.T) {
	for _, p := range packages(t) {
		path := strings.TrimPrefix(p.ImportPath, module)
		if !strings.HasPrefix(path, "gen/emit/") {
			continue
		}
		for _, imported := range p.Imports {
			other := strings.TrimPrefix(imported, module+"gen/emit/")
			if other != imported && !within(other, []string{"support"}) {
				t.Errorf("%s imports the emitter %s", path, other)
			}
		}
	}
}

// TestOneExit: the exit codes are internal/cli's business alone.
func TestOneExit(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	for _, p := range packages(t) {
		if p.ImportPath == module+"internal/cli" || strings.HasSuffix(p.ImportPath, "test") {
			continue // what only tests import may end a test's process
		}
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := call.X.(*ast.Ident); ok && (x.Name == "os" && call.Sel.Name == "Exit" ||
					x.Name == "log" && strings.HasPrefix(call.Sel.Name, "Fatal")) {
					rel, _ := filepath.Rel(root, path)
					t.Errorf("%s calls %s.%s", rel, x.Name, call.Sel.Name)
				}
				return true
			})
		}
	}
}

// TestFilesStaySmall: at most 400 lines in a file of ours, 600 in an emitter's,
// and lines that fit a screen.
func TestFilesStaySmall(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if slices.Contains(
				[]string{".git", "target", "testdata", "generated", "bin", "build"},
				d.Name(),
			) {
				return fs.SkipDir
			}
			return nil
		}
		limit := 400
		if strings.HasPrefix(rel, "gen/emit/") {
			limit = 600
		}
		if !slices.Contains(
			[]string{".go", ".c", ".h", ".cpp", ".hpp", ".rs"},
			filepath.Ext(path),
		) {
			return nil
		}
		checkFile(t, path, rel, limit)
		return nil
	})
	require.NoError(t, err)
}
