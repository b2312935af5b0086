package spec

import "gopkg.in/yaml.v3"

// consts reads constants: NAME: {type: u32, value: 8, doc: ...}.
func (r *reader) consts(n *yaml.Node) []*Const {
	var consts []*Const
	for _, e := range r.mapping(n, "constants") {
		what := label("constant", e.name())
		c := &Const{Name: r.checkName(e.key, what, e.name()), Value: Literal{Pos: r.pos(e.value)}}
		r.object(e.value, what, map[string]func(*yaml.Node){
			"type":  func(n *yaml.Node) { c.Type = r.ident(n, what) },
			"value": func(n *yaml.Node) { r.literal(n, what, &c.Value) },
			"doc":   func(n *yaml.Node) { r.doc(n, what, &c.Doc) },
		})
		r.require(e.value, what, "type", "value")
		consts = append(consts, c)
	}
	return consts
}

// enums reads enums (values: {idle: 0}) or flag sets (bits: {ready: 0}).
func (r *reader) enums(n *yaml.Node, flags bool) []*Enum {
	section, list, number := "enum", "values", "value"
	if flags {
		section, list, number = "flags", "bits", "bit"
	}
	var enums []*Enum
	for _, e := range r.mapping(n, section) {
		what := label(section, e.name())
		enum := &Enum{Name: r.checkName(e.key, what, e.name()), Flags: flags}
		r.object(e.value, what, map[string]func(*yaml.Node){
			"type": func(n *yaml.Node) { enum.Type = r.ident(n, what) },
			"doc":  func(n *yaml.Node) { r.doc(n, what, &enum.Doc) },
			list:   func(n *yaml.Node) { enum.Values = r.enumValues(n, what, number) },
		})
		r.require(e.value, what, "type", list)
		enums = append(enums, enum)
	}
	return enums
}

// enumValues reads NAME: NUMBER, or NAME: {value: NUMBER, doc: ...}.
func (r *reader) enumValues(n *yaml.Node, what, number string) []*EnumValue {
	var values []*EnumValue
	for _, e := range r.mapping(n, what) {
		what := what + ": " + label(number, e.name())
		v := &EnumValue{Name: r.checkName(e.key, what, e.name())}
		if e.value.Kind == yaml.MappingNode {
			r.object(e.value, what, map[string]func(*yaml.Node){
				number: func(n *yaml.Node) { r.number(n, what, &v.Value) },
				"doc":  func(n *yaml.Node) { r.doc(n, what, &v.Doc) },
			})
			r.require(e.value, what, number)
		} else {
			r.number(e.value, what, &v.Value)
		}
		values = append(values, v)
	}
	if len(values) == 0 && n.Kind == yaml.MappingNode {
		r.errorf(n, "%s: there is no %s", what, number)
	}
	return values
}

// require reports the keys that a mapping must have and lacks.
func (r *reader) require(n *yaml.Node, what string, keys ...string) {
	if n.Kind != yaml.MappingNode {
		return
	}
	for _, key := range keys {
		if !r.has(n, key) {
			r.errorf(n, "%s: %s is missing", what, key)
		}
	}
}

// page reads the root record: its fields, directly.
func (r *reader) page(n *yaml.Node) *Record {
	return &Record{
		Name:   Ident{Name: "page", Pos: r.pos(n)},
		Fields: r.fields(n, "page"),
	}
}

// records reads NAME: {size: 64, doc: ..., fields: {...}}.
func (r *reader) records(n *yaml.Node) []*Record {
	var records []*Record
	for _, e := range r.mapping(n, "records") {
		what := label("record", e.name())
		rec := &Record{Name: r.checkName(e.key, what, e.name())}
		r.object(e.value, what, map[string]func(*yaml.Node){
			"size":   func(n *yaml.Node) { r.number(n, what, &rec.Size) },
			"doc":    func(n *yaml.Node) { r.doc(n, what, &rec.Doc) },
			"fields": func(n *yaml.Node) { rec.Fields = r.fields(n, what) },
		})
		r.require(e.value, what, "fields")
		records = append(records, rec)
	}
	return records
}

// fields reads NAME: TYPE, or NAME: {type: TYPE, ...}.
func (r *reader) fields(n *yaml.Node, what string) []*Field {
	var fields []*Field
	for _, e := range r.mapping(n, what) {
		fields = append(fields, r.field(e))
	}
	if len(fields) == 0 && n.Kind == yaml.MappingNode {
		r.errorf(n, "%s: there are no fields", what)
	}
	return fields
}

func (r *reader) field(e entry) (f *Field) {
	before := r.errs.Len()
	defer func() { f.Broken = r.errs.Len() > before }()
	what := label("field", e.name())
	f = &Field{Name: r.checkName(e.key, what, e.name()), Access: Ident{Name: "rw"}}
	if e.value.Kind != yaml.MappingNode {
		f.Type = r.typ(e.value, what)
		return f
	}
	r.object(e.value, what, map[string]func(*yaml.Node){
		"at":      func(n *yaml.Node) { r.number(n, what+": at", &f.At) },
		"type":    func(n *yaml.Node) { f.Type = r.typ(n, what) },
		"doc":     func(n *yaml.Node) { r.doc(n, what, &f.Doc) },
		"role":    func(n *yaml.Node) { f.Role = r.ident(n, what+": role") },
		"access":  func(n *yaml.Node) { f.Access = r.ident(n, what+": access") },
		"guards":  func(n *yaml.Node) { f.Guards = r.names(n, what+": guards") },
		"follows": func(n *yaml.Node) { f.Follows = r.ident(n, what+": follows") },
		"index":   func(n *yaml.Node) { f.Index = r.ident(n, what+": index") },
		"const": func(n *yaml.Node) {
			f.Const = &Literal{Pos: r.pos(n)}
			r.literal(n, what+": const", f.Const)
		},
	})
	r.require(e.value, what, "type")
	return f
}
