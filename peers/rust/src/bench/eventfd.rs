//! eventfd: a counter that is raised by one, and read back to zero.

use anyhow::{Context, Result};
use rustix::event::EventfdFlags;
use rustix::io::fcntl_dupfd_cloexec;

use super::stream::StreamSignal;

pub fn make() -> Result<StreamSignal> {
    let ours = rustix::event::eventfd(0, EventfdFlags::CLOEXEC).context("eventfd2")?;
    let theirs = fcntl_dupfd_cloexec(&ours, 0).context("fcntl")?;
    Ok(StreamSignal::new(ours, theirs, |_| 1))
}
