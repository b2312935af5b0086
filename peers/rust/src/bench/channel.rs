//! The table of channels.

use std::fmt;
use std::os::fd::BorrowedFd;

use anyhow::Result;
use shkv2::{Slot, Writer};

use super::consumer::{Consumer, Inherited};
use super::futex::{FutexSignal, FutexWait};
use super::mq::{QueueSignal, QueueWait};
use super::poll::{PollSignal, PollWait};
use super::stream::StreamWait;
use super::{eventfd, pipe, unix};

/// The producer's end of a channel. Dropped, it leaves nothing in the system.
pub trait Signal {
    /// Publishes a record, signals it, and returns its id.
    fn publish(&mut self, writer: &mut Writer, record: &Slot) -> Result<u64>;

    /// The descriptor that the consumer's end needs.
    fn inherited(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// The consumer has its own copy of that descriptor now.
    fn started(&mut self) {}
}

/// The consumer's end of a channel.
pub trait Wait {
    /// Blocks until the channel says that the update of a round is there.
    fn wait(&mut self, consumer: &Consumer, round: u64) -> Result<Woken>;
}

/// What a wait can tell about its own end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Woken {
    /// A FUTEX_WAIT was ended by a wake: the consumer was parked.
    Parked,
    /// Anything else.
    Somehow,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    Futex,
    FutexParked,
    Pipe,
    Eventfd,
    Mq,
    Unix,
    Poll,
}

impl Channel {
    /// All of them, in the order of `--channel all`.
    const ALL: [Channel; 7] = [
        Channel::Futex,
        Channel::FutexParked,
        Channel::Pipe,
        Channel::Eventfd,
        Channel::Mq,
        Channel::Unix,
        Channel::Poll,
    ];

    /// What the command line and the rows call it.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Futex => "futex",
            Channel::FutexParked => "futex-parked",
            Channel::Pipe => "pipe",
            Channel::Eventfd => "eventfd",
            Channel::Mq => "mq",
            Channel::Unix => "unix",
            Channel::Poll => "poll",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Result<Channel, String> {
        let found = Channel::ALL.into_iter().find(|c| c.name() == name);
        let names = Channel::ALL.map(Channel::name).join(",");
        found.ok_or_else(|| format!("{name:?} is not a channel, want all or some of {names}"))
    }

    /// Whether it publishes only to a consumer that is asleep, and counts no other
    /// round.
    pub fn is_parked(self) -> bool {
        self == Channel::FutexParked
    }

    /// Makes the producer's end.
    pub fn make(self) -> Result<Box<dyn Signal>> {
        Ok(match self {
            Channel::Futex | Channel::FutexParked => Box::new(FutexSignal),
            Channel::Pipe => Box::new(pipe::make()?),
            Channel::Eventfd => Box::new(eventfd::make()?),
            Channel::Mq => Box::new(QueueSignal::make()?),
            Channel::Unix => Box::new(unix::make()?),
            Channel::Poll => Box::new(PollSignal),
        })
    }

    /// Makes the consumer's end, of what the producer passed on.
    pub fn join(self, inherited: Inherited, producer: u32) -> Result<Box<dyn Wait>> {
        Ok(match self {
            Channel::Futex | Channel::FutexParked => Box::new(FutexWait::new(self.is_parked())),
            Channel::Pipe | Channel::Eventfd | Channel::Unix => {
                Box::new(StreamWait::new(inherited.channel()?))
            }
            Channel::Mq => Box::new(QueueWait::join(producer)?),
            Channel::Poll => Box::new(PollWait),
        })
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value of `--channel`: names with commas between them, or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channels(Vec<Channel>);

impl Default for Channels {
    fn default() -> Self {
        Channels(vec![Channel::Futex])
    }
}

impl Channels {
    /// Reads a value.
    pub fn parse(text: &str) -> Result<Channels, String> {
        if text == "all" {
            return Ok(Channels(Channel::ALL.into()));
        }
        let mut channels = Vec::new();
        for name in text.split(',') {
            let channel = Channel::parse(name)?;
            if channels.contains(&channel) {
                return Err(format!("{name} is given twice"));
            }
            channels.push(channel);
        }
        Ok(Channels(channels))
    }
}

impl IntoIterator for Channels {
    type Item = Channel;
    type IntoIter = std::vec::IntoIter<Channel>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names() {
        let all = Channels::parse("all").unwrap();
        let names: Vec<&str> = all.clone().into_iter().map(Channel::name).collect();
        assert_eq!(Channels::parse(&names.join(",")), Ok(all));
        assert_eq!(
            Channels::parse("poll,mq"),
            Ok(Channels(vec![Channel::Poll, Channel::Mq]))
        );
        for bad in [
            "",
            "nope",
            "futex,",
            "futex,nope",
            "mq,mq",
            "all,mq",
            "Futex",
            " futex",
        ] {
            assert!(Channels::parse(bad).is_err(), "{bad:?}");
        }
    }
}
