package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/shmkv/shmkv/gen/diag"
)

// MaxSize bounds a layout file, in bytes: a page worth sharing is described in
// far less, and the bound keeps the reading of hostile input cheap.
const MaxSize = 256 << 10

// Parse reads one layout file. The name stands in diagnostics only. When errs
// gained a diagnostic the result may lack what could not be read, and is nil
// when nothing could.
func Parse(name string, data []byte, errs *diag.List) *Spec {
	file := diag.Pos{File: name}
	if len(data) > MaxSize {
		errs.Addf(
			file,
			"the file has %d bytes, more than the %d a layout may have",
			len(data),
			MaxSize,
		)
		return nil
	}
	root := decode(name, data, errs)
	if root == nil {
		return nil
	}
	r := &reader{file: name, errs: errs}
	if !r.plain(root, 0) {
		return nil
	}
	return r.spec(root)
}

// decode returns the root node of the only document.
func decode(name string, data []byte, errs *diag.List) (root *yaml.Node) {
	// yaml.v3 reports malformed input by panics of its own that it recovers;
	// the ones it does not are faults of the input too, never of the program.
	defer func() {
		if p := recover(); p != nil {
			errs.Addf(diag.Pos{File: name, Line: 1, Col: 1}, "not YAML: %v", p)
			root = nil
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			errs.Addf(
				diag.Pos{File: name, Line: 1, Col: 1},
				"the file is empty; `shmkvgen init` writes a first layout",
			)
			return nil
		}
		pos, message := yamlError(name, err)
		errs.Addf(pos, "not YAML: %s", message)
		return nil
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		errs.Addf(diag.Pos{File: name, Line: second.Line, Col: second.Column},
			"a second document: a file holds one layout")
		return nil
	case !errors.Is(err, io.EOF):
		pos, message := yamlError(name, err)
		errs.Addf(pos, "not YAML: %s", message)
		return nil
	}
	return doc.Content[0]
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// yamlError takes the line out of yaml.v3's message, which gives no column.
func yamlError(name string, err error) (diag.Pos, string) {
	pos := diag.Pos{File: name, Line: 1, Col: 1}
	text := strings.ReplaceAll(err.Error(), "\n", " ")
	m := yamlLine.FindStringSubmatch(text)
	if m == nil {
		return pos, text
	}
	if line, err := strconv.Atoi(m[1]); err == nil {
		pos.Line = line
	}
	return pos, m[2]
}

// maxDepth bounds nesting; the grammar needs seven levels.
const maxDepth = 32

// plain refuses what makes YAML mean more than it shows: aliases, anchors,
// merge keys, tags.
func (r *reader) plain(n *yaml.Node, depth int) bool {
	if depth > maxDepth {
		r.errorf(n, "nested more than %d levels deep", maxDepth)
		return false
	}
	ok := true
	switch {
	case n.Kind == yaml.AliasNode:
		r.errorf(
			n,
			"aliases (*%s) are not part of the language: write the value out",
			clip(n.Value),
		)
		ok = false
	case n.Anchor != "":
		r.errorf(
			n,
			"anchors (&%s) are not part of the language: write the value out",
			clip(n.Anchor),
		)
		ok = false
	case n.Style&yaml.TaggedStyle != 0:
		r.errorf(n, "tags (%s) are not part of the language", clip(n.Tag))
		ok = false
	}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && c.Tag == "!!merge" {
			r.errorf(c, "merge keys (<<) are not part of the language")
			ok = false
		}
		ok = r.plain(c, depth+1) && ok
	}
	return ok
}

// spec reads the root mapping.
func (r *reader) spec(n *yaml.Node) *Spec {
	s := &Spec{Layout: Ident{Pos: r.pos(n)}, Endian: Ident{Name: "little"}}
	r.object(n, "layout", map[string]func(*yaml.Node){
		"layout":    func(n *yaml.Node) { s.Layout = r.ident(n, "layout") },
		"doc":       func(n *yaml.Node) { r.doc(n, "layout", &s.Doc) },
		"endian":    func(n *yaml.Node) { s.Endian = r.ident(n, "endian") },
		"size":      func(n *yaml.Node) { r.number(n, "size", &s.Size) },
		"constants": func(n *yaml.Node) { s.Consts = r.consts(n) },
		"enums":     func(n *yaml.Node) { s.Enums = append(s.Enums, r.enums(n, false)...) },
		"flags":     func(n *yaml.Node) { s.Enums = append(s.Enums, r.enums(n, true)...) },
		"page":      func(n *yaml.Node) { s.Page = r.page(n) },
		"records":   func(n *yaml.Node) { s.Records = r.records(n) },
	})
	if n.Kind != yaml.MappingNode {
		return nil
	}
	if s.Layout.Name == "" && !r.has(n, "layout") {
		r.errorf(n, "layout: the layout has no name (layout: NAME)")
	}
	if s.Page == nil && !r.has(n, "page") {
		r.errorf(n, "layout: there is no page (page: {FIELD: {...}})")
	}
	return s
}

func (r *reader) has(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

func label(what, name string) string { return fmt.Sprintf("%s %q", what, clip(name)) }
