//! The SHKV2 page: bytes, publishing, watching, recovery.

mod common;

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::Scratch;
use shkv2::protocol::Recovery;
use shkv2::segment::Options;
use shkv2::{Fault, Reader, Slot, Writer};

const SECOND: Duration = Duration::from_secs(1);

fn publish(w: &mut Writer, ids: impl Iterator<Item = u64>) {
    for id in ids {
        let (key, value) = (format!("k{id}"), format!("value-{id}"));
        assert_eq!(w.publish(key.as_bytes(), value.as_bytes()).unwrap(), id);
    }
}

#[test]
fn golden_image() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    publish(&mut w, 1..=6);
    let mut want = vec![0u8; 4096];
    want[..5].copy_from_slice(b"SHKV2");
    (want[8], want[12], want[16]) = (12, 6, 6);
    for i in 0..6usize {
        let at = 64 + 64 * i;
        want[at..at + 2].copy_from_slice(format!("k{}", i + 1).as_bytes());
        want[at + 24..at + 31].copy_from_slice(format!("value-{}", i + 1).as_bytes());
    }
    assert!(scratch.bytes() == want);
    // No temporary file stays behind.
    assert_eq!(scratch.dir().read_dir().unwrap().count(), 1);
}

#[test]
fn snapshot_slot_and_words() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    publish(&mut w, 1..=11);
    let r = Reader::open(&scratch.0).unwrap();
    let s = r.snapshot().unwrap();
    assert_eq!(s.counter, 11);
    assert_eq!(s.slots[2].key(), "k11");
    assert_eq!(s.slots[3].value(), "value-4");
    assert_eq!(r.slot(2).unwrap(), s.slots[2]);
    assert_eq!((r.view().seq().load(), r.view().wake().load()), (22, 11));
    let error = r.slot(8).unwrap_err();
    assert_eq!(error.fault(), Fault::OutOfRange { index: 8, count: 8 });
    // A reader's mapping can not be written.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let name = scratch.0.to_str().unwrap();
    let of_page = maps.lines().filter(|l| l.ends_with(name));
    assert_eq!(of_page.filter(|l| l.contains(" r--s ")).count(), 1);
}

#[test]
fn text_rules() {
    let mut slot = Slot::default();
    slot.set_key(b"0123456789").unwrap();
    slot.set_key(b"ab").unwrap();
    assert_eq!(
        slot.key[..],
        *b"ab\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
    );
    slot.set_key(&[b'x'; 24]).unwrap();
    assert_eq!(slot.key().len(), 24);
    let before = slot;
    let long = slot.set_key(&[b'y'; 25]).unwrap_err();
    assert_eq!(long.to_string(), "key is too long: 25 bytes, at most 24");
    assert_eq!(slot.set_key(b"a\0b"), Err(Fault::InnerNul { field: "key" }));
    assert_eq!(slot, before);
    slot.set_value(b"\xffx\xe6\xb8").unwrap();
    assert_eq!(slot.value().to_string(), "\u{fffd}x\u{fffd}");
    assert_eq!(format!("{:?}", slot.value()), r#""\xffx\xe6\xb8""#);

    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    let error = w.publish(b"k", &[b'v'; 41]).unwrap_err();
    assert!(matches!(
        error.fault(),
        Fault::TooLong {
            field: "value",
            len: 41,
            max: 40
        }
    ));
    assert_eq!(scratch.u32(8), 0);
}

#[test]
fn continues_and_excludes() {
    let scratch = Scratch::new();
    let mut first = Writer::create(&scratch.0).unwrap();
    assert_eq!(first.recovery(), None);
    publish(&mut first, 1..=2);
    let r = Reader::open(&scratch.0).unwrap();
    assert!(r.alive().unwrap());
    let error = Writer::create(&scratch.0).unwrap_err();
    assert_eq!(error.fault(), Fault::Locked);
    let text = format!("{}: another writer holds the lock", scratch.0.display());
    assert_eq!(error.to_string(), text);
    // Closing another descriptor of the file must not lose the lock.
    drop(scratch.file());
    assert!(Writer::create(&scratch.0).is_err());
    drop(first);
    assert!(!r.alive().unwrap());
    let mut second = Writer::create(&scratch.0).unwrap();
    assert_eq!(second.recovery(), Some(Recovery::Clean));
    publish(&mut second, 3..=3);
}

#[test]
fn backfill_reports_gaps() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    publish(&mut w, 1..=20);
    let r = Reader::open(&scratch.0).unwrap();
    let all = r.since(0).unwrap();
    let ids: Vec<_> = all.iter().map(|u| u.id).collect();
    assert_eq!(ids, (13..=20).collect::<Vec<_>>());
    assert_eq!(all.iter().map(|u| u.missed).sum::<u64>(), 12);
    assert_eq!(all[0].missed, 12);
    assert!(all
        .iter()
        .all(|u| u.slot.key() == format!("k{}", u.id).as_bytes()));
    assert_eq!(r.since(18).unwrap().len(), 2);
    assert!(r.since(20).unwrap().is_empty());
    assert!(r.since(25).unwrap().is_empty(), "a counter that went back");
}

