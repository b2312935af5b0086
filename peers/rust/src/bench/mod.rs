//! How long it takes to wake another process, by one kind of kernel object after
//! the other.
//!
//! A row has two processes. The consumer, which is the program itself started
//! again, blocks on the row's channel. The producer publishes round i into the
//! page, and signals, only after the consumer has answered round i-1: so the
//! wake-up is measured, and not the depth of a queue. The latency of a round runs
//! from the stamp inside the published slot to the moment when the consumer holds a
//! consistent copy of that slot.
//!
//! A channel's signal takes the place of W7, the futex wake: every other step of a
//! publish is the same in each row.
//!
//! With one round in flight, a futex consumer often sees the word change before it
//! ever sleeps, while the consumers of the other channels do sleep. Each row
//! therefore counts the rounds in which its consumer slept, and the row
//! futex-parked publishes only when the consumer is known to be asleep.

mod channel;
mod clock;
mod consumer;
mod control;
mod eventfd;
mod futex;
mod leftover;
mod mq;
mod pipe;
mod poll;
mod process;
mod producer;
mod result;
mod stream;
mod unix;

use std::io::{IsTerminal, Write};

use anyhow::{Result, anyhow};
use shkv2::Writer;

use crate::args::BenchArgs;
use crate::error::{Failures, on_page};
use crate::guard::Guard;
use crate::output::Lines;
use crate::stop::{Limit, Stop};

pub use channel::Channels;
pub use consumer::{ConsumerArgs, consume};

use channel::Channel;
use control::Control;
use process::Process;
use producer::Producer;
use result::Row;

/// Rounds unless the command line says otherwise.
const ROUNDS: u64 = 2000;

/// Measures each channel in turn and prints its row. It is the page's writer
/// meanwhile: each round is an update of the page. A channel that can not be
/// measured does not keep the others from it.
pub fn run(args: &BenchArgs) -> Result<()> {
    let stop = Stop::install()?;
    let out = Lines::stdout(stop, Limit::none());
    out.watch_reader()?;
    leftover::remove();
    let mut writer = Writer::create(&args.file).map_err(|e| on_page("create", e))?;
    let guard = Guard::of_writer(&mut writer)?;
    let rounds = args.rounds.unwrap_or(ROUNDS);
    let channels = args.channel.clone().unwrap_or_default();
    let mut failures = Vec::new();
    for channel in channels {
        match measure(stop, &mut writer, guard, channel, rounds) {
            Ok(row) => print(&out, args.json, &row)?,
            Err(error) => {
                failures.push(error.context(format!("bench: {}", channel.name())));
                if stop.stopped() || guard.is_lost() {
                    break;
                }
            }
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(Failures(failures).into())
}

fn print(out: &Lines, json: bool, row: &Row) -> Result<()> {
    if json {
        return out.write(&row.json());
    }
    out.write(format!("{row}\n").as_bytes())?;
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let (slept, unobserved) = (row.slept, row.unobserved);
        let note = format!("       slept in {slept} rounds, {unobserved} unobserved\n");
        let _ = stderr.write_all(note.as_bytes()); // a courtesy
    }
    Ok(())
}

/// Runs one row: it sets the channel up, starts the consumer, and leaves neither
/// behind.
fn measure(
    stop: &Stop,
    writer: &mut Writer,
    guard: Guard,
    channel: Channel,
    rounds: u64,
) -> Result<Row> {
    let mut signal = channel.make()?;
    let (control, shared) = Control::create()?;
    let after = writer.view().as_view().snapshot()?.counter;
    let asked = ConsumerArgs::new(writer.path(), channel, rounds, after);
    let mut consumer = Process::start(asked, &shared, signal.inherited())?;
    signal.started();
    let mut producer = Producer {
        stop,
        writer,
        guard,
        id: after,
        control: &control,
        consumer: &mut consumer,
    };
    let measured = producer.rounds(channel, signal.as_mut(), rounds);
    // Whoever else watches the page missed the wakes of a channel that has its own.
    writer.wake();
    match measured {
        Ok(row) => consumer.end(stop).map(|()| row),
        Err(error) if stop.stopped() || guard.is_lost() => Err(error),
        // A broken channel is the first sign of a consumer that has ended.
        Err(error) => Err(match consumer.reason() {
            Some(why) => anyhow!(why),
            None => error,
        }),
    }
}
