//! A file that is cut short under its mapping: the next access is a SIGBUS. Here
//! it becomes an end of the run like any other, with one line and every
//! destructor.

use std::path::Path;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use libc::{c_int, c_void, siginfo_t};
use rustix::fs::inotify;
use rustix::io::Errno;
use shkv2::{Reader, View, Writer};

use crate::signal;
use crate::stop::{Cause, Stop};

static PAGE: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
static SIZE: AtomicUsize = AtomicUsize::new(0);
static LOST: AtomicBool = AtomicBool::new(false);
/// What tells the rest of the program, where there is such a flag.
static FLAG: AtomicPtr<AtomicBool> = AtomicPtr::new(ptr::null_mut());

/// A guard over the page of this process: there is one page, mapped to the end.
#[derive(Clone, Copy)]
pub struct Guard(());

impl Guard {
    /// Guards a reader's page. The flag is set when the page is lost.
    pub fn of_reader(reader: &Reader, flag: Option<&'static AtomicBool>) -> Result<Guard> {
        if let Some(flag) = flag {
            FLAG.store(ptr::from_ref(flag).cast_mut(), Ordering::Relaxed);
        }
        Guard::install(&reader.view())
    }

    /// Guards a writer's page.
    pub fn of_writer(writer: &mut Writer) -> Result<Guard> {
        Guard::install(&writer.view().as_view())
    }

    fn install(view: &View) -> Result<Guard> {
        SIZE.store(shkv2::SIZE, Ordering::Relaxed);
        PAGE.store(view.as_ptr().cast_mut(), Ordering::Relaxed);
        let handler = on_bus_error as extern "C" fn(c_int, *mut siginfo_t, *mut c_void);
        let flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        signal::handle(libc::SIGBUS, handler as usize, flags).context("signals")?;
        Ok(Guard(()))
    }

    /// Whether the page was cut off: what it says since then means nothing.
    pub fn is_lost(self) -> bool {
        LOST.load(Ordering::Relaxed)
    }

    /// Refuses to go on with a lost page; `check` says more about its file.
    pub fn check(self, path: &Path, check: Result<(), shkv2::Error>) -> Result<()> {
        check?;
        if self.is_lost() {
            anyhow::bail!("{}: truncated under its mapping", path.display());
        }
        Ok(())
    }
}

/// Puts a private page of zeros in the place of one that is gone, so that the
/// program goes on to its next look at [`Guard::is_lost`]. Zeros are a page on which
/// nothing ever happened: a reader sees nothing new on it.
extern "C" fn on_bus_error(number: c_int, info: *mut siginfo_t, _: *mut c_void) {
    let (page, size) = (PAGE.load(Ordering::Relaxed), SIZE.load(Ordering::Relaxed));
    // SAFETY: the kernel passes a whole siginfo_t, and SIGBUS has an address.
    let at = unsafe { (*info).si_addr() } as usize;
    if at.wrapping_sub(page as usize) < size {
        let prot = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: replaces exactly the mapping that the program has for its page; a
        // system call and nothing else, so it may be done in a handler.
        let mapped = unsafe { libc::mmap(page.cast(), size, prot, flags, -1, 0) };
        if mapped != libc::MAP_FAILED {
            LOST.store(true, Ordering::Relaxed);
            let flag = FLAG.load(Ordering::Relaxed);
            // SAFETY: null, or a flag that lives as long as the program.
            if let Some(flag) = unsafe { flag.as_ref() } {
                flag.store(true, Ordering::Release);
            }
            return;
        }
    }
    // Not ours: the access is repeated, and ends the program.
    // SAFETY: the default action is no handler.
    unsafe { libc::signal(number, libc::SIG_DFL) };
}

/// Ends the run at once when a reader's file is cut short: asleep, it would see that
/// at the end of its sleep only. Where inotify(7) is not to be had, so it is.
pub fn watch_size(stop: &'static Stop, reader: Arc<Reader>) -> Result<()> {
    let Ok(events) = inotify::init(inotify::CreateFlags::CLOEXEC) else {
        return Ok(());
    };
    // Stores through a mapping are no IN_MODIFY; truncate(2) is.
    if inotify::add_watch(&events, reader.path(), inotify::WatchFlags::MODIFY).is_err() {
        return Ok(());
    }
    stop.spawn("size", move || {
        let mut buffer = [0u8; 4096];
        loop {
            if let Err(lost) = reader.check() {
                return Some(Cause::Lost(lost));
            }
            match rustix::io::read(&events, &mut buffer) {
                Ok(1..) | Err(Errno::INTR) => {}
                Ok(0) | Err(_) => return None,
            }
        }
    })
}
