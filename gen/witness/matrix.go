package witness

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/shmkv/shmkv/gen/layout"
)

// Matrix holds the facts of a layout against the reports of the compilers.
type Matrix struct {
	Layout  string
	Facts   []layout.Fact
	Reports []Report
}

// Count tells how many compilers agree in every fact, disagree or refuse the
// generated code, and are absent.
func (m *Matrix) Count() (agree, fault, absent int) {
	for _, r := range m.Reports {
		switch {
		case r.Absent != "":
			absent++
		case r.Failed != "" || !m.agrees(r):
			fault++
		default:
			agree++
		}
	}
	return agree, fault, absent
}

func (m *Matrix) agrees(r Report) bool {
	for i, fact := range m.Facts {
		if r.Values[i] != uint64(fact.Want) {
			return false
		}
	}
	return true
}

// Err says what keeps the matrix from being a proof, or nil: a compiler that
// disagrees, or nobody who agrees.
func (m *Matrix) Err() error {
	agree, fault, absent := m.Count()
	switch {
	case fault > 0:
		return fmt.Errorf(
			"witness: %d of %d compilers disagree with layout %s",
			fault,
			len(m.Reports)-absent,
			m.Layout,
		)
	case agree == 0:
		return fmt.Errorf(
			"witness: no compiler was found, so nothing is proven about layout %s",
			m.Layout,
		)
	}
	return nil
}

// Write prints the matrix for people: a row per fact, a column per compiler.
func (m *Matrix) Write(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tw, "%s\tspec", m.Layout)
	for _, r := range m.Reports {
		fmt.Fprintf(tw, "\t%s", r.Compiler)
	}
	fmt.Fprintln(tw)
	for i, fact := range m.Facts {
		fmt.Fprintf(tw, "%s\t%d", fact.Name(), fact.Want)
		for _, r := range m.Reports {
			fmt.Fprintf(tw, "\t%s", r.cell(i, fact.Want))
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return m.writeSummary(w)
}

// cell renders one number; a wrong one stands out.
func (r *Report) cell(i, want int) string {
	switch {
	case r.Absent != "":
		return "absent"
	case r.Failed != "":
		return "FAILED"
	case r.Values[i] != uint64(want):
		return fmt.Sprintf("%d WRONG", r.Values[i])
	}
	return fmt.Sprint(r.Values[i])
}

func (m *Matrix) writeSummary(w io.Writer) error {
	for _, r := range m.Reports {
		switch {
		case r.Absent != "":
			fmt.Fprintf(w, "%s: absent: %s\n", r.Compiler, r.Absent)
		case r.Failed != "":
			fmt.Fprintf(w, "%s: refused the generated code:\n%s\n", r.Compiler, indent(r.Failed))
		}
	}
	agree, fault, absent := m.Count()
	_, err := fmt.Fprintf(w, "%d of %d facts x compilers: %d agree, %d disagree, %d absent\n",
		len(m.Facts)*agree, len(m.Facts)*len(m.Reports), agree, fault, absent)
	return err
}

func indent(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

// MarshalJSON renders the matrix for programs.
func (m *Matrix) MarshalJSON() ([]byte, error) {
	type fact struct {
		Name string `json:"name"`
		Want int    `json:"want_bytes"`
	}
	facts := make([]fact, 0, len(m.Facts))
	for _, f := range m.Facts {
		facts = append(facts, fact{f.Name(), f.Want})
	}
	agree, fault, absent := m.Count()
	return json.Marshal(map[string]any{
		"layout": m.Layout, "facts": facts, "reports": m.Reports,
		"agree": agree, "disagree": fault, "absent": absent,
	})
}
