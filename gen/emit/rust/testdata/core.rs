//! The core without std: views of a page that is just memory.

use shkv2::protocol::{backfill, slot_of, Recovery};
use shkv2::{quote_table, Fault, Slot, View, ViewMut, SIZE};

#[repr(C, align(8))]
struct Memory([u8; SIZE + 8]);

#[test]
fn publish_and_read() {
    let mut memory = Box::new(Memory([0; SIZE + 8]));
    let base = memory.0.as_mut_ptr();
    // SAFETY: zeroed memory of this test alone.
    let (unaligned, short) = unsafe {
        (
            View::from_ptr(base.add(4), SIZE).unwrap_err(),
            View::from_ptr(base, SIZE - 1).unwrap_err(),
        )
    };
    assert_eq!(unaligned, Fault::Misaligned);
    let (found, want) = (4095, 4096);
    assert_eq!(short, Fault::WrongSize { found, want });
    // SAFETY: as above.
    let blank = unsafe { ViewMut::from_ptr(base, SIZE) }.unwrap_err();
    assert_eq!(blank, Fault::BadMagic { want: "SHKV2" });

    // SAFETY: as above.
    let mut w = unsafe { ViewMut::format(base, SIZE) }.unwrap();
    assert_eq!(w.recover(false), Recovery::Clean);
    assert_eq!(w.publish(b"k1", b"value-1"), Ok(1));
    let mut slot = Slot::default();
    slot.set_key(b"k2").unwrap();
    assert_eq!(w.publish_record(&slot), 2);
    assert!(w.publish(&[b'x'; 25], b"").is_err());
    let s = w.as_view().snapshot().unwrap();
    assert_eq!((s.counter, s.slots[1]), (2, slot));
    assert_eq!(w.as_view().slot(0).unwrap().value(), "value-1");
    assert_eq!(w.as_view().seq().load(), 4);
    // SAFETY: as above; the writer is not used any more.
    let again = unsafe { View::from_ptr(base, SIZE) }.unwrap();
    assert_eq!(again.snapshot().unwrap(), s);

    let image = &mut memory.0[..SIZE];
    let mut w = ViewMut::from_bytes(image).unwrap();
    assert_eq!(w.publish_record(&slot), 3);
    let view = View::from_bytes(image).unwrap();
    assert_eq!(view.snapshot().unwrap().counter, 3);
    let cut = View::from_bytes(&image[8..]).unwrap_err();
    assert!(matches!(cut, Fault::WrongSize { .. }));
}

#[test]
fn records_with_their_own_seqlocks() {
    let mut memory = vec![0u64; quote_table::SIZE / 8];
    let base = memory.as_mut_ptr().cast();
    // SAFETY: zeroed memory of this test alone.
    let mut w = unsafe { quote_table::ViewMut::format(base, quote_table::SIZE) }.unwrap();
    w.update_rows(3, |q| q.bid = 5).unwrap();
    assert_eq!(w.as_view().read_rows(3).unwrap().bid, 5);
    assert!(w.as_view().read_rows(100).is_err());
}

#[test]
fn arithmetic() {
    let fill = backfill(0, 0, 8);
    assert_eq!((fill.count, fill.missed), (0, 0));
    let fill = backfill(0, 3, 8);
    assert_eq!((fill.first, fill.count, fill.missed), (1, 3, 0));
    let fill = backfill(0, 20, 8);
    assert_eq!((fill.first, fill.count, fill.missed), (13, 8, 12));
    let fill = backfill(u64::MAX - 1, 1, 8);
    assert_eq!((fill.first, fill.count, fill.missed), (u64::MAX, 3, 0));
    assert_eq!(backfill(9, 2, 8).count, 0);
    assert_eq!((slot_of(1, 8), slot_of(8, 8), slot_of(9, 8)), (0, 7, 0));
}
