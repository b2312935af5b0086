package golang

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/shmkv/shmkv/gen/emit"
)

const runtimePath = "github.com/shmkv/shmkv/runtime/"

// imports maps the package names that generated code may use to their paths.
var imports = map[string]string{
	"atomic":  "sync/atomic",
	"binary":  "encoding/binary",
	"bytes":   "bytes",
	"context": "context",
	"errors":  "errors",
	"fmt":     "fmt",
	"iter":    "iter",
	"math":    "math",
	"strconv": "strconv",
	"strings": "strings",
	"structs": "structs",
	"time":    "time",
	"unsafe":  "unsafe",

	"futex":   runtimePath + "futex",
	"segment": runtimePath + "segment",
	"seqlock": runtimePath + "seqlock",
	"watch":   runtimePath + "watch",
}

// source is one Go file under construction.
type source struct {
	*jen.File
}

// newSource starts a file. A constraint of "" builds everywhere.
func (g *generator) newSource(constraint string) *source {
	s := &source{jen.NewFile(g.pkg)}
	s.HeaderComment(emit.Marker)
	if constraint != "" {
		s.HeaderComment("//go:build " + constraint)
	}
	for name, path := range imports {
		s.ImportName(path, name)
	}
	return s
}

func (s *source) render() ([]byte, error) {
	var b bytes.Buffer
	if err := s.Render(&b); err != nil {
		return nil, err
	}
	return group(b.Bytes()), nil
}

// group moves the imports of the module behind those of the standard library.
func group(src []byte) []byte {
	const open = "import (\n"
	from := bytes.Index(src, []byte(open))
	if from < 0 {
		return src
	}
	from += len(open)
	size := bytes.Index(src[from:], []byte(")\n"))
	var std, own []string
	for line := range strings.Lines(string(src[from : from+size])) {
		if strings.Contains(line, ".") {
			own = append(own, line)
		} else {
			std = append(std, line)
		}
	}
	if len(own) > 0 && len(std) > 0 {
		std = append(std, "\n")
	}
	block := strings.Join(append(std, own...), "")
	return slices.Concat(src[:from], []byte(block), src[from+size:])
}

// doc puts documentation before the next declaration.
func (s *source) doc(format string, args ...any) {
	s.Add(comment(fmt.Sprintf(format, args...)))
}

// decl adds a declaration written as a template, and an empty line behind it.
// See code.
func (s *source) decl(template string, args ...any) {
	s.Add(code(template, args...)).Line()
}

// qualified finds the names that code imports.
var qualified = regexp.MustCompile(`@([a-z]+)\.([A-Za-z0-9]+)`)

// code turns Go text into a jennifer statement: @atomic.Uint32 imports
// sync/atomic and names its Uint32. The arguments are as of fmt.Sprintf.
func code(template string, args ...any) *jen.Statement {
	text := strings.TrimSpace(template)
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	stmt := &jen.Statement{}
	for {
		at := qualified.FindStringSubmatchIndex(text)
		if at == nil {
			return stmt.Op(text)
		}
		path, ok := imports[text[at[2]:at[3]]]
		if !ok {
			panic("golang: no import path for " + text[at[0]:at[1]])
		}
		if at[0] > 0 {
			stmt.Op(text[:at[0]])
		}
		stmt.Qual(path, text[at[4]:at[5]])
		text = text[at[1]:]
		if text == "" {
			return stmt
		}
	}
}

// docWidth keeps a comment with its sign and one indent below 80 columns.
const docWidth = 74

// comment renders documentation as line comments.
func comment(text string) *jen.Statement { return jen.Comment(commentText(text)) }

// commentText renders documentation as line comments, whatever it contains.
func commentText(text string) string {
	lines := emit.Wrap(clean(text), docWidth)
	for i, line := range lines {
		if strings.HasPrefix(line, "+build") {
			line = `"` + line // or it would be a build constraint
		}
		lines[i] = strings.TrimRight("// "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// clean replaces what no Go source may contain.
func clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\uFEFF' {
			return '\uFFFD'
		}
		return r
	}, text)
}

// sentence joins a name's fixed description and the documentation of the spec.
func sentence(fixed, doc string) string {
	if doc = strings.TrimSpace(doc); doc == "" {
		return fixed
	}
	if !strings.ContainsAny(doc[len(doc)-1:], ".!?:") {
		doc += "."
	}
	return fixed + "\n\n" + doc
}
