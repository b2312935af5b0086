//! What a row says.

use std::fmt;

use anyhow::{Result, anyhow};
use hdrhistogram::Histogram;

use super::channel::Channel;
use crate::json::Object;

/// One row. Microseconds are rounded down.
pub struct Row {
    channel: Channel,
    rounds: u64,
    // Latencies in nanoseconds.
    p50: u64,
    p90: u64,
    p99: u64,
    max: u64,
    /// The rounds in which the consumer's thread gave up its processor.
    pub slept: u64,
    /// The rounds of which there is no latency.
    pub unobserved: u64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row {
            channel, rounds, ..
        } = self;
        let (p50, p99) = (self.p50 / 1000, self.p99 / 1000);
        write!(
            f,
            "bench: channel={channel} rounds={rounds} p50_us={p50} p99_us={p99}"
        )
    }
}

impl Row {
    /// The row as a JSON object, in one line.
    pub fn json(&self) -> Vec<u8> {
        let mut object = Object::new();
        object.text("channel", self.channel.name().as_bytes());
        object.number("rounds", self.rounds);
        object.number("p50_us", self.p50 / 1000);
        object.number("p99_us", self.p99 / 1000);
        object.number("p50_ns", self.p50);
        object.number("p90_ns", self.p90);
        object.number("p99_ns", self.p99);
        object.number("max_ns", self.max);
        object.number("slept", self.slept);
        object.number("unobserved", self.unobserved);
        object.line()
    }
}

/// The longest latency told apart from longer ones: a minute.
const LONGEST: u64 = 60_000_000_000;

/// How many digits of each latency count.
const DIGITS: u8 = 3;

/// Collects the rounds of a row.
pub struct Tally {
    latencies: Histogram<u64>,
    pub slept: u64,
}

impl Tally {
    pub fn new() -> Result<Tally> {
        let latencies = Histogram::new_with_bounds(1, LONGEST, DIGITS);
        let latencies = latencies.map_err(|e| anyhow!("histogram: {e:?}"))?;
        Ok(Tally {
            latencies,
            slept: 0,
        })
    }

    /// Counts a latency in nanoseconds.
    pub fn add(&mut self, ns: i64) {
        let ns = u64::try_from(ns).unwrap_or(0).min(LONGEST);
        self.latencies.saturating_record(ns);
    }

    pub fn row(&self, channel: Channel, rounds: u64) -> Row {
        let at = |q| self.latencies.value_at_quantile(q);
        Row {
            channel,
            rounds,
            p50: at(0.50),
            p90: at(0.90),
            p99: at(0.99),
            max: self.latencies.max(),
            slept: self.slept,
            unobserved: rounds - self.latencies.len(),
        }
    }
}