#[test]
fn zero_records_are_data_but_where_recovery_zeroes() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    for _ in 0..9 {
        w.publish(b"", b"").unwrap();
    }
    let all = Reader::open(&scratch.0).unwrap().since(0).unwrap();
    assert_eq!((all.len(), all[0].id, all[0].missed), (7, 3, 2));
}

#[test]
fn updates_arrive_at_once() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    let r = Reader::open(&scratch.0).unwrap();
    let start = Instant::now();
    let writer = thread::spawn(move || {
        for id in 1..=5 {
            thread::sleep(Duration::from_millis(40));
            publish(&mut w, id..=id);
        }
    });
    let seen: Vec<_> = r.updates().timeout(10 * SECOND).take(5).collect();
    writer.join().unwrap();
    for (i, update) in seen.into_iter().enumerate() {
        let update = update.unwrap();
        assert_eq!((update.id, update.missed), (i as u64 + 1, 0));
    }
    assert!(
        start.elapsed() < SECOND,
        "no wake came: {:?}",
        start.elapsed()
    );
}

#[test]
fn waits_end() {
    let scratch = Scratch::new();
    let w = Writer::create(&scratch.0).unwrap();
    let r = Reader::open(&scratch.0).unwrap();
    let mut updates = r.updates().timeout(Duration::from_millis(50));
    assert_eq!(
        updates.next().unwrap().unwrap_err().fault(),
        Fault::TimedOut
    );
    assert!(updates.next().is_none());
    let none = r.wait(0, Duration::ZERO);
    assert_eq!(none.unwrap_err().fault(), Fault::TimedOut);

    let (cancel, start) = (AtomicBool::new(false), Instant::now());
    thread::scope(|s| {
        s.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            cancel.store(true, Ordering::Release);
            r.wake();
        });
        let mut updates = r.updates().timeout(Duration::MAX).cancel(&cancel);
        assert_eq!(
            updates.next().unwrap().unwrap_err().fault(),
            Fault::Cancelled
        );
    });
    assert!(start.elapsed() < SECOND);

    drop(w);
    let mut updates = r.updates().while_writer_lives();
    assert_eq!(
        updates.next().unwrap().unwrap_err().fault(),
        Fault::WriterDead
    );
}

#[test]
fn counter_sequence_and_futex_wrap() {
    let scratch = Scratch::new();
    drop(Writer::create(&scratch.0).unwrap());
    scratch.poke(8, &0xffff_fffcu32.to_le_bytes());
    scratch.poke(12, &0xffff_fffdu32.to_le_bytes());
    scratch.poke(16, &(u64::MAX - 2).to_le_bytes());
    let mut w = Writer::create(&scratch.0).unwrap();
    assert_eq!(w.recovery(), Some(Recovery::Clean));
    for want in [u64::MAX - 1, u64::MAX, 0, 1, 2] {
        assert_eq!(w.publish(b"k", b"v").unwrap(), want);
    }
    assert_eq!(
        (scratch.u32(8), scratch.u32(12), scratch.u64(16)),
        (6, 2, 2)
    );
    let r = Reader::open(&scratch.0).unwrap();
    let ids: Vec<_> = r
        .since(u64::MAX - 2)
        .unwrap()
        .iter()
        .map(|u| u.id)
        .collect();
    assert_eq!(ids, [u64::MAX - 1, u64::MAX, 0, 1, 2]);
}

