package layout

import (
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/spec"
)

// maxMagic bounds a magic in bytes.
const maxMagic = 64

// roleRule says what a role asks of its field.
type roleRule struct {
	want     string // the type, in words
	fits     func(Type) bool
	pageOnly bool
	konst    bool // a const is required; elsewhere it is refused, but for RoleNone
	readOnly bool
}

var roleRules = map[Role]roleRule{
	RoleMagic: {
		want: "char[1] to char[64]", pageOnly: true, konst: true, readOnly: true,
		fits: func(t Type) bool { return t.Kind == KindChar && len(t.Dims) == 0 && t.Len <= maxMagic },
	},
	RoleVersion: {
		want: "u8, u16, u32 or u64", pageOnly: true, konst: true, readOnly: true,
		fits: func(t Type) bool { return t.Kind.IsUnsigned() && len(t.Dims) == 0 },
	},
	RoleFingerprint: {want: "u64", pageOnly: true, readOnly: true, fits: is(KindU64)},
	RoleSeqlock:     {want: "u32", fits: is(KindU32)},
	RoleFutex:       {want: "u32", pageOnly: true, fits: is(KindU32)},
	RoleWaiters:     {want: "u32", pageOnly: true, fits: is(KindU32)},
	RoleCounter:     {want: "u64", pageOnly: true, fits: is(KindU64)},
	RoleRing: {
		want: "a one-dimensional array of records", pageOnly: true,
		fits: func(t Type) bool { return t.Kind == KindRecord && len(t.Dims) == 1 },
	},
}

func is(k Kind) func(Type) bool {
	return func(t Type) bool { return t.Kind == k && len(t.Dims) == 0 }
}

// roles settles the role, constant and access of every field.
func (lo *lowering) roles() {
	for _, r := range lo.layout.Records {
		lo.recordRoles(r, false)
	}
	lo.recordRoles(lo.layout.Page, true)
}

func (lo *lowering) recordRoles(r *Record, page bool) {
	first := map[Role]*Field{}
	for _, f := range r.Fields {
		w := lo.words[f]
		if w.Role.Name != "" {
			lo.role(f, w, page)
			if other := first[f.Role]; other != nil && f.Role != RoleNone {
				lo.errorf(w.Role.Pos, "field %q: %s already has the %s %q",
					f.Name, recordLabel(r), f.Role, other.Name)
			}
			first[f.Role] = f
		}
		lo.attributes(f, w)
		lo.konst(f, w, page)
		lo.access(f, w, page)
	}
}

// role checks one field against the rule of its role.
func (lo *lowering) role(f *Field, w *spec.Field, page bool) {
	role, err := ParseRole(w.Role.Name)
	if err != nil {
		lo.errorf(
			w.Role.Pos,
			"field %q: %v (magic, version, fingerprint, seqlock, futex, counter, ring, waiters)",
			f.Name,
			err,
		)
		return
	}
	rule := roleRules[role]
	switch {
	case rule.pageOnly && !page:
		lo.errorf(
			w.Role.Pos,
			"field %q: role %s belongs in the page, not in a record",
			f.Name,
			role,
		)
	case !rule.fits(f.Type):
		lo.errorf(w.Type.Pos, "field %q: role %s needs %s", f.Name, role, rule.want)
	default:
		f.Role = role
	}
}

// attributes refuses guards, follows and index where they mean nothing and
// asks for them where they must stand.
func (lo *lowering) attributes(f *Field, w *spec.Field) {
	check := func(role Role, key string, given bool, pos diag.Pos) {
		switch {
		case f.Role == role && !given:
			lo.errorf(w.Name.Pos, "field %q: role %s needs %s", f.Name, role, key)
		case w.Role.Name != role.String() && given:
			lo.errorf(pos, "field %q: %s goes with role %s", f.Name, key, role)
		}
	}
	guards := diag.Pos{}
	if len(w.Guards) > 0 {
		guards = w.Guards[0].Pos
	}
	check(RoleSeqlock, "guards", len(w.Guards) > 0, guards)
	check(RoleFutex, "follows", w.Follows.Name != "", w.Follows.Pos)
	check(RoleRing, "index", w.Index.Name != "", w.Index.Pos)
}

// konst encodes the constant a field always holds.
func (lo *lowering) konst(f *Field, w *spec.Field, page bool) {
	rule := roleRules[f.Role]
	if w.Const == nil {
		if rule.konst {
			lo.errorf(w.Name.Pos, "field %q: role %s needs const", f.Name, f.Role)
		}
		return
	}
	switch {
	case !page:
		lo.errorf(w.Const.Pos, "field %q: only a field of the page can have a const", f.Name)
		return
	case f.Role != RoleNone && !rule.konst:
		lo.errorf(w.Const.Pos, "field %q: role %s takes no const", f.Name, f.Role)
		return
	case len(f.Type.Dims) > 0:
		lo.errorf(w.Const.Pos, "field %q: an array takes no const", f.Name)
		return
	}
	if w.Const.Text == "" && !w.Const.Quoted {
		return // the parser has said why
	}
	lo.encode(f, w.Const)
}

// access settles whether a field has a setter.
func (lo *lowering) access(f *Field, w *spec.Field, page bool) {
	f.ReadOnly = roleRules[f.Role].readOnly || f.Const != nil
	switch w.Access.Name {
	case "rw", "":
		return
	case "ro":
	default:
		lo.errorf(w.Access.Pos, "field %q: access %q is not ro or rw", f.Name, w.Access.Name)
		return
	}
	switch {
	case !page:
		lo.errorf(w.Access.Pos, "field %q: only a field of the page can be read-only", f.Name)
	case f.Role != RoleNone && !f.ReadOnly:
		lo.errorf(
			w.Access.Pos,
			"field %q: role %s is written by the protocol, so it can not be read-only",
			f.Name,
			f.Role,
		)
	default:
		f.ReadOnly = true
	}
}
