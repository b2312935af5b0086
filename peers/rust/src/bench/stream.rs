//! Messages of 8 bytes over descriptors: what pipe, eventfd and unix share.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use anyhow::{Context, Result, bail};
use rustix::io::Errno;
use shkv2::{Slot, Writer};

use super::channel::{Signal, Wait, Woken};
use super::consumer::Consumer;
use super::process::GONE;

/// The producer's end. The descriptors block.
pub struct StreamSignal {
    ours: OwnedFd,
    theirs: Option<OwnedFd>,
    message: fn(id: u64) -> u64,
}

impl StreamSignal {
    pub fn new(ours: OwnedFd, theirs: OwnedFd, message: fn(id: u64) -> u64) -> StreamSignal {
        StreamSignal {
            ours,
            theirs: Some(theirs),
            message,
        }
    }
}

impl Signal for StreamSignal {
    fn publish(&mut self, writer: &mut Writer, record: &Slot) -> Result<u64> {
        let id = writer.view().publish_record(record); // W1..W6
        let message = (self.message)(id).to_ne_bytes();
        loop {
            // 8 bytes go whole or not at all: there is room for them.
            match rustix::io::write(&self.ours, &message) {
                Ok(_) => return Ok(id),
                Err(Errno::INTR) => {}
                Err(Errno::PIPE | Errno::CONNRESET) => bail!(GONE),
                Err(error) => return Err(error).context("write"),
            }
        }
    }

    fn inherited(&self) -> Option<BorrowedFd<'_>> {
        self.theirs.as_ref().map(AsFd::as_fd)
    }

    /// Closes the consumer's end here, so that its death is an error for a write,
    /// and ours an end of file for its read.
    fn started(&mut self) {
        self.theirs = None;
    }
}

/// The consumer's end.
pub struct StreamWait(OwnedFd);

impl StreamWait {
    pub fn new(fd: OwnedFd) -> StreamWait {
        StreamWait(fd)
    }
}

impl Wait for StreamWait {
    fn wait(&mut self, _: &Consumer, _: u64) -> Result<Woken> {
        let mut message = [0u8; 8];
        let mut at = 0;
        while at < message.len() {
            match rustix::io::read(&self.0, &mut message[at..]) {
                Ok(0) => bail!("the producer is gone"),
                Ok(n) => at += n,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error).context("read"),
            }
        }
        Ok(Woken::Somehow)
    }
}
