//! What the two processes of a row share beside the page: the consumer's answers.

use std::mem::size_of;
use std::ops::Deref;
use std::os::fd::{AsFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};
use rustix::fs::MemfdFlags;
use rustix::mm::{MapFlags, ProtFlags};
use rustix::thread::futex;

/// One word of a cache line of its own.
#[repr(C, align(64))]
struct Alone<T>(T);

/// The shared memory; zero is its first state. An answer is one cache line.
#[repr(C)]
pub struct Shared {
    /// The round answered + 1; 1: ready; 0: not yet.
    ack: AtomicU32,
    /// The producer sleeps on `ack`.
    waiting: AtomicU32,
    // The consumer's until it stores `ack`, the producer's from then until its next
    // publish: relaxed accesses do.
    latency: AtomicI64,
    slept: AtomicU32,
    parked: AtomicU32,
    /// The round before whose publish the consumer is about to sleep.
    armed: Alone<AtomicU32>,
}

/// What the consumer tells of a round.
#[derive(Clone, Copy)]
pub struct Answer {
    /// In nanoseconds.
    pub latency: i64,
    /// The consumer's thread gave up its processor.
    pub slept: bool,
    /// It was a wake that ended the consumer's FUTEX_WAIT.
    pub parked: bool,
}

impl Shared {
    /// Tells the producer that the consumer is ready for the first round.
    pub fn ready(&self) {
        self.acknowledge(0);
    }

    /// Tells the producer that a round is done.
    pub fn answer(&self, round: u64, answer: Answer) {
        self.latency.store(answer.latency, Ordering::Relaxed);
        self.slept.store(answer.slept.into(), Ordering::Relaxed);
        self.parked.store(answer.parked.into(), Ordering::Relaxed);
        self.acknowledge(round);
    }

    fn acknowledge(&self, round: u64) {
        self.ack.store(word(round), Ordering::SeqCst); // pairs with is_answered
        // Both sides store, then load what the other stored, each sequentially
        // consistent: either the producer sees the answer or this sees it waiting.
        if self.waiting.load(Ordering::SeqCst) != 0 {
            // At worst the producer's slice ends by itself.
            let _ = futex::wake(&self.ack, futex::Flags::empty(), i32::MAX as u32);
        }
    }

    /// Whether the consumer has answered a round (0: is ready).
    pub fn is_answered(&self, round: u64) -> bool {
        self.ack.load(Ordering::SeqCst) == word(round) // pairs with acknowledge
    }

    /// The answer to the last round that was answered.
    pub fn last_answer(&self) -> Answer {
        Answer {
            latency: self.latency.load(Ordering::Relaxed),
            slept: self.slept.load(Ordering::Relaxed) != 0,
            parked: self.parked.load(Ordering::Relaxed) != 0,
        }
    }

    /// Says before its sleep that the consumer will be asleep in a round.
    pub fn arm(&self, round: u64) {
        self.armed.0.store(round as u32, Ordering::Release); // pairs with is_armed
    }

    /// Whether the consumer is about to sleep in a round, or does.
    pub fn is_armed(&self, round: u64) -> bool {
        self.armed.0.load(Ordering::Acquire) == round as u32 // pairs with arm
    }

    /// Announces that the producer is going to sleep until the next answer; an
    /// answer from then on ends [`sleep`](Self::sleep).
    pub fn announce_sleep(&self, on: bool) {
        self.waiting.store(on.into(), Ordering::SeqCst); // pairs with acknowledge
    }

    /// The word to sleep on.
    pub fn ack_word(&self) -> u32 {
        self.ack.load(Ordering::SeqCst)
    }

    /// Sleeps while the word is `expected`. Why it ends does not matter.
    pub fn sleep(&self, expected: u32, timeout: &futex::Timespec) {
        let _ = futex::wait(&self.ack, futex::Flags::empty(), expected, Some(timeout));
    }
}

fn word(round: u64) -> u32 {
    (round as u32).wrapping_add(1)
}

/// The mapping of a [`Shared`].
pub struct Control(NonNull<Shared>);

impl Control {
    /// Makes one in a file without a name, which the other process maps too.
    pub fn create() -> Result<(Control, OwnedFd)> {
        let name = c"shmkv-bench";
        let fd = rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC).context("memfd_create")?;
        rustix::fs::ftruncate(&fd, size_of::<Shared>() as u64).context("ftruncate")?;
        Ok((Control::map(&fd)?, fd))
    }

    /// Maps the one that the producer passed on.
    pub fn inherit(fd: &OwnedFd) -> Result<Control> {
        let size = rustix::fs::fstat(fd)?.st_size;
        ensure!(size == size_of::<Shared>() as i64, "not a control page");
        Control::map(fd)
    }

    fn map(fd: impl AsFd) -> Result<Control> {
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        let size = size_of::<Shared>();
        // SAFETY: a new mapping at an address of the system's choice.
        let at = unsafe { rustix::mm::mmap(ptr::null_mut(), size, prot, MapFlags::SHARED, fd, 0) };
        let at = at.context("mmap")?.cast();
        Ok(Control(NonNull::new(at).context("mmap")?))
    }
}

impl Deref for Control {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        // SAFETY: mapped for this size until the drop, page-aligned, never cut short
        // (nobody else has the file), and all of it atomic integers.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, which nothing refers to any more. It was made,
        // so taking it back can not fail.
        let _ = unsafe { rustix::mm::munmap(self.0.as_ptr().cast(), size_of::<Shared>()) };
    }
}
