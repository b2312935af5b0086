//! The reader's side: it prints each update of a page as it comes.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use shkv2::segment::PATIENCE;
use shkv2::{Fault, Reader};

use crate::args::WatchArgs;
use crate::guard::{self, Guard};
use crate::open;
use crate::output::Lines;
use crate::print::Printer;
use crate::stop::{Cause, Limit, Stop};

/// Holds while `--events` is given, and `--timeout` is not.
const EVENTS_LIMIT: Duration = Duration::from_secs(30);

/// How long one read tries on a page that stays busy before the end of the run is
/// looked for.
const SLICE: Duration = Duration::from_millis(100);

/// Prints updates until as many were told as asked for, the time is up, or the run
/// is stopped. The last two are failures only where there was a number to reach.
pub fn run(args: &WatchArgs) -> Result<()> {
    let stop = Stop::install()?;
    let events = args.events.unwrap_or(0);
    let default = match events {
        0 => Duration::ZERO,
        _ => EVENTS_LIMIT,
    };
    let limit = Limit::after(args.timeout.unwrap_or(default));
    let out = Lines::stdout(stop, limit);
    out.watch_reader()?;
    let mut reader = match open::open(args, stop, limit) {
        Ok(reader) => reader,
        Err(open::Refused::Stopped) => return Ok(()),
        Err(open::Refused::Failed(error)) => return Err(error),
    };
    reader.set_patience(SLICE);
    let guard = Guard::of_reader(&reader, Some(stop.flag()))?;
    let reader = Arc::new(reader);
    guard::watch_size(stop, Arc::clone(&reader))?;
    let mut watch = Watch {
        path: &args.file,
        events,
        seen: 0,
        reader: &reader,
        guard,
        stop,
        limit,
    };
    let printer = Printer::new(args.json, out, Lines::stderr(stop, limit));
    watch.follow(&printer).or_else(|error| watch.ended(error))
}

/// A run with an open page.
struct Watch<'r> {
    path: &'r Path,
    /// How many to print; 0: until stopped.
    events: u64,
    seen: u64,
    reader: &'r Reader,
    guard: Guard,
    stop: &'static Stop,
    limit: Limit,
}

impl Watch<'_> {
    fn follow(&mut self, printer: &Printer) -> Result<()> {
        printer.start(self.path, self.events)?;
        let mut last = 0;
        let mut busy_since = None;
        loop {
            let updates = self.reader.updates().after(last).cancel(self.stop.flag());
            let updates = match self.limit.left() {
                Some(left) => updates.timeout(left),
                None => updates,
            };
            for update in updates {
                let update = match update {
                    Ok(update) => update,
                    Err(error) => {
                        self.go_on(error, &mut busy_since)?;
                        break;
                    }
                };
                busy_since = None;
                last = update.id;
                printer.update(&update)?;
                self.seen += 1;
                if self.seen == self.events {
                    return printer.complete(self.events);
                }
            }
        }
    }

    /// Goes on after a slice of patience; every other error is an end.
    fn go_on(&self, error: shkv2::Error, busy_since: &mut Option<Instant>) -> Result<()> {
        if error.fault() != Fault::Livelocked || self.stop.stopped() {
            return Err(error.into());
        }
        let since = *busy_since.get_or_insert_with(Instant::now); // a slice ago
        if since.elapsed() + SLICE < PATIENCE {
            return Ok(());
        }
        match self.reader.alive() {
            Ok(false) => Err(anyhow!(
                "{error}: no writer is alive; the next one repairs the page"
            )),
            _ => Err(error.into()),
        }
    }

    /// What the end of a run means. `error` is what ended it, which is news only if
    /// it was not the end that was asked for.
    fn ended(&self, error: anyhow::Error) -> Result<()> {
        self.guard.check(self.path, self.reader.check())?;
        let timed_out = error
            .downcast_ref::<shkv2::Error>()
            .is_some_and(|error| error.fault() == Fault::TimedOut);
        let cause = match self.stop.cause() {
            Some(cause) => cause,
            None if timed_out => self.limit.cause(),
            None => error.downcast::<Cause>()?,
        };
        if !matches!(cause, Cause::Signal(_) | Cause::TimedOut(_)) {
            return Err(cause.into());
        }
        let Watch { events, seen, .. } = *self;
        if events == 0 {
            return Ok(());
        }
        let note = match self.reader.alive() {
            Ok(false) => "; no writer is alive",
            _ => "",
        };
        let path = self.path.display();
        Err(anyhow!(
            "{path}: {cause}: {seen} of {events} updates seen{note}"
        ))
    }
}
