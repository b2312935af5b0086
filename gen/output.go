package gen

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/layout"
)

// Output is everything one run produces: the folders it owns, and the files
// that belong into them.
type Output struct {
	Roots []string
	Files []emit.File // Path is where the file goes; in the order of paths
}

// Emit produces the files of every language whose folder is named in dirs. It
// touches no file.
func Emit(layouts []*layout.Layout, dirs map[Dir]string, opt Options) (*Output, error) {
	out := &Output{}
	for _, dir := range Dirs {
		if root, wanted := dirs[dir]; wanted {
			out.Roots = append(out.Roots, root)
		}
	}
	taken := map[string]bool{}
	for _, target := range Targets {
		root, wanted := dirs[target.Dir]
		if !wanted {
			continue
		}
		files, err := target.Emit(layouts, opt)
		if err != nil {
			return nil, fmt.Errorf("emit %s: %w", target.Lang, err)
		}
		for _, f := range files {
			f.Path = filepath.Join(root, filepath.FromSlash(f.Path))
			if taken[f.Path] {
				return nil, fmt.Errorf("emit %s: %s would be written twice", target.Lang, f.Path)
			}
			taken[f.Path] = true
			out.Files = append(out.Files, f)
		}
	}
	slices.SortFunc(out.Files, func(a, b emit.File) int {
		switch {
		case a.Path < b.Path:
			return -1
		case a.Path > b.Path:
			return 1
		}
		return 0
	})
	return out, nil
}
