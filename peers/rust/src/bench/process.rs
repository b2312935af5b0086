//! A running consumer, as its producer sees it.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::io::FdFlags;

use super::consumer::ConsumerArgs;
use super::producer::TOO_SLOW;
use crate::args::PROGRAM;
use crate::stop::Stop;

/// What there is to say of a consumer that has ended.
pub const GONE: &str = "the consumer is gone";

/// A consumer that has answered its last round has only to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// A consumer process; dropped, nothing is left of it, whatever it was doing.
pub struct Process {
    child: Child,
    /// Of its main thread in /proc.
    stat: File,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill(); // it may have ended
        let _ = self.child.wait();
    }
}

impl Process {
    /// Runs the program again as a consumer. Its standard input is its lifeline: it
    /// ends when this process does.
    pub fn start(
        args: ConsumerArgs,
        control: &impl AsFd,
        end: Option<BorrowedFd>,
    ) -> Result<Process> {
        for fd in [Some(control.as_fd()), end].into_iter().flatten() {
            // Both are closed here before another consumer starts.
            rustix::io::fcntl_setfd(fd, FdFlags::empty()).context("fcntl")?;
        }
        // The path of the program may name another file by now; this link does not.
        let mut command = Command::new("/proc/self/exe");
        let own_name = std::env::args_os().next();
        command
            .arg0(own_name.unwrap_or_else(|| OsString::from(PROGRAM)))
            .arg("bench-consumer")
            .arg(format!("--channel={}", args.channel))
            .arg(format!("--rounds={}", args.rounds))
            .arg(format!("--after={}", args.after))
            .arg(format!("--producer={}", args.producer))
            .arg(format!("--control={}", control.as_fd().as_raw_fd()))
            .args(end.map(|fd| format!("--end={}", fd.as_raw_fd())))
            .arg("--")
            .arg(&args.file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            // Signals of the terminal are the producer's to handle.
            .process_group(0);
        let mut child = command.spawn().context("start the consumer")?;
        let stat = format!("/proc/{0}/task/{0}/stat", child.id());
        match File::open(&stat).context(stat) {
            Ok(stat) => Ok(Process { child, stat }),
            Err(error) => {
                let _ = child.kill(); // it may have ended
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Whether it has ended.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for one that has answered its last round.
    pub fn end(&mut self, stop: &Stop) -> Result<()> {
        match self.wait(PATIENCE, Some(stop)) {
            Some(status) if status.success() => Ok(()),
            Some(status) => bail!(self.last_words(status)),
            None => match stop.cause() {
                Some(cause) => Err(cause.into()),
                None => bail!(TOO_SLOW),
            },
        }
    }

    /// Says why it has ended, if it has not ended well. Waits a moment, because a
    /// broken channel is the first sign of an end.
    pub fn reason(&mut self) -> Option<String> {
        let status = self.wait(Duration::from_secs(1), None)?;
        (!status.success()).then(|| self.last_words(status))
    }

    fn wait(&mut self, patience: Duration, stop: Option<&Stop>) -> Option<ExitStatus> {
        let begin = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if begin.elapsed() >= patience || stop.is_some_and(Stop::stopped) {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Its first line on standard error, or else how it ended.
    fn last_words(&mut self, status: ExitStatus) -> String {
        let mut words = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            let _ = stderr.read_to_string(&mut words); // what there is
        }
        let line = words.lines().next().unwrap_or_default();
        // The name of the program is ours too.
        let line = line.strip_prefix(PROGRAM).unwrap_or(line);
        match line.trim_start_matches(": ") {
            "" => format!("{GONE}: {status}"),
            line => format!("{GONE}: {line}"),
        }
    }

    /// Whether its main thread is in an interruptible sleep, by the third field of
    /// /proc/PID/task/TID/stat (proc_pid_stat(5)).
    pub fn is_asleep(&self) -> Result<bool> {
        let mut text = [0u8; 128];
        let n = self.stat.read_at(&mut text, 0).context("read /proc")?;
        // The second field, the name, is in parentheses and may hold anything.
        let name_end = text[..n].iter().rposition(|&b| b == b')');
        Ok(name_end.is_some_and(|at| text[..n].get(at + 2) == Some(&b'S')))
    }
}
