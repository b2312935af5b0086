//! What the tests share: scratch files, bytes of a page, the golden image.
#![allow(dead_code)] // each test file uses a part

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file name of its own for each test, removed at the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let dir = dir.join(format!("{}-{n}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        Scratch(dir.join("kv.shm"))
    }

    pub fn dir(&self) -> &Path {
        self.0.parent().unwrap()
    }

    pub fn file(&self) -> File {
        let mut how = OpenOptions::new();
        how.read(true).write(true).open(&self.0).unwrap()
    }

    pub fn poke(&self, offset: usize, bytes: &[u8]) {
        self.file().write_all_at(bytes, offset as u64).unwrap();
    }

    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }

    pub fn u32(&self, offset: usize) -> u32 {
        u32::from_ne_bytes(self.bytes()[offset..offset + 4].try_into().unwrap())
    }

    pub fn u64(&self, offset: usize) -> u64 {
        u64::from_ne_bytes(self.bytes()[offset..offset + 8].try_into().unwrap())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.dir());
    }
}
