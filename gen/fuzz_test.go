package gen_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/shmkv/shmkv/gen"
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/spec"
)

// FuzzParse: any input gives either a layout or diagnostics, never both, never
// neither, and never a panic. The long form: make fuzz
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := gen.Parse("f", data)
		if err == nil {
			require.NotNil(t, l)
			require.NotZero(t, l.Size)
			return
		}
		require.Nil(t, l)
		var list *diag.List
		require.True(t, errors.As(err, &list))
		require.NotEmpty(t, list.Items())
		for _, d := range list.Items() {
			require.Equal(t, "f", d.Pos.File)
			require.NotContains(t, d.Message, "\n")
		}
	})
}

// FuzzEmit: what is accepted can be said in every language: either diagnostics
// or files.
func FuzzEmit(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := gen.Parse("f", data)
		if err != nil {
			return
		}
		dirs := map[gen.Dir]string{gen.DirGo: "go", gen.DirC: "c", gen.DirRust: "rust"}
		output, err := gen.Emit([]*layout.Layout{l}, dirs, gen.Options{})
		require.NoError(t, err)
		require.NotEmpty(t, output.Files)
	})
}

func seed(f *testing.F) {
	for _, pattern := range []string{"ok", "bad"} {
		paths, err := filepath.Glob(filepath.Join("testdata", pattern, "*", "layout.yaml"))
		require.NoError(f, err)
		for _, path := range paths {
			data, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(data)
		}
	}
}

// hostile are inputs that cost a careless reader the most for their size.
func hostile() map[string][]byte {
	const size = 1 << 20
	repeat := func(s string, bound int) []byte { return []byte(strings.Repeat(s, bound/len(s))) }
	inputs := map[string][]byte{}
	for _, bound := range []int{spec.MaxSize, size} {
		suffix := "/" + map[bool]string{true: "within the limit", false: "1 MiB"}[bound == spec.MaxSize]
		head := "layout: t\npage:\n"
		body := bound - len(head)
		inputs["list"+suffix] = repeat("- ", bound)
		inputs["flow"+suffix] = append([]byte("["), repeat("a,", bound-1)...)
		inputs["open"+suffix] = repeat("[", bound)
		inputs["maps"+suffix] = repeat("{a: ", bound)
		inputs["keys"+suffix] = repeat("? a\n", bound)
		inputs["fields"+suffix] = append([]byte(head), repeat("  a: u8\n", body)...)
		inputs["docs"+suffix] = append([]byte("layout: t\ndoc: "), repeat("a ", bound-16)...)
		inputs["anchors"+suffix] = append([]byte("a: &a [x]\nb: "), repeat("*a ", bound-16)...)
		inputs["tags"+suffix] = repeat("!!x ", bound)
		inputs["quotes"+suffix] = append([]byte(`a: "`), repeat(`\n`, bound-8)...)
		inputs["brackets"+suffix] = append([]byte(head+"  a: u8"), repeat("[1]", body-8)...)
		inputs["digits"+suffix] = append(
			[]byte(head+"  a: {type: u8, at: "),
			repeat("9", body-24)...)
		inputs["comments"+suffix] = repeat("#\n", bound)
		inputs["nul"+suffix] = make([]byte, bound)
		inputs["chain"+suffix] = chain(bound)
	}
	return inputs
}

// TestTheLargestLayoutsAreCheap holds generation of legal layouts at the limit
// to the same bounds, in the shapes that give the most output.
func TestTheLargestLayoutsAreCheap(t *testing.T) {
	fields := func(typ string) string {
		var b strings.Builder
		b.WriteString("layout: t\npage:\n")
		for i := range layout.MaxDeclared - 10 {
			fmt.Fprintf(&b, "  t%d: %q\n", i, typ)
		}
		return b.String()
	}
	record := "records: {r: {fields: {s: {type: u32, role: seqlock, guards: x}, x: u32}}}\n"
	for name, text := range map[string]string{
		"texts": fields("char[9]"), "numbers": fields("u32"), "guarded": fields("r[2]") + record,
		"large arrays": fields("u64[2][3][5][4000]"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			l, err := gen.Parse("f", []byte(text))
			require.NoError(t, err)
			dirs := map[gen.Dir]string{gen.DirGo: "go", gen.DirC: "c", gen.DirRust: "rust"}
			_, err = gen.Emit([]*layout.Layout{l}, dirs, gen.Options{})
			require.NoError(t, err)
			t.Log(time.Since(start))
			require.Less(t, time.Since(start), 5*time.Second) // a second of an idle machine
			runtime.ReadMemStats(&after)
			require.Less(t, after.HeapSys, uint64(256<<20))
		})
	}
}

// chain is a legal layout of records that nest as deeply as fits.
func chain(bound int) []byte {
	var b bytes.Buffer
	b.WriteString("layout: t\npage: {a: r0}\nrecords:\n")
	for i := 0; b.Len() < bound-100; i++ {
		b.WriteString("  r")
		b.WriteString(itoa(i))
		b.WriteString(": {fields: {a: u8, b: r")
		b.WriteString(itoa(i + 1))
		b.WriteString("}}\n")
	}
	return b.Bytes()
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + string(rune('0'+i%10))
}

// TestHostileInputIsCheap holds every input of up to 1 MiB to a bound of time
// and memory. The bounds are wide enough for a loaded machine; what they catch
// is growth that is worse than linear.
func TestHostileInputIsCheap(t *testing.T) {
	for name, data := range hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := gen.Parse("f", data)
			elapsed := time.Since(start)
			runtime.ReadMemStats(&after)
			require.Error(t, err)
			require.Less(t, elapsed, time.Second)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<20))
			require.Less(t, len(err.Error()), 1<<20)
		})
	}
}
