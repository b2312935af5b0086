//! Lines, written so that whoever reads them gets each at once, and so that a
//! reader who does not read, or has left, never keeps the program from ending.

use std::os::fd::BorrowedFd;

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::FileType;
use rustix::io::Errno;

use crate::stop::{Cause, Limit, Stop};

/// Writes whole lines, one write(2) each.
pub struct Lines {
    name: &'static str,
    fd: BorrowedFd<'static>,
    stop: &'static Stop,
    limit: Limit,
}

impl Lines {
    /// Standard output. A write that blocks ends with the run, or with its limit.
    pub fn stdout(stop: &'static Stop, limit: Limit) -> Lines {
        Lines::new("/dev/stdout", rustix::stdio::stdout(), stop, limit)
    }

    /// Standard error, likewise.
    pub fn stderr(stop: &'static Stop, limit: Limit) -> Lines {
        Lines::new("/dev/stderr", rustix::stdio::stderr(), stop, limit)
    }

    fn new(
        name: &'static str,
        fd: BorrowedFd<'static>,
        stop: &'static Stop,
        limit: Limit,
    ) -> Lines {
        Lines {
            name,
            fd,
            stop,
            limit,
        }
    }

    /// Writes one line, its newline included.
    pub fn write(&self, mut line: &[u8]) -> Result<()> {
        while !line.is_empty() {
            self.ready()?;
            match rustix::io::write(self.fd, line) {
                Ok(n) => line = &line[n..],
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(error) => return Err(error).with_context(|| format!("write {}", self.name)),
            }
        }
        Ok(())
    }

    /// Waits until a write of up to PIPE_BUF (4096) bytes will not block, or has an
    /// error to tell.
    fn ready(&self) -> Result<()> {
        let fd = Some((self.fd, PollFlags::OUT));
        let ready = self.stop.wait_for(fd, self.limit.left());
        if ready.with_context(|| format!("poll {}", self.name))? {
            return Ok(());
        }
        Err(self.stop.cause().unwrap_or(self.limit.cause()).into())
    }

    /// Ends the run when the reader of a pipe or socket closes its end, at once and
    /// not at the next write.
    pub fn watch_reader(&self) -> Result<()> {
        let Ok(stat) = rustix::fs::fstat(self.fd) else {
            return Ok(()); // the first write will say so
        };
        if !matches!(
            FileType::from_raw_mode(stat.st_mode),
            FileType::Fifo | FileType::Socket
        ) {
            return Ok(());
        }
        let fd = self.fd;
        self.stop.spawn("reader", move || {
            // No events asked for: errors and hang-ups are always told.
            let mut fds = [PollFd::from_borrowed_fd(fd, PollFlags::empty())];
            while let Err(Errno::INTR) = rustix::event::poll(&mut fds, None) {}
            let left = PollFlags::ERR | PollFlags::HUP;
            fds[0]
                .revents()
                .intersects(left)
                .then_some(Cause::ReaderLeft)
        })
    }
}
