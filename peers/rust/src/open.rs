//! Opening a page, and waiting for one to appear.

use std::time::{Duration, Instant};

use anyhow::anyhow;
use shkv2::{Fault, Reader};

use crate::args::WatchArgs;
use crate::error::on_page;
use crate::stop::{Cause, Limit, Stop};

/// How often a file that is waited for is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(25);

/// How long a file of the wrong size or without the magic may be one whose writer
/// has not finished it. No writer of this project shows such a file, but others may
/// open, resize and format in place.
const HALF_MADE: Duration = Duration::from_secs(2);

/// Why there is no page.
pub enum Refused {
    /// An endless run was stopped, which is no failure.
    Stopped,
    /// Anything else.
    Failed(anyhow::Error),
}

/// Opens the page, and waits for it where the command line says so.
pub fn open(args: &WatchArgs, stop: &Stop, limit: Limit) -> Result<Reader, Refused> {
    let mut half_made: Option<Instant> = None;
    loop {
        let error = match Reader::open(&args.file) {
            Ok(reader) => return Ok(reader),
            Err(error) => error,
        };
        let is_final = match error.fault() {
            Fault::NotFound => {
                half_made = None;
                false
            }
            Fault::WrongSize { .. } | Fault::BadMagic { .. } => {
                half_made.get_or_insert_with(Instant::now).elapsed() > HALF_MADE
            }
            _ => true,
        };
        if is_final || !args.wait {
            return Err(Refused::Failed(on_page("open", error)));
        }
        let pause = limit.left().map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY));
        let waited = stop.wait_for(None, Some(pause));
        waited.map_err(|e| Refused::Failed(e.into()))?;
        let cause = match stop.cause() {
            Some(cause) => cause,
            None if limit.is_over() => limit.cause(),
            None => continue,
        };
        return Err(gave_up(args, error, cause));
    }
}

fn gave_up(args: &WatchArgs, error: shkv2::Error, cause: Cause) -> Refused {
    let endless = args.events.unwrap_or(0) == 0;
    match cause {
        Cause::Signal(_) if endless => Refused::Stopped,
        Cause::Signal(_) | Cause::TimedOut(_) => {
            let path = args.file.display();
            let why = on_page("open", error);
            Refused::Failed(anyhow!("{path}: {cause} while waiting for the file: {why}"))
        }
        other => Refused::Failed(other.into()),
    }
}
