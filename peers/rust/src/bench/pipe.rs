//! pipe: the update's id through a pipe.

use anyhow::{Context, Result};
use rustix::pipe::{PipeFlags, pipe_with};

use super::stream::StreamSignal;

pub fn make() -> Result<StreamSignal> {
    let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC).context("pipe2")?;
    Ok(StreamSignal::new(ours, theirs, |id| id))
}
