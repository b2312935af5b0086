//! The writer's side: it publishes on a schedule, or what it reads line by line.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use shkv2::Writer;
use shkv2::segment::Options;

use crate::args::ServeArgs;
use crate::error::on_page;
use crate::guard::Guard;
use crate::stdin;
use crate::stop::{Cause, Stop};

const SECOND: Duration = Duration::from_secs(1);

/// Publishes until there is nothing more to publish.
pub fn run(args: &ServeArgs) -> Result<()> {
    let stop = Stop::install()?;
    let mut options = Options::default();
    if let Some(mode) = args.mode {
        options = options.mode(mode);
    }
    let writer = Writer::create_with(&args.file, &options).map_err(|e| on_page("create", e))?;
    let mut server = Server::new(writer)?;
    if args.stdin {
        return stdin::publish(&mut server, stop);
    }
    let (interval, number) = (
        args.interval_ms.unwrap_or(SECOND),
        args.updates.unwrap_or(0),
    );
    server.updates(stop, interval, number)
}

/// A writer whose file may be cut short at any time.
pub struct Server {
    writer: Writer,
    guard: Guard,
}

impl Server {
    fn new(mut writer: Writer) -> Result<Server> {
        let guard = Guard::of_writer(&mut writer)?;
        Ok(Server { writer, guard })
    }

    /// Publishes one update.
    pub fn publish(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.writer.publish(key, value)?;
        self.guard.check(self.writer.path(), self.writer.check())
    }

    /// Publishes `k<id>=value-<id>`, the first after one interval, `of` times (0:
    /// until stopped).
    fn updates(&mut self, stop: &Stop, interval: Duration, of: u64) -> Result<()> {
        let mut id = self.writer.view().as_view().snapshot()?.counter;
        let mut schedule = Schedule::every(interval);
        let mut done = 0;
        while of == 0 || done < of {
            schedule.wait(stop)?;
            if stop.stopped() {
                return self.stopped(stop, done, of);
            }
            id = id.wrapping_add(1);
            self.publish(
                format!("k{id}").as_bytes(),
                format!("value-{id}").as_bytes(),
            )?;
            done += 1;
        }
        Ok(())
    }

    /// What it means to be stopped: a clean end only where there was no number to
    /// reach.
    fn stopped(&self, stop: &Stop, done: u64, of: u64) -> Result<()> {
        let path = self.writer.path().display();
        match stop.cause() {
            None | Some(Cause::Signal(_)) if of == 0 => Ok(()),
            Some(cause) => bail!("{path}: {cause}: {done} of {of} updates published"),
            None => Ok(()),
        }
    }
}

/// Paces the updates.
struct Schedule {
    interval: Duration,
    /// Nothing: never in the life of any machine.
    next: Option<Instant>,
}

impl Schedule {
    fn every(interval: Duration) -> Schedule {
        let next = Instant::now().checked_add(interval);
        Schedule { interval, next }
    }

    /// Waits for the next time, or the end of the run.
    fn wait(&mut self, stop: &Stop) -> Result<()> {
        if self.interval.is_zero() {
            return Ok(());
        }
        let left = |next: Instant| next.saturating_duration_since(Instant::now());
        while !stop.stopped() && self.next.is_none_or(|next| !left(next).is_zero()) {
            stop.wait_for(None, self.next.map(left))?;
        }
        let Some(next) = self.next else { return Ok(()) };
        // A program that was held up, stopped by SIGSTOP say, goes on with the next
        // interval and does not catch up in a burst.
        let held_up = next.elapsed() > self.interval;
        let from = if held_up { Instant::now() } else { next };
        self.next = from.checked_add(self.interval);
        Ok(())
    }
}
