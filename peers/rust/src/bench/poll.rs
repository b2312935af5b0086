//! poll: no kernel object, the consumer looks every millisecond.

use anyhow::Result;
use rustix::thread::{Timespec, nanosleep};
use shkv2::{Slot, Writer};

use super::channel::{Signal, Wait, Woken};
use super::consumer::Consumer;

/// The producer's end: a publish that wakes nobody.
pub struct PollSignal;

impl Signal for PollSignal {
    fn publish(&mut self, writer: &mut Writer, record: &Slot) -> Result<u64> {
        Ok(writer.view().publish_record(record)) // W1..W6
    }
}

/// The consumer's end.
pub struct PollWait;

impl Wait for PollWait {
    /// Sleeps before it looks: an update never comes at the very moment of the
    /// answer to the one before.
    fn wait(&mut self, consumer: &Consumer, round: u64) -> Result<Woken> {
        let period = Timespec {
            tv_sec: 0,
            tv_nsec: 1_000_000,
        };
        loop {
            let _ = nanosleep(&period); // an interrupted one is only shorter
            if consumer.has_come(round)? {
                return Ok(Woken::Somehow);
            }
        }
    }
}
