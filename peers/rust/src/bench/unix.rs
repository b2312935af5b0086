//! unix: the update's id through a socket pair.

use anyhow::{Context, Result};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::stream::StreamSignal;

pub fn make() -> Result<StreamSignal> {
    let flags = SocketFlags::CLOEXEC;
    let pair = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None);
    let (ours, theirs) = pair.context("socketpair")?;
    Ok(StreamSignal::new(ours, theirs, |id| id))
}
