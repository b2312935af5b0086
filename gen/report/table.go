// Package report shows a resolved layout to people and to programs.
package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// Table is a resolved layout as programs read it.
type Table struct {
	Layout      string   `json:"layout"`
	Doc         string   `json:"doc,omitempty"`
	Endian      string   `json:"endian"`
	Size        int      `json:"size_bytes"`
	Fingerprint string   `json:"fingerprint"`
	Canonical   string   `json:"canonical"`
	Records     []Record `json:"records"`
}

// Record is a struct of the layout: its members leave no gap.
type Record struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc,omitempty"`
	Size    int      `json:"size_bytes"`
	Align   int      `json:"align_bytes"`
	Members []Member `json:"members"`
}

// Member is a field, or a run of padding, which has no name.
type Member struct {
	Name   string                 `json:"name,omitempty"`
	Doc    string                 `json:"doc,omitempty"`
	Offset int                    `json:"offset_bytes"`
	Size   int                    `json:"size_bytes"`
	Align  int                    `json:"align_bytes"`
	Type   string                 `json:"type"`
	Role   string                 `json:"role,omitempty"`
	Names  map[naming.Lang]string `json:"names,omitempty"`
}

// New builds the table: the page first, then its records and snapshots.
func New(l *layout.Layout) *Table {
	t := &Table{
		Layout: l.Name, Doc: l.Doc, Endian: string(l.Endian), Size: l.Size,
		Fingerprint: Fingerprint(l.Fingerprint), Canonical: l.Canonical,
	}
	t.Records = append(t.Records, record(l.Page))
	for _, r := range l.AllRecords() {
		if r != l.Page {
			t.Records = append(t.Records, record(r))
		}
	}
	return t
}

// Fingerprint renders a fingerprint as all reports do.
func Fingerprint(f uint64) string { return fmt.Sprintf("0x%016x", f) }

func record(r *layout.Record) Record {
	out := Record{Name: r.Name, Doc: r.Doc, Size: r.Size, Align: r.Align}
	for _, m := range r.Members() {
		if m.Field == nil {
			out.Members = append(
				out.Members,
				Member{Offset: m.Offset, Size: m.Size, Align: 1, Type: "padding"},
			)
			continue
		}
		f := m.Field
		row := Member{
			Name: f.Name, Doc: f.Doc, Offset: f.Offset, Size: f.Size,
			Align: f.Type.Align(), Type: f.Type.String(), Role: role(f), Names: map[naming.Lang]string{},
		}
		for _, lang := range naming.Langs {
			row.Names[lang] = lang.Field(f.Name)
		}
		out.Members = append(out.Members, row)
	}
	return out
}

// role renders the role with what else sets a field apart.
func role(f *layout.Field) string {
	var parts []string
	if f.Role != layout.RoleNone {
		parts = append(parts, f.Role.String())
	}
	if f.Guarded {
		parts = append(parts, "guarded")
	}
	if f.ReadOnly {
		parts = append(parts, "ro")
	}
	return strings.Join(parts, " ")
}

// Write prints the table for people.
func (t *Table) Write(w io.Writer) error {
	fmt.Fprintf(
		w,
		"layout %s: %d bytes, %s-endian, fingerprint %s\n",
		t.Layout,
		t.Size,
		t.Endian,
		t.Fingerprint,
	)
	for _, r := range t.Records {
		fmt.Fprintf(w, "\n%s: %d bytes, aligned to %d\n", r.Name, r.Size, r.Align)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(tw, "  offset\tsize\talign\ttype\trole\tspec\tGo\tC\tC++\tRust")
		for _, m := range r.Members {
			if m.Name == "" {
				fmt.Fprintf(tw, "  %d\t%d\t-\tpadding\t-\t-\t-\t-\t-\t-\n", m.Offset, m.Size)
				continue
			}
			fmt.Fprintf(
				tw,
				"  %d\t%d\t%d\t%s\t%s\t%s",
				m.Offset,
				m.Size,
				m.Align,
				m.Type,
				dash(m.Role),
				m.Name,
			)
			for _, lang := range naming.Langs {
				fmt.Fprintf(tw, "\t%s", m.Names[lang])
			}
			fmt.Fprintln(tw)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
