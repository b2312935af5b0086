//! Lines `key=value` of standard input, published as they come.

use anyhow::{Context, Result, bail};
use rustix::event::PollFlags;
use rustix::io::Errno;

use crate::args::PROGRAM;
use crate::output::Lines;
use crate::pair::Pair;
use crate::serve::Server;
use crate::stop::{Limit, Stop};

/// Publishes each line until the input or the run ends. A line that does not fit is
/// never cut: it is reported with its number, skipped, and makes the result an
/// error at the end.
pub fn publish(server: &mut Server, stop: &'static Stop) -> Result<()> {
    let mut lines = Input {
        server,
        notes: Lines::stderr(stop, Limit::none()),
        pair: Pair::new(),
        begun: false,
        total: 0,
        refused: 0,
    };
    let input = rustix::stdio::stdin();
    let mut buffer = [0u8; 4096];
    loop {
        stop.wait_for(Some((input, PollFlags::IN)), None)?;
        if stop.stopped() {
            break; // a line that has begun is not whole
        }
        match rustix::io::read(input, &mut buffer) {
            Ok(0) => {
                lines.end()?;
                break;
            }
            Ok(n) => lines.feed(&buffer[..n])?,
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error).context("read /dev/stdin"),
        }
    }
    match (lines.refused, lines.total) {
        (0, _) => Ok(()),
        (refused, total) => bail!("{refused} of {total} lines refused"),
    }
}

/// What has become of the input so far.
struct Input<'s> {
    server: &'s mut Server,
    notes: Lines,
    pair: Pair,
    begun: bool,
    total: u64,
    refused: u64,
}

impl Input<'_> {
    /// Takes the next bytes: pieces of lines, so that a huge one needs no more
    /// memory than another.
    fn feed(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            self.begun = true;
            match piece.strip_suffix(b"\n") {
                Some(last) => {
                    self.pair.feed(last);
                    self.line()?;
                }
                None => self.pair.feed(piece),
            }
        }
        Ok(())
    }

    /// The last line needs no newline.
    fn end(&mut self) -> Result<()> {
        if self.begun { self.line() } else { Ok(()) }
    }

    fn line(&mut self) -> Result<()> {
        self.begun = false;
        self.total += 1;
        let pair = std::mem::replace(&mut self.pair, Pair::new());
        let Err(fault) = pair.check() else {
            return self.server.publish(pair.key(), pair.value());
        };
        self.refused += 1;
        let note = format!("{PROGRAM}: line {}: refused: {fault}\n", self.total);
        // The exit code tells too: notes that nobody takes are no failure.
        let _ = self.notes.write(note.as_bytes());
        Ok(())
    }
}
