package rust

import (
	"strings"

	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
)

// reservedTypes are the type names that a layout's module or its users need for
// something else: Rust's prelude, which a record of that name would shadow, and
// the generated types that every layout has. No name of a spec ends in an
// underscore, so an escaped one meets no other.
var reservedTypes = set(`AsMut AsRef Box Clone Copy Debug Default DoubleEndedIterator Drop Eq Err
	Error ExactSizeIterator Extend Fault Fn FnMut FnOnce From FromIterator Into IntoIterator
	Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized Some String Sync Text
	ToOwned ToString TryFrom TryInto Unpin Vec ViewMut`)

// reservedModules are the crate's own modules and the crates that its root can
// see.
var reservedModules = set(`alloc core descriptor fault lib main proc_macro protocol recovery segment
	shmkv std test view words`)

// reservedWords are the methods of a view besides those named after words.
var reservedWords = set(`as_ptr as_view format from_bytes from_ptr publish publish_record
	recover slot snapshot snapshot_into update`)

// reservedPackages can not name a Cargo package or its library.
var reservedPackages = set(`alloc build core deps examples incremental proc-macro std test`)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		m[name] = true
	}
	return m
}

func escape(name string, reserved map[string]bool) string {
	if reserved[name] {
		return name + "_"
	}
	return name
}

// typeName returns the name of a record or an enum.
func typeName(id string) string {
	return escape(naming.Rust.Type(id), reservedTypes)
}

// moduleName returns the name of a layout's module, which is also its file's.
func moduleName(l *layout.Layout) string {
	return escape(naming.Rust.Field(l.Name), reservedModules)
}

// packageName returns the name of the crate: the layout's, with hyphens.
func packageName(l *layout.Layout) string {
	name := strings.ReplaceAll(naming.Snake(l.Name), "_", "-")
	if reservedPackages[name] || naming.Rust.Escape(name) != name {
		return name + "-layout"
	}
	return name
}

// fieldName returns the name of a record's member.
func fieldName(f *layout.Field) string { return naming.Rust.Field(f.Name) }

// wordName returns the name of a view's method for a word of the page.
func wordName(f *layout.Field) string {
	name := fieldName(f)
	if strings.HasPrefix(name, "read_") || strings.HasPrefix(name, "update_") {
		return name + "_" // beside the methods of records with their own seqlock
	}
	return escape(name, reservedWords)
}

// constName returns the name of a constant made of several parts.
func constName(parts ...string) string {
	return naming.Rust.Const(strings.Join(parts, "_"))
}
