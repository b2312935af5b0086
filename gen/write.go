package gen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Apply makes the disk agree with the changes, all or nothing: every new file
// is first written in full under a temporary name beside its place; only then
// are they renamed, and when a rename fails the ones before are undone. A
// failing run leaves every file as it was and nothing behind.
func Apply(changes []Change) (err error) {
	t := &transaction{}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.rollback())
		}
	}()
	for _, c := range changes {
		if c.New != nil {
			if err := t.stage(c); err != nil {
				return err
			}
		}
	}
	for i := range t.staged {
		if err := t.commit(&t.staged[i]); err != nil {
			return err
		}
	}
	for _, c := range changes {
		if c.New == nil {
			if err := t.remove(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// transaction remembers what must be undone.
type transaction struct {
	dirs    []string // folders it made, outermost first
	staged  []staged
	removed []Change
}

type staged struct {
	Change
	temp string
	done bool
}

// stage writes a new file under a temporary name.
func (t *transaction) stage(c Change) error {
	dir := filepath.Dir(c.Path)
	if err := t.mkdir(dir); err != nil {
		return err
	}
	if info, err := os.Lstat(c.Path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is in the way: not a regular file", c.Path)
	}
	f, err := os.CreateTemp(dir, ".shmkvgen-*")
	if err != nil {
		return err
	}
	t.staged = append(t.staged, staged{Change: c, temp: f.Name()})
	_, err = f.Write(c.New)
	return errors.Join(err, f.Chmod(0o644), f.Close())
}

func (t *transaction) mkdir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.mkdir(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	t.dirs = append(t.dirs, dir)
	return nil
}

func (t *transaction) commit(s *staged) error {
	if err := os.Rename(s.temp, s.Path); err != nil {
		return err
	}
	s.done = true
	return nil
}

func (t *transaction) remove(c Change) error {
	if err := os.Remove(c.Path); err != nil {
		return err
	}
	t.removed = append(t.removed, c)
	return nil
}

// rollback restores the files that were replaced or removed, and removes
// temporary files and new folders.
func (t *transaction) rollback() error {
	var errs []error
	for _, s := range t.staged {
		switch {
		case !s.done:
			errs = append(errs, os.Remove(s.temp))
		case s.Old == nil:
			errs = append(errs, os.Remove(s.Path))
		default:
			errs = append(errs, os.WriteFile(s.Path, s.Old, 0o644))
		}
	}
	for _, c := range t.removed {
		errs = append(errs, os.WriteFile(c.Path, c.Old, 0o644))
	}
	for _, dir := range slices.Backward(t.dirs) {
		errs = append(errs, os.Remove(dir))
	}
	return errors.Join(errs...)
}
