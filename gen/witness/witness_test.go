package witness

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/internal/specgen"
	"github.com/shmkv/shmkv/gen/layout"
)

func load(t *testing.T, path string) *layout.Layout {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	l, err := gen.Parse(path, data)
	require.NoError(t, err)
	return l
}

// narrowed tells whether the run was told to do without a compiler. Without
// that a missing compiler is a failure: its column would prove nothing.
func narrowed(program string) bool {
	names := strings.ReplaceAll(os.Getenv("SHMKV_NARROW"), ",", " ")
	return slices.Contains(strings.Fields(names), program)
}

func requireAll(t require.TestingT, m *Matrix) {
	for i, r := range m.Reports {
		if r.Absent != "" && narrowed(compilers[i].program) {
			continue
		}
		require.Empty(t, r.Absent, r.Compiler)
		require.Empty(t, r.Failed, r.Compiler)
		for j, fact := range m.Facts {
			require.Equal(t, uint64(fact.Want), r.Values[j], "%s: %s", r.Compiler, fact.Name())
		}
	}
	require.NoError(t, m.Err())
}

// TestEveryTypeInEveryTarget: every compiler finds the sizes, alignments and
// offsets of the default layout and of the layout that has every type.
func TestEveryTypeInEveryTarget(t *testing.T) {
	for _, path := range []string{
		"../../layout.yaml", "../testdata/ok/everything/layout.yaml",
		"../testdata/ok/implicit/layout.yaml", "../testdata/ok/reserved_words/layout.yaml",
	} {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			m, err := Run(load(t, path))
			require.NoError(t, err)
			requireAll(t, m)
			var out strings.Builder
			require.NoError(t, m.Write(&out))
			require.NotContains(t, out.String(), "WRONG")
		})
	}
}

// TestEverythingHasEveryType: the layout above is only worth its name while it
// holds each kind and each role.
func TestEverythingHasEveryType(t *testing.T) {
	l := load(t, "../testdata/ok/everything/layout.yaml")
	kinds, roles := map[layout.Kind]bool{}, map[layout.Role]bool{}
	for _, r := range l.AllRecords() {
		for _, f := range r.Fields {
			kinds[f.Type.Kind], roles[f.Role] = true, true
		}
	}
	for k := layout.KindU8; k <= layout.KindRecord; k++ {
		require.True(t, kinds[k], "no field of kind %s", k)
	}
	for r := layout.RoleMagic; r <= layout.RoleWaiters; r++ {
		require.True(t, roles[r], "no field of role %s", r)
	}
}

// TestDrawnLayoutsInEveryTarget: random legal layouts, measured by the real
// compilers. The long form: go test ./gen/witness -run Drawn -rapid.checks 300
func TestDrawnLayoutsInEveryTarget(t *testing.T) {
	defer specgen.Short(3)()
	rapid.Check(t, func(t *rapid.T) {
		text := specgen.Draw(t)
		l, err := gen.Parse("drawn.yaml", []byte(text))
		require.NoError(t, err, text)
		m, err := Run(l)
		require.NoError(t, err)
		requireAll(t, m)
	})
}

// TestDisagreementIsSeen: a compiler that finds another number fails the
// matrix, and the cell says so.
func TestDisagreementIsSeen(t *testing.T) {
	facts := load(t, "../../layout.yaml").Facts()
	values := make([]uint64, len(facts))
	for i, f := range facts {
		values[i] = uint64(f.Want)
	}
	wrong := append([]uint64(nil), values...)
	wrong[3]++
	m := &Matrix{Layout: "shkv2", Facts: facts, Reports: []Report{
		{Compiler: "one", Values: values}, {Compiler: "two", Values: wrong},
		{Compiler: "three", Absent: "not installed"},
	}}
	require.ErrorContains(t, m.Err(), "1 of 2 compilers disagree")
	var out strings.Builder
	require.NoError(t, m.Write(&out))
	require.Contains(t, out.String(), "WRONG")
	require.Contains(t, out.String(), "three: absent: not installed")
	require.Contains(t, out.String(), "1 agree, 1 disagree, 1 absent")
	text, err := json.Marshal(m)
	require.NoError(t, err)
	require.Contains(t, string(text), `"absent":1`)
}

// TestNobodyIsNoProof: absent compilers never count as passed.
func TestNobodyIsNoProof(t *testing.T) {
	m := &Matrix{Layout: "x", Reports: []Report{{Compiler: "gcc", Absent: "not installed"}}}
	require.ErrorContains(t, m.Err(), "no compiler was found")
}

// TestProbesFailOnAnotherLayout: the compile-time assertions of every language
// refuse a layout whose numbers are wrong, which proves that they assert.
func TestProbesFailOnAnotherLayout(t *testing.T) {
	damage := map[string]func(*layout.Layout){
		"size":   func(l *layout.Layout) { l.Records[0].Size += 8 },
		"offset": func(l *layout.Layout) { l.Page.Fields[1].Offset = 16 },
	}
	for name, harm := range damage {
		t.Run(name, func(t *testing.T) {
			l := load(t, "../testdata/ok/implicit/layout.yaml")
			harm(l)
			m, err := Run(l)
			require.NoError(t, err)
			for i, r := range m.Reports {
				if r.Absent == "" || !narrowed(compilers[i].program) {
					require.NotEmpty(t, r.Failed, "%s accepted a damaged layout", r.Compiler)
				}
			}
		})
	}
}
