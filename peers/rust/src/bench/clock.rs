//! Time, as both processes of a row see it.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// CLOCK_MONOTONIC in nanoseconds: one clock for all processes.
pub fn now() -> i64 {
    since_zero(ClockId::Monotonic).as_nanos() as i64 // enough for 292 years
}

/// The wall clock, since 1970.
pub fn wall() -> Duration {
    since_zero(ClockId::Realtime)
}

fn since_zero(clock: ClockId) -> Duration {
    // A clock before its zero would be no time to measure by.
    Duration::try_from(clock_gettime(clock)).unwrap_or_default()
}
