//! futex and futex-parked: the page's own way, its futex word.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use anyhow::{Context, Result};
use rustix::io::Errno;
use rustix::thread::futex;
use shkv2::{Page, Slot, View, Writer};

use super::channel::{Signal, Wait, Woken};
use super::consumer::Consumer;

/// The longest sleep at once, as in every watch of the page.
const NAP: Duration = Duration::from_secs(2);

/// The producer's end: a whole publish.
pub struct FutexSignal;

impl Signal for FutexSignal {
    fn publish(&mut self, writer: &mut Writer, record: &Slot) -> Result<u64> {
        Ok(writer.publish_record(record)) // W1..W7
    }
}

/// The watch loop F1..F4 for one known update. Unlike the library's it tells
/// whether it was a wake that ended its sleep.
pub struct FutexWait {
    /// Say so before each sleep.
    arm: bool,
    nap: futex::Timespec,
}

impl FutexWait {
    pub fn new(arm: bool) -> FutexWait {
        let nap = futex::Timespec {
            tv_sec: NAP.as_secs() as i64,
            tv_nsec: 0,
        };
        FutexWait { arm, nap }
    }
}

impl Wait for FutexWait {
    fn wait(&mut self, consumer: &Consumer, round: u64) -> Result<Woken> {
        let view = consumer.reader.view();
        let mut woken = Woken::Somehow;
        loop {
            let w = view.wake().load(); // F1, pairs with W6
            if consumer.has_come(round)? {
                return Ok(woken); // F2
            }
            if self.arm {
                consumer.control.arm(round);
            }
            let word = futex_word(&view);
            match futex::wait(word, futex::Flags::empty(), w, Some(&self.nap)) {
                Ok(()) => woken = Woken::Parked, // F3, pairs with W7
                Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => {}
                Err(error) => {
                    consumer.reader.check()?; // most often a file cut short
                    return Err(error).context("futex");
                }
            }
        } // F4
    }
}

/// The word to sleep on: the kernel wants its address.
fn futex_word<'a>(view: &View<'a>) -> &'a AtomicU32 {
    const FUTEX: usize = match Page::SEQLOCK.futex {
        Some(offset) => offset,
        None => panic!("a layout without a futex word"),
    };
    // SAFETY: a word of the page, which is mapped for 'a, only written atomically.
    unsafe { shkv2::words::shared32(view.as_ptr(), FUTEX) }
}
