//! Time, as both processes of a row see it.

use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

/// CLOCK_MONOTONIC in nanoseconds: one clock for all processes.
pub fn now() -> i64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// An absolute time of the wall clock, from now on.
pub fn wall(ahead: Duration) -> Timespec {
    let now = clock_gettime(ClockId::Realtime);
    let ns = now.tv_nsec + i64::from(ahead.subsec_nanos());
    Timespec {
        tv_sec: now.tv_sec + ahead.as_secs() as i64 + ns / 1_000_000_000,
        tv_nsec: (ns % 1_000_000_000) as _,
    }
}
