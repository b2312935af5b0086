//! The process that is woken: the program itself, started again by the producer.

use std::io::Read;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use shkv2::protocol::slot_of;
use shkv2::{Reader, SLOTS_COUNT, Slot};

use super::channel::{Channel, Wait, Woken};
use super::control::{Answer, Control};
use super::{clock, mq};
use crate::guard::Guard;

/// What a producer tells its consumer. This command line is no contract.
#[derive(clap::Args, Clone, Debug)]
pub struct ConsumerArgs {
    #[arg(value_parser = crate::args::path())]
    pub file: PathBuf,
    #[arg(long, value_parser = Channel::parse)]
    pub channel: Channel,
    #[arg(long)]
    pub rounds: u64,
    /// The counter of the page before the first round.
    #[arg(long)]
    pub after: u64,
    /// A process id.
    #[arg(long)]
    pub producer: u32,
    /// The descriptor of the control page.
    #[arg(long)]
    pub control: Option<RawFd>,
    /// The descriptor of the channel's other end, where it has one.
    #[arg(long)]
    pub end: Option<RawFd>,
}

impl ConsumerArgs {
    /// Asks for a row of the calling process; the descriptors are to be added.
    pub fn new(file: &Path, channel: Channel, rounds: u64, after: u64) -> ConsumerArgs {
        ConsumerArgs {
            file: file.into(),
            channel,
            rounds,
            after,
            producer: std::process::id(),
            control: None,
            end: None,
        }
    }
}

/// The descriptors that a consumer begins with, beside the standard ones.
pub struct Inherited {
    control: OwnedFd,
    end: Option<OwnedFd>,
}

impl Inherited {
    fn claim(args: &ConsumerArgs) -> Result<Inherited> {
        let control = args.control.context("no control page")?;
        if args.end == Some(control) {
            bail!("one descriptor for two purposes");
        }
        Ok(Inherited {
            control: claim(control)?,
            end: args.end.map(claim).transpose()?,
        })
    }

    /// The channel's other end.
    pub fn channel(self) -> Result<OwnedFd> {
        self.end.context("no descriptor of a channel")
    }
}

/// Takes over an open descriptor that is not one of the standard ones.
fn claim(fd: RawFd) -> Result<OwnedFd> {
    if fd <= 2 {
        bail!("descriptor {fd}");
    }
    // SAFETY: not -1; only asked whether it is open.
    rustix::io::fcntl_getfd(unsafe { BorrowedFd::borrow_raw(fd) })
        .with_context(|| format!("descriptor {fd}"))?;
    // SAFETY: open, and left open by the producer for this process; it is claimed
    // before anything is opened here, so nothing else here owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// A consumer at work.
pub struct Consumer {
    pub reader: Reader,
    pub control: Control,
    guard: Guard,
    /// The counter of the page before the first round.
    after: u64,
}

/// Answers the rounds of a producer. It ends after them, and with the producer.
pub fn consume(args: ConsumerArgs) -> Result<()> {
    let inherited = Inherited::claim(&args).and_then(|i| Ok((Control::inherit(&i.control)?, i)));
    let (control, inherited) =
        inherited.map_err(|e| anyhow!("{e:#}: it is bench that starts this command"))?;
    end_with_producer(args.producer)?;
    let reader = Reader::open(&args.file)?;
    let guard = Guard::of_reader(&reader, None)?;
    let mut wait = args.channel.join(inherited, args.producer)?;
    let consumer = Consumer {
        reader,
        control,
        guard,
        after: args.after,
    };
    consumer.rounds(wait.as_mut(), args.rounds)
}

/// Ends this process when the producer ends, however that came about: standard
/// input ends with it. After a SIGKILL there is nobody else to remove its queue.
fn end_with_producer(producer: u32) -> Result<()> {
    let watch = move || {
        let mut sink = [0u8; 1];
        while matches!(std::io::stdin().read(&mut sink), Ok(1..)) {}
        mq::unlink(producer); // in most rows there is none
        // The main thread may block in a call that nothing else ends.
        std::process::exit(1)
    };
    thread::Builder::new()
        .spawn(watch)
        .context("start a thread")?;
    Ok(())
}

impl Consumer {
    fn rounds(&self, wait: &mut dyn Wait, rounds: u64) -> Result<()> {
        let mut switches = voluntary_switches()?;
        self.control.ready();
        for round in 1..=rounds {
            let woken = wait.wait(self, round)?;
            let latency = self.observe(round)?;
            let before = switches;
            switches = voluntary_switches()?;
            let answer = Answer {
                latency,
                slept: switches != before,
                parked: woken == Woken::Parked,
            };
            self.control.answer(round, answer);
        }
        Ok(())
    }

    /// Whether the update of a round is there.
    pub fn has_come(&self, round: u64) -> Result<bool> {
        let (counter, _) = self.look(round)?;
        Ok(counter.wrapping_sub(self.id(round)) as i64 >= 0)
    }

    /// Copies the record of a round and returns how old it is in nanoseconds.
    fn observe(&self, round: u64) -> Result<i64> {
        let (counter, slot) = self.look(round)?;
        let now = clock::now();
        let (path, id) = (self.reader.path().display(), self.id(round));
        if counter != id {
            bail!("{path}: update {counter} is the newest, want {id}");
        }
        let stamp = slot.value().as_str().ok().and_then(|v| v.parse().ok());
        let stamp: i64 = stamp.with_context(|| format!("{path}: update {id} has no stamp"))?;
        Ok(now - stamp)
    }

    fn look(&self, round: u64) -> Result<(u64, Slot)> {
        let mut slot = Slot::default();
        let i = slot_of(self.id(round), SLOTS_COUNT);
        let counter = self.reader.slot_into(i, &mut slot);
        if self.guard.is_lost() {
            self.guard.check(self.reader.path(), self.reader.check())?;
        }
        Ok((counter?, slot))
    }

    /// The update of a round.
    pub fn id(&self, round: u64) -> u64 {
        self.after.wrapping_add(round)
    }
}

/// Counts how often this thread gave up its processor.
fn voluntary_switches() -> Result<i64> {
    // SAFETY: all zero is a rusage, and the kernel fills a whole one.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_THREAD, &mut usage) != 0 {
            return Err(std::io::Error::last_os_error()).context("getrusage");
        }
        usage
    };
    Ok(usage.ru_nvcsw as i64)
}
