//! The end of a run, wherever it comes from: a signal, a reader who has left, a
//! file cut short. Every way out then passes the same destructors.

use std::fmt;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec};
use rustix::io::Errno;

use crate::duration::Shown;
use crate::signal::{Ends, Signal, Sleeper};

/// Why a run ends before it is done.
#[derive(Clone, Debug)]
pub enum Cause {
    /// A signal asked for it.
    Signal(Signal),
    /// The time of the whole run is up.
    TimedOut(Duration),
    /// Nobody reads the output any more: nobody is to be told either.
    ReaderLeft,
    /// The page is gone.
    Lost(shkv2::Error),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Signal(signal) => write!(f, "stopped by {signal}"),
            Cause::TimedOut(after) => write!(f, "timed out after {}", Shown(*after)),
            Cause::ReaderLeft => f.write_str("nobody reads the output any more"),
            Cause::Lost(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Cause {}

/// Whether a run has to end. There is one for the process.
pub struct Stop {
    flag: AtomicBool,
    cause: OnceLock<Cause>,
    /// Readable once the flag is set: what poll(2) waits for beside other things.
    event: OwnedFd,
    main: Sleeper,
}

impl Stop {
    /// Takes the signals over. To be called by the thread that does the work,
    /// before there is another one.
    pub fn install() -> Result<&'static Stop> {
        let ends = Ends::keep_back().context("signals")?;
        let stop: &'static Stop = Box::leak(Box::new(Stop {
            flag: AtomicBool::new(false),
            cause: OnceLock::new(),
            event: rustix::event::eventfd(0, EventfdFlags::CLOEXEC).context("eventfd")?,
            main: Sleeper::this_thread().context("signals")?,
        }));
        stop.spawn("signals", move || Some(Cause::Signal(ends.wait())))?;
        Ok(stop)
    }

    /// Lets a thread look for a cause to end.
    pub fn spawn(
        &'static self,
        name: &str,
        look: impl FnOnce() -> Option<Cause> + Send + 'static,
    ) -> Result<()> {
        let run = move || {
            if let Some(cause) = look() {
                self.raise(cause);
            }
        };
        let thread = thread::Builder::new().name(name.into());
        thread.spawn(run).context("start a thread")?;
        Ok(())
    }

    /// Ends the run. The first cause counts.
    fn raise(&self, cause: Cause) {
        if self.cause.set(cause).is_err() {
            return;
        }
        self.flag.store(true, Ordering::Release); // pairs with the load in stopped
        let _ = rustix::io::write(&self.event, &1u64.to_ne_bytes()); // there is room for a 1
        // The main thread may be about to sleep on a futex, after its last look at
        // the flag: one nudge could come too early for that sleep.
        loop {
            self.main.nudge();
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The flag, for whoever sleeps until it is set and interrupted.
    pub fn flag(&'static self) -> &'static AtomicBool {
        &self.flag
    }

    /// Whether the run has to end.
    pub fn stopped(&self) -> bool {
        self.flag.load(Ordering::Acquire) // pairs with the store in raise
    }

    /// Why the run has to end, once it has to.
    pub fn cause(&self) -> Option<Cause> {
        self.cause.get().cloned()
    }

    /// Waits for the end or until `fd` is ready for `events`, at most `timeout`
    /// (nothing: for ever). True if `fd` is ready, or has an error to tell.
    pub fn wait_for(
        &self,
        fd: Option<(BorrowedFd, PollFlags)>,
        timeout: Option<Duration>,
    ) -> rustix::io::Result<bool> {
        let end = timeout.and_then(|t| Instant::now().checked_add(t));
        let stop = PollFd::new(&self.event, PollFlags::IN);
        let other = fd.map(|(fd, events)| PollFd::from_borrowed_fd(fd, events));
        let asked = other.is_some();
        let mut fds = [stop.clone(), other.unwrap_or(stop)];
        loop {
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            // More than the system can count is for ever.
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            match rustix::event::poll(&mut fds, left.as_ref()) {
                Err(Errno::INTR) => {}
                Err(error) => return Err(error),
                Ok(_) => return Ok(asked && !fds[1].revents().is_empty()),
            }
        }
    }
}

/// The time that a whole run may take.
#[derive(Clone, Copy)]
pub struct Limit {
    after: Duration,
    end: Option<Instant>,
}

impl Limit {
    /// No limit.
    pub fn none() -> Limit {
        Limit::after(Duration::ZERO)
    }

    /// A limit from now on; a time of zero, or one too far to count, is none.
    pub fn after(after: Duration) -> Limit {
        let end = (!after.is_zero()).then(|| Instant::now().checked_add(after));
        let end = end.flatten();
        Limit { after, end }
    }

    /// What is left, zero when the time is up; nothing where there is no limit.
    pub fn left(&self) -> Option<Duration> {
        self.end
            .map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is up.
    pub fn is_over(&self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }

    /// What it means when the time is up.
    pub fn cause(&self) -> Cause {
        Cause::TimedOut(self.after)
    }
}
