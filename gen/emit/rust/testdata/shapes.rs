//! Pages of other shapes: every type, no ring, records with own seqlocks.

mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::Scratch;
use shkv2::protocol::Recovery;
use shkv2::{everything, pose, quote_table, Fault};

#[test]
fn every_type() {
    let mut event = everything::Event::default();
    event.at = 7;
    event.mode = everything::Mode::RUNNING;
    event.set_tag(b"thirteen long").unwrap();
    event.set_ok(true);
    assert!(event.ok());
    event.ok = 77;
    assert!(event.ok(), "any value but 0 is true");
    let shown = format!("{event:?}");
    assert!(
        shown.contains("mode: RUNNING") && shown.contains("thirteen long"),
        "{shown}"
    );
    assert_eq!(format!("{:?}", everything::Mode(9)), "Mode(9)");
    let caps = everything::Caps::READ | everything::Caps::TOP | everything::Caps(4);
    assert_eq!(format!("{caps:?}"), "READ | TOP | 0x4");
    assert_eq!(format!("{:?}", everything::Caps(0)), "0x0");
    assert!(caps.contains(everything::Caps::TOP) && !caps.contains(everything::Caps::WRITE));
    assert_eq!(everything::LOWEST, i64::MIN);
    assert_eq!(everything::HIGHEST, u64::MAX);
    assert_eq!(everything::GREETING, "say \"hi\" to C:\\dir ??/");

    let scratch = Scratch::new();
    let mut w = everything::Writer::create(&scratch.0).unwrap();
    event.mode = everything::Mode(1234);
    assert_eq!(w.publish_record(&event), 1);
    let r = everything::Reader::open(&scratch.0).unwrap();
    let seen = r.wait(0, Duration::ZERO).unwrap();
    assert_eq!(seen[0].slot, event, "an unknown value survives");
    assert_eq!(scratch.bytes()[everything::LABEL_OFFSET..][..6], *b"six: 6");
}

#[test]
fn waiters_are_counted_and_woken() {
    let scratch = Scratch::new();
    let mut w = everything::Writer::create(&scratch.0).unwrap();
    let r = everything::Reader::open(&scratch.0).unwrap();
    let start = Instant::now();
    thread::scope(|s| {
        let waiter = s.spawn(|| r.wait(0, Duration::from_secs(10)).unwrap());
        while scratch.u32(everything::SLEEPERS_OFFSET) == 0 {
            thread::yield_now();
        }
        w.publish_record(&everything::Event::default());
        assert_eq!(waiter.join().unwrap()[0].id, 1);
    });
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(scratch.u32(everything::SLEEPERS_OFFSET), 0);
}

#[test]
fn a_page_without_ring() {
    let scratch = Scratch::new();
    let mut w = pose::Writer::create(&scratch.0).unwrap();
    let r = pose::Reader::open(&scratch.0).unwrap();
    let late = r.wait(0, Duration::from_millis(10)).unwrap_err();
    assert_eq!(late.fault(), Fault::TimedOut);
    let counter = w.update(|p| {
        (p.x, p.y, p.theta) = (1.0, 2.0, 0.5);
        p.set_frame(b"map").unwrap();
        p.updates = 99;
    });
    assert_eq!(counter, 1);
    w.update(|p| p.theta += 1.0);
    let p = r.wait(0, Duration::ZERO).unwrap();
    assert_eq!((p.updates, p.x, p.y, p.theta), (2, 1.0, 2.0, 1.5));
    assert_eq!(p.frame(), "map");
    assert_eq!(r.snapshot().unwrap(), p);

    // A write cut short before its counter: everything guarded is in doubt.
    drop(w);
    let seq = scratch.u32(pose::SEQ_OFFSET);
    scratch.poke(pose::SEQ_OFFSET, &(seq + 1).to_ne_bytes());
    let w = pose::Writer::create(&scratch.0).unwrap();
    assert_eq!(w.recovery(), Some(Recovery::Zeroed));
    let p = r.snapshot().unwrap();
    assert_eq!((p.updates, p.x, p.frame().len()), (2, 0.0, 0));
    assert_eq!(scratch.u32(pose::SEQ_OFFSET), seq + 2);
}

#[test]
fn records_with_their_own_seqlocks() {
    let scratch = Scratch::new();
    let mut w = quote_table::Writer::create(&scratch.0).unwrap();
    let r = quote_table::Reader::open(&scratch.0).unwrap();
    w.update_rows(99, |q| {
        (q.bid, q.ask) = (10, 11);
        q.set_symbol(b"SHM").unwrap();
    })
    .unwrap();
    let q = r.read_rows(99).unwrap();
    assert_eq!((q.bid, q.ask), (10, 11));
    assert_eq!(q.symbol(), "SHM");
    assert_eq!(r.read_rows(98).unwrap(), Default::default());
    let beyond = Fault::OutOfRange {
        index: 100,
        count: 100,
    };
    assert_eq!(r.read_rows(100).unwrap_err().fault(), beyond);
    assert_eq!(w.update_rows(100, |_| {}).unwrap_err().fault(), beyond);
    // One that was left odd is zeroed, its neighbours stay.
    drop(w);
    scratch.poke(quote_table::ROWS_OFFSET + 98 * 64, &1u32.to_ne_bytes());
    let w = quote_table::Writer::create(&scratch.0).unwrap();
    assert_eq!(w.recovery(), Some(Recovery::Zeroed));
    assert_eq!(r.read_rows(99).unwrap(), q);
    drop(w);
}
