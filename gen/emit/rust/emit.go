// Package rust emits a crate: the static protocol and segment sources and, per
// layout, records, descriptors and typed readers and writers.
//
// What it emits is as rustfmt would leave it, so that users who format their
// tree see no difference.
package rust

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/shmkv/shmkv/gen/emit"
	"github.com/shmkv/shmkv/gen/emit/support"
	"github.com/shmkv/shmkv/gen/layout"
)

// Emit returns the files of one crate with a module for each layout. The first
// layout names the crate, and its items also stand at the crate's root.
func Emit(ls []*layout.Layout) ([]emit.File, error) {
	if len(ls) == 0 {
		return nil, errors.New("rust: no layout to emit")
	}
	seen := map[string]string{}
	for _, l := range ls {
		name := moduleName(l)
		if other, ok := seen[name]; ok {
			return nil, fmt.Errorf("rust: layouts %s and %s are both module %s", other, l.Name, name)
		}
		seen[name] = l.Name
	}
	files := []emit.File{
		{Path: "Cargo.toml", Data: manifest(ls[0])},
		{Path: "src/lib.rs", Data: root(ls)},
	}
	static, err := staticFiles()
	if err != nil {
		return nil, err
	}
	files = append(files, static...)
	for _, l := range ls {
		files = append(files, emit.File{Path: "src/" + moduleName(l) + ".rs", Data: module(l)})
	}
	return files, nil
}

// staticFiles returns the embedded sources; WalkDir visits them in the order of
// their names.
func staticFiles() ([]emit.File, error) {
	var files []emit.File
	err := fs.WalkDir(support.Rust, "rust", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := support.Rust.ReadFile(name)
		if err != nil {
			return err
		}
		to := path.Join("src", strings.TrimPrefix(name, "rust/"))
		files = append(files, emit.File{Path: to, Data: data})
		return nil
	})
	return files, err
}

func manifest(l *layout.Layout) []byte {
	return fmt.Appendf(nil, `# %s

[package]
name = "%s"
version = "0.1.0"
edition = "2021"
rust-version = "1.77"
license = "MIT"
description = "Shared-memory layout %s: its records, and the protocol of its readers and writers"
repository = "https://github.com/shmkv/shmkv"
categories = ["concurrency", "no-std"]

# The records, the protocol and the views need neither std nor allocation; std
# adds what maps files and waits.
[features]
default = ["std"]
std = []

[dependencies]
`, emit.Marker, packageName(l), l.Name)
}

func root(ls []*layout.Layout) []byte {
	s := &source{}
	s.f("// %s\n", emit.Marker)
	s.doc("", "//!",
		md("Shared-memory layouts, and the protocol by which one writer and many readers use them "+
			"at the same time, from any language that a layout was generated for."),
		md("Each layout is a module with its records, a `View` of a page that is anywhere in memory, "+
			"and with the feature `std` (on by default) a `Reader` and a `Writer` of a page that is a "+
			"file. The crate has no dependencies; without `std` it allocates nothing."))
	s.text(`

#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

mod descriptor;
mod fault;
pub mod protocol;
mod recovery;
#[cfg(feature = "std")]
pub mod segment;
pub mod shmkv;
pub mod view;
pub mod words;

`, nil)
	for _, l := range ls {
		s.f("pub mod %s;\n", moduleName(l))
	}
	s.text(`
pub use shmkv::{Fault, Text};

#[cfg(feature = "std")]
pub use segment::Error;

`, nil)
	s.f("pub use self::%s::*;", moduleName(ls[0]))
	return s.finish()
}

// module returns the source of one layout.
func module(l *layout.Layout) []byte {
	s := &source{}
	s.f("// %s\n", emit.Marker)
	s.doc("", "//!", md("Layout `%s`.", l.Name), plain(l.Doc),
		md("A page of %d bytes, %s. Fingerprint 0x%016x.", l.Size, order(l), l.Fingerprint))
	s.f("")
	m := newModel(l)
	s.imports(m)
	s.endianness(l)
	s.constants(l)
	for _, e := range l.Enums {
		s.enum(e)
	}
	for _, r := range l.AllRecords() {
		s.record(r)
	}
	s.descriptors(m)
	s.view(m)
	s.viewMut(m)
	s.reader(m)
	s.writer(m)
	return s.finish()
}

func order(l *layout.Layout) string {
	if l.Endian == layout.Native {
		return "in the machine's own byte order"
	}
	return string(l.Endian) + "-endian"
}
