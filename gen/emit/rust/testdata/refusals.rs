//! What opening and creating refuse, and in which words.

mod common;

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::process::Command;
use std::time::{Duration, Instant};

use common::Scratch;
use shkv2::segment::Options;
use shkv2::{everything, Fault, Reader, Writer};

#[track_caller]
fn refused(scratch: &Scratch, want: &str) {
    let start = Instant::now();
    for error in [
        Reader::open(&scratch.0).unwrap_err(),
        Writer::create(&scratch.0).unwrap_err(),
    ] {
        let text = format!("{}: {want}", scratch.0.display());
        assert_eq!(error.to_string(), text);
        assert_eq!(error.path(), scratch.0);
    }
    assert!(start.elapsed() < Duration::from_secs(1), "it blocked");
}

#[test]
fn not_found() {
    let scratch = Scratch::new();
    let error = Reader::open(&scratch.0).unwrap_err();
    assert_eq!(error.fault(), Fault::NotFound);
    let nowhere = scratch.dir().join("no/such/directory");
    let error = Writer::create(nowhere).unwrap_err();
    assert_eq!(error.fault(), Fault::NotFound);
}

#[test]
fn other_kinds_of_file() {
    let scratch = Scratch::new();
    fs::create_dir(&scratch.0).unwrap();
    refused(&scratch, "is a directory, want a regular file");
    fs::remove_dir(&scratch.0).unwrap();

    let real = scratch.dir().join("real");
    drop(Writer::create(&real).unwrap());
    symlink(&real, &scratch.0).unwrap();
    refused(&scratch, "is a symbolic link, want a regular file");
    fs::remove_file(&scratch.0).unwrap();

    symlink(scratch.dir().join("dangling"), &scratch.0).unwrap();
    refused(&scratch, "is a symbolic link, want a regular file");
    fs::remove_file(&scratch.0).unwrap();

    let made = Command::new("mkfifo").arg(&scratch.0).status().unwrap();
    assert!(made.success());
    refused(&scratch, "is a FIFO, want a regular file");
    let zero = Reader::open("/dev/zero").unwrap_err();
    assert_eq!(zero.fault(), Fault::NotRegular { what: "a device" });
}

#[test]
fn other_contents() {
    let scratch = Scratch::new();
    fs::write(&scratch.0, [0; 512]).unwrap();
    refused(&scratch, "wrong size: 512 bytes, want 4096");
    fs::write(&scratch.0, []).unwrap();
    refused(&scratch, "wrong size: 0 bytes, want 4096");
    fs::write(&scratch.0, [0; 4096]).unwrap();
    refused(&scratch, "bad magic (want SHKV2)");
}

#[test]
fn other_stamps() {
    let scratch = Scratch::new();
    let open = || everything::Reader::open(&scratch.0).unwrap_err();
    drop(everything::Writer::create(&scratch.0).unwrap());
    let page = scratch.bytes();
    assert_eq!(page[..8], everything::MAGIC);
    assert_eq!(page[16..24], everything::FINGERPRINT.to_le_bytes());

    let constant = everything::HEADER_OFFSET;
    scratch.poke(constant, &65u16.to_le_bytes());
    let field = "header";
    assert_eq!(open().fault(), Fault::WrongConstant { field });
    scratch.poke(16, &0x1111u64.to_le_bytes());
    let text = open().to_string();
    let want = format!("fingerprint 0x1111, want {:#x}: ", everything::FINGERPRINT);
    assert!(text.contains(&want), "{text}");
    scratch.poke(16, &everything::FINGERPRINT.to_be_bytes());
    let layout = "everything";
    assert_eq!(open().fault(), Fault::WrongEndian { layout });
    scratch.poke(8, &4u16.to_le_bytes());
    assert_eq!(open().fault(), Fault::WrongVersion { found: 4, want: 3 });
    scratch.poke(8, &3u16.to_be_bytes());
    assert_eq!(open().fault(), Fault::WrongEndian { layout });
    scratch.poke(0, b"x");
    let want = "EVERY";
    assert_eq!(open().fault(), Fault::BadMagic { want });
}

#[test]
fn permissions_of_new_files() {
    let scratch = Scratch::new();
    let mode = || fs::metadata(&scratch.0).unwrap().permissions().mode() & 0o7777;
    drop(Writer::create(&scratch.0).unwrap());
    assert_eq!(mode(), 0o600);
    fs::remove_file(&scratch.0).unwrap();
    let options = Options::default().mode(0o666);
    drop(Writer::create_with(&scratch.0, &options).unwrap());
    assert_eq!(mode(), 0o666, "whatever the umask");
}
