//! The process that wakes.

use std::hint::spin_loop;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use rustix::thread::futex;
use shkv2::{Slot, Writer};

use super::channel::{Channel, Signal};
use super::clock;
use super::control::Control;
use super::process::{GONE, Process};
use super::result::{Row, Tally};
use crate::guard::Guard;
use crate::stop::{Cause, Stop};

/// How long the producer spins for an answer before it sleeps: more than a wake-up
/// takes, so that the next publish follows the answer at once.
const SPIN_FOR: Duration = Duration::from_micros(300);

/// One sleep for an answer: 100 ms. After so many of them the consumer has not been
/// waiting but is lost; slices count only while this process runs.
const SLICE: futex::Timespec = futex::Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
const SLICES: u32 = 100;

/// What there is to say then.
pub const TOO_SLOW: &str = "the consumer has not answered for 10s";

/// Lets a consumer that is asleep settle: a processor that has just gone idle wakes
/// faster than one that has been so for a while.
const GAP: Duration = Duration::from_micros(20);

/// The writer of a row whose consumer has been started.
pub struct Producer<'r> {
    pub stop: &'r Stop,
    pub writer: &'r mut Writer,
    pub guard: Guard,
    /// The last update.
    pub id: u64,
    pub control: &'r Control,
    pub consumer: &'r mut Process,
}

impl Producer<'_> {
    /// Runs the rounds of a row.
    pub fn rounds(&mut self, channel: Channel, signal: &mut dyn Signal, of: u64) -> Result<Row> {
        let mut tally = Tally::new()?;
        self.wait_until(|control| control.is_answered(0))
            .map_err(|error| self.stop.cause().map_or(error, Into::into))?;
        for round in 1..=of {
            if let Err(error) = self.round(channel, signal, round) {
                return Err(match self.stop.cause() {
                    Some(Cause::Signal(signal)) => {
                        anyhow!("stopped by {signal}: {} of {of} rounds", round - 1)
                    }
                    Some(cause) => cause.into(),
                    None => error,
                });
            }
            let answer = self.control.last_answer();
            if answer.parked || !channel.is_parked() {
                tally.add(answer.latency);
            }
            tally.slept += u64::from(answer.slept);
        }
        let row = tally.row(channel, of);
        // Fewer than 99 in 100 rounds parked: the figure would be of something else.
        if channel.is_parked() && row.unobserved > of / 100 {
            let found = of - row.unobserved;
            bail!("only {found} of {of} rounds found the consumer asleep: no figure");
        }
        Ok(row)
    }

    fn round(&mut self, channel: Channel, signal: &mut dyn Signal, round: u64) -> Result<()> {
        if self.stop.stopped() {
            bail!("stopped"); // an answer that comes at once asks nobody
        }
        if channel.is_parked() {
            self.wait_until_parked(round)?;
        }
        let record = stamped(self.id.wrapping_add(1))?;
        let published = signal.publish(self.writer, &record);
        if self.guard.is_lost() {
            // The reason why a wake found no word, if it did not.
            self.guard.check(self.writer.path(), self.writer.check())?;
        }
        self.id = published?;
        self.wait_until(|control| control.is_answered(round))
    }

    /// Waits for the consumer: first spinning, then asleep until its next answer.
    fn wait_until(&mut self, done: impl Fn(&Control) -> bool) -> Result<()> {
        let begin = Instant::now();
        while begin.elapsed() < SPIN_FOR {
            for _ in 0..64 {
                if done(self.control) {
                    return Ok(());
                }
                spin_loop();
            }
            thread::yield_now(); // on a single processor, the consumer needs it
        }
        self.control.announce_sleep(true);
        let slept = self.sleep_until(done);
        self.control.announce_sleep(false);
        slept
    }

    fn sleep_until(&mut self, done: impl Fn(&Control) -> bool) -> Result<()> {
        for _ in 0..SLICES {
            let ack = self.control.ack_word();
            if done(self.control) {
                return Ok(());
            }
            self.still_there()?;
            self.control.sleep(ack, &SLICE); // whatever ends it, look again
        }
        bail!(TOO_SLOW)
    }

    /// Waits until the consumer sleeps in the FUTEX_WAIT of this round.
    fn wait_until_parked(&mut self, round: u64) -> Result<()> {
        self.wait_until(|control| control.is_armed(round))?;
        let begin = Instant::now();
        while !self.consumer.is_asleep()? {
            self.still_there()?;
            if begin.elapsed() > Duration::from_secs(10) {
                bail!(TOO_SLOW);
            }
            thread::yield_now();
        }
        let begin = Instant::now();
        while begin.elapsed() < GAP {
            spin_loop();
        }
        Ok(())
    }

    /// Refuses to wait when there is nobody to wait for, or no time.
    fn still_there(&mut self) -> Result<()> {
        if self.stop.stopped() {
            bail!("stopped");
        }
        if self.consumer.has_ended() {
            bail!(GONE);
        }
        Ok(())
    }
}

/// The record of an update: its value is the time.
fn stamped(id: u64) -> Result<Slot> {
    let mut slot = Slot::default();
    slot.set_key(format!("k{id}").as_bytes())?;
    // From the stamp on every nanosecond counts: no allocation.
    let mut digits = [0u8; 20];
    let mut rest = &mut digits[..];
    write!(rest, "{}", clock::now())?;
    let unused = rest.len();
    let end = digits.len() - unused;
    slot.set_value(&digits[..end])?;
    Ok(slot)
}
