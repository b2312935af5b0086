//! mq: the update's id through a POSIX message queue.

use std::ffi::CString;
use std::io;
use std::mem;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use libc::{c_long, c_uint, mqd_t};
use rustix::process::{Resource, getrlimit};
use shkv2::{Slot, Writer};

use super::channel::{Signal, Wait, Woken};
use super::clock;
use super::consumer::Consumer;
use super::producer::TOO_SLOW;

/// With the producer's process id it names a queue.
pub const PREFIX: &str = "shmkv-bench-";

/// How long one send or receive may block.
const SLICE: Duration = Duration::from_secs(1);

/// A message: the update's id.
type Message = [u8; mem::size_of::<u64>()];

/// How many messages a queue holds.
const MESSAGES: c_long = 8;

/// A name without the slash that the C library insists on; the kernel takes none.
fn name(producer: u32) -> String {
    format!("{PREFIX}{producer}")
}

fn path(producer: u32) -> CString {
    CString::new(format!("/{}", name(producer))).unwrap_or_default() // no NUL in it
}

/// Removes the queue of a producer, if there is one and it is ours.
pub fn unlink(producer: u32) {
    // SAFETY: a name that ends in NUL and outlives the call.
    unsafe { libc::mq_unlink(path(producer).as_ptr()) };
}

/// An open queue.
struct Queue {
    name: String,
    mqd: mqd_t,
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: open, and nothing uses it any more.
        unsafe { libc::mq_close(self.mqd) };
    }
}

impl Queue {
    /// Makes the queue of this process.
    fn create(producer: u32) -> io::Result<Queue> {
        // SAFETY: all zero is an mq_attr.
        let mut attr: libc::mq_attr = unsafe { mem::zeroed() };
        attr.mq_maxmsg = MESSAGES as _;
        attr.mq_msgsize = mem::size_of::<Message>() as _;
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;
        let (path, mode) = (path(producer), 0o600 as c_uint);
        // SAFETY: with O_CREAT the call takes a mode and an mq_attr; the name ends
        // in NUL; both outlive the call.
        let mqd = unsafe { libc::mq_open(path.as_ptr(), flags, mode, &raw const attr) };
        Queue::opened(producer, mqd)
    }

    /// Opens the queue of a producer.
    fn open(producer: u32) -> io::Result<Queue> {
        let path = path(producer);
        // SAFETY: the name ends in NUL and outlives the call.
        let mqd = unsafe { libc::mq_open(path.as_ptr(), libc::O_RDWR) };
        Queue::opened(producer, mqd)
    }

    fn opened(producer: u32, mqd: mqd_t) -> io::Result<Queue> {
        if mqd == -1 {
            return Err(io::Error::last_os_error());
        }
        let name = name(producer);
        Ok(Queue { name, mqd })
    }

    /// Sends a message, blocking one slice at most: false then.
    fn send(&self, id: u64) -> io::Result<bool> {
        let message: Message = id.to_ne_bytes();
        let deadline = deadline();
        // SAFETY: the message and the time outlive the call, which only reads them.
        let sent = unsafe {
            let from = message.as_ptr().cast();
            libc::mq_timedsend(self.mqd, from, message.len(), 0, &deadline)
        };
        match sent {
            0 => Ok(true),
            _ => timed_out(),
        }
    }

    /// Takes a message, blocking one slice at most: nothing then.
    fn receive(&self) -> io::Result<Option<u64>> {
        let mut message = Message::default();
        let mut priority: c_uint = 0;
        let deadline = deadline();
        // SAFETY: the message has the room that the queue's messages need.
        let taken = unsafe {
            let to = message.as_mut_ptr().cast();
            libc::mq_timedreceive(self.mqd, to, message.len(), &mut priority, &deadline)
        };
        match taken {
            0.. => Ok(Some(u64::from_ne_bytes(message))),
            _ => timed_out().map(|_| None),
        }
    }
}

/// Whether a call ended without its time being up.
fn timed_out() -> io::Result<bool> {
    let error = io::Error::last_os_error();
    match error.kind() {
        io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Ok(false),
        _ => Err(error),
    }
}

fn deadline() -> libc::timespec {
    let at = clock::wall() + SLICE;
    libc::timespec {
        tv_sec: at.as_secs() as _,
        tv_nsec: at.subsec_nanos() as _,
    }
}

/// The producer's end.
pub struct QueueSignal(Queue);

impl QueueSignal {
    /// Makes the queue of this process. One that is there already was left by a dead
    /// process that had the same id, and may hold its messages.
    pub fn make() -> Result<QueueSignal> {
        let own = std::process::id();
        let made = match Queue::create(own) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                unlink(own);
                Queue::create(own)
            }
            made => made,
        };
        made.map(QueueSignal).map_err(|e| refused(own, e))
    }
}

impl Drop for QueueSignal {
    fn drop(&mut self) {
        unlink(std::process::id());
    }
}

/// Names the limit that was reached where the error alone reads "too many open
/// files".
fn refused(producer: u32, error: io::Error) -> anyhow::Error {
    let attempt = format!("mq_open {}", name(producer));
    let limit = match error.raw_os_error() {
        // Its other meaning is that this process has too many files open.
        Some(libc::EMFILE) if std::fs::File::open("/").is_ok() => getrlimit(Resource::Msgqueue),
        _ => return anyhow::Error::new(error).context(attempt),
    };
    let bytes = match limit.current {
        Some(bytes) => bytes.to_string(),
        None => "unlimited".into(),
    };
    let limit = format!("RLIMIT_MSGQUEUE (ulimit -q): {bytes} bytes for all queues of the user");
    anyhow::Error::new(error).context(limit).context(attempt)
}

impl Signal for QueueSignal {
    fn publish(&mut self, writer: &mut Writer, record: &Slot) -> Result<u64> {
        let id = writer.view().publish_record(record); // W1..W6
        match self.0.send(id).context("mq_timedsend")? {
            true => Ok(id),
            false => bail!(TOO_SLOW), // with one round in flight it is never full
        }
    }
}

/// The consumer's end.
pub struct QueueWait(Queue);

impl QueueWait {
    pub fn join(producer: u32) -> Result<QueueWait> {
        let queue = Queue::open(producer);
        let queue = queue.with_context(|| format!("mq_open {}", name(producer)))?;
        Ok(QueueWait(queue))
    }
}

impl Wait for QueueWait {
    fn wait(&mut self, consumer: &Consumer, round: u64) -> Result<Woken> {
        let want = consumer.id(round);
        loop {
            match self.0.receive().context("mq_timedreceive")? {
                Some(id) if id == want => return Ok(Woken::Somehow),
                Some(id) => bail!("{}: message {id}, want {want}", self.0.name),
                // A producer that is gone ends this process; one that is stopped
                // does not.
                None => {}
            }
        }
    }
}