#[test]
fn recovery_table() {
    use Recovery::{Clean, RolledForward, Zeroed};
    // Counter 6; (seq, futex), what recovery calls it, and (seq, futex) after.
    let rows = [
        ((12, 6), Some(Clean), (12, 6)),
        ((11, 6), Some(Zeroed), (12, 6)),
        ((11, 5), Some(RolledForward), (12, 6)),
        ((12, 5), Some(RolledForward), (12, 6)),
        ((12, 7), None, (12, 7)),
        ((11, 4), None, (11, 4)),
    ];
    for ((seq, futex), want, after) in rows {
        let scratch = Scratch::new();
        publish(&mut Writer::create(&scratch.0).unwrap(), 1..=6);
        // What a write that was cut short left in the next slot.
        scratch.poke(64 + 6 * 64, b"torn");
        scratch.poke(8, &u32::to_le_bytes(seq));
        scratch.poke(12, &u32::to_le_bytes(futex));
        let before = scratch.bytes();
        match (Writer::create(&scratch.0), want) {
            (Ok(w), _) => assert_eq!(w.recovery(), want, "{seq} {futex}"),
            (Err(e), None) => {
                assert_eq!(e.fault(), Fault::Corrupt);
                assert!(scratch.bytes() == before, "a corrupt page is left alone");
            }
            (Err(e), _) => panic!("{seq} {futex}: {e}"),
        }
        assert_eq!(
            (scratch.u32(8), scratch.u32(12), scratch.u64(16)),
            (after.0, after.1, 6)
        );
        let zeroed = scratch.bytes()[448..452] == [0; 4];
        assert_eq!(zeroed, want == Some(Zeroed), "{seq} {futex}");
        if want.is_none() {
            let reset = Options::default().reset(true);
            let w = Writer::create_with(&scratch.0, &reset).unwrap();
            assert_eq!(w.recovery(), Some(Zeroed));
            assert_eq!((scratch.u32(12), scratch.u64(16)), (0, 0));
        }
    }
}

#[test]
fn an_odd_word_costs_a_bounded_wait() {
    let scratch = Scratch::new();
    let w = Writer::create(&scratch.0).unwrap();
    let mut r = Reader::open(&scratch.0).unwrap();
    scratch.poke(8, &[1]);
    r.set_patience(Duration::from_millis(100));
    let start = Instant::now();
    let error = r.snapshot().unwrap_err();
    assert!(start.elapsed() < SECOND);
    let text = format!("{}: seqlock read livelocked", scratch.0.display());
    assert_eq!(error.to_string(), text);
    assert_eq!(r.view().snapshot().unwrap_err(), Fault::Livelocked);
    let late = r.wait(0, Duration::from_millis(20)).unwrap_err();
    assert_eq!(late.fault(), Fault::TimedOut);
    drop(w);
}

#[test]
fn truncation_is_an_error() {
    let scratch = Scratch::new();
    let w = Writer::create(&scratch.0).unwrap();
    let r = Reader::open(&scratch.0).unwrap();
    let file = scratch.file();
    thread::scope(|s| {
        s.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            file.set_len(0).unwrap();
            r.wake();
        });
        let error = r.updates().next().unwrap().unwrap_err();
        let want = 4096;
        assert_eq!(error.fault(), Fault::Truncated { found: 0, want });
    });
    assert!(r.check().is_err() && w.check().is_err());
}

#[test]
fn torn_copies_are_never_seen() {
    let scratch = Scratch::new();
    let mut w = Writer::create(&scratch.0).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|s| {
        s.spawn(|| {
            for i in 0u64.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let text = [b'a' + (i % 26) as u8; 40];
                w.publish(&text[..24], &text).unwrap();
            }
        });
        let r = Reader::open(&scratch.0).unwrap();
        for i in 0..20_000 {
            let slot = r.slot(i % 8).unwrap();
            let letter = slot.value[0];
            assert!(slot.key.iter().chain(&slot.value).all(|&b| b == letter));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

/// Not a test by itself: the other process of the next one.
#[test]
fn child() {
    let Ok(path) = std::env::var("SHMKV_TEST_PAGE") else {
        return;
    };
    let mut w = Writer::create(path).unwrap();
    publish(&mut w, 1..=3);
    thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_killed_process_frees_the_lock() {
    let scratch = Scratch::new();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child"])
        .env("SHMKV_TEST_PAGE", &scratch.0)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let r = loop {
        match Reader::open(&scratch.0) {
            Ok(r) => break r,
            // Never a half-made page, whenever one looks.
            Err(e) => assert_eq!(e.fault(), Fault::NotFound),
        }
        assert!(start.elapsed() < 20 * SECOND);
    };
    let mut updates = r.updates().timeout(20 * SECOND).while_writer_lives();
    for id in 1..=3 {
        assert_eq!(updates.next().unwrap().unwrap().id, id);
    }
    let locked = Writer::create(&scratch.0).unwrap_err();
    assert_eq!(locked.fault(), Fault::Locked);
    child.kill().unwrap();
    child.wait().unwrap();
    let end = updates.next().unwrap().unwrap_err();
    assert_eq!(end.fault(), Fault::WriterDead);
    let mut w = Writer::create(&scratch.0).unwrap();
    publish(&mut w, 4..=4);
}
