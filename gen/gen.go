// Package gen turns a layout file into bindings for every language:
// Parse -> Lower -> Name -> Emit.
package gen

import (
	"github.com/shmkv/shmkv/gen/diag"
	"github.com/shmkv/shmkv/gen/layout"
	"github.com/shmkv/shmkv/gen/naming"
	"github.com/shmkv/shmkv/gen/spec"
)

// Parse reads one layout file and resolves it. The name stands in diagnostics
// only. A non-nil error is a *diag.List with every fault that was found.
func Parse(name string, data []byte) (*layout.Layout, error) {
	var errs diag.List
	tree := spec.Parse(name, data, &errs)
	if tree == nil {
		return nil, errs.Err()
	}
	resolved := layout.Lower(tree, &errs)
	if resolved.Page != nil {
		naming.Check(resolved, &errs)
	}
	if errs.Len() > 0 {
		return nil, errs.Err()
	}
	return resolved, nil
}
