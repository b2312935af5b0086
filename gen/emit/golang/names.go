package golang

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// fixedNames are the exported names that every package may declare for itself.
// gen/naming keeps types clear of them; a constant gets an underscore.
var fixedNames = words(`Create Open NewView View Reader Writer Update Page Snapshot Layout`)

// oddPackages are folder or package names that the go command treats apart.
var oddPackages = words(`internal vendor testdata documentation main`)

// takenLocals are the lower-case names a parameter named after a field must
// keep clear of: locals and imports of the functions that have such parameters,
// and predeclared names that they use.
var takenLocals = words(`w rec err bool byte string error nil len uint8 uint16 uint32 uint64
	int8 int16 int32 int64 int float32 float64 atomic context errors fmt iter math segment seqlock
	strconv strings structs time unsafe watch futex bytes text true false id i aligned pageLock f p`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// packageName returns the package of a layout.
func packageName(name string) string {
	pkg := naming.Package(name)
	if token.IsKeyword(pkg) || oddPackages[pkg] {
		pkg += "_"
	}
	return pkg
}

// global renders the name of a constant.
func global(name string) string {
	if fixedNames[name] {
		name += "_"
	}
	return name
}

// local renders a parameter named after a field.
func local(id string) string {
	name := lowerCamel(id)
	if token.IsKeyword(name) || takenLocals[name] {
		name += "_"
	}
	return name
}

// lowerCamel renders an unexported name: userID, idRaw.
func lowerCamel(id string) string {
	w := naming.Words(id)
	if len(w) == 1 {
		return w[0]
	}
	return w[0] + naming.Exported(strings.Join(w[1:], "_"))
}

func recordName(r *layout.Record) string { return naming.Go.Type(r.Name) }
func enumName(e *layout.Enum) string     { return naming.Go.Type(e.Name) }
func constName(c *layout.Const) string   { return global(naming.Go.Const(c.Name)) }

// stdMethods have a signature that go vet insists on wherever they stand.
var stdMethods = words(`ReadByte ReadRune UnreadByte UnreadRune WriteByte GobDecode GobEncode
	MarshalJSON UnmarshalJSON`)

func fieldName(f *layout.Field) string {
	name := naming.Go.Field(f.Name)
	if stdMethods[name] {
		name += "_"
	}
	return name
}

// rawName is the unexported field behind accessors.
func rawName(f *layout.Field) string { return lowerCamel(f.Name) + "Raw" }

func valueName(e *layout.Enum, v *layout.EnumValue) string {
	return global(naming.Go.Const(e.Name + "_" + v.Name))
}

// derived names a constant about a record or, with a field, about a member of
// it. The page's own name is left out.
func (g *generator) derived(r *layout.Record, f *layout.Field, suffix string) string {
	parts := []string{suffix}
	if f != nil {
		parts = append([]string{f.Name}, parts...)
	}
	if r != g.Page {
		parts = append([]string{r.Name}, parts...)
	}
	return global(naming.Go.Const(strings.Join(parts, "_")))
}

func (g *generator) offsetName(r *layout.Record, f *layout.Field) string {
	return g.derived(r, f, "offset")
}

// checkNames refuses a package with two declarations of one name. The names
// were checked for all languages before; this is the net below.
func (g *generator) checkNames() error {
	if !token.IsIdentifier(g.pkg) || g.pkg == "_" {
		return fmt.Errorf("%q can not name a package", g.pkg)
	}
	var errs []error
	seen := map[string]string{}
	claim := func(name, what string) {
		if other, ok := seen[name]; ok {
			errs = append(errs, fmt.Errorf("%s and %s are both %s", other, what, name))
		}
		seen[name] = what
	}
	for name := range words("Create Open NewView View Reader Writer Update Layout") {
		seen[name] = "a declaration of every package"
	}
	for _, c := range g.constants() {
		claim(c.name, c.what)
	}
	for _, e := range g.Enums {
		claim(enumName(e), "enum "+e.Name)
		for _, v := range e.Values {
			claim(valueName(e, v), "value "+e.Name+"."+v.Name)
		}
	}
	for _, c := range g.Consts {
		claim(constName(c), "constant "+c.Name)
	}
	for _, r := range g.AllRecords() {
		claim(recordName(r), "record "+r.Name)
	}
	return errors.Join(errs...)
}
