//! Signals: those that end the program, and one that makes a sleeping thread look
//! up. What std does not offer stands here, and nothing else.

use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

use libc::c_int;

/// A signal that ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal(c_int);

const ENDS: [(c_int, &str); 4] = [
    (libc::SIGINT, "SIGINT"),
    (libc::SIGTERM, "SIGTERM"),
    (libc::SIGQUIT, "SIGQUIT"),
    (libc::SIGHUP, "SIGHUP"),
];

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match ENDS.iter().find(|(number, _)| *number == self.0) {
            Some((_, name)) => f.write_str(name),
            None => write!(f, "signal {}", self.0),
        }
    }
}

/// The signals that end the program, kept back for whoever waits for them.
pub struct Ends(libc::sigset_t);

impl Ends {
    /// Keeps the signals back from this thread and all that it starts from now on.
    /// A hang-up that was ignored when the program started, as nohup does, stays
    /// ignored. Programs started with `Command` begin with no signal kept back.
    pub fn keep_back() -> io::Result<Ends> {
        let mut set = MaybeUninit::uninit();
        // SAFETY: sigemptyset initialises the set, and cannot fail on this address.
        let mut set = unsafe {
            libc::sigemptyset(set.as_mut_ptr());
            set.assume_init()
        };
        for (number, _) in ENDS {
            if number == libc::SIGHUP && ignored(number)? {
                continue;
            }
            // SAFETY: an initialised set, a valid signal.
            unsafe { libc::sigaddset(&mut set, number) };
        }
        // SAFETY: reads an initialised set; the old mask is not asked for.
        let error = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &set, ptr::null_mut()) };
        if error != 0 {
            return Err(io::Error::from_raw_os_error(error));
        }
        for (number, _) in ENDS {
            // A shell's background jobs start with SIGINT ignored, and POSIX leaves
            // open whether a wait gets an ignored signal.
            // SAFETY: reads an initialised set; the default action is no handler.
            unsafe {
                if libc::sigismember(&set, number) == 1 {
                    libc::signal(number, libc::SIG_DFL);
                }
            }
        }
        Ok(Ends(set))
    }

    /// Blocks until one of the signals comes.
    pub fn wait(&self) -> Signal {
        let mut number = 0;
        // SAFETY: an initialised set and room for the number.
        while unsafe { libc::sigwait(&self.0, &mut number) } != 0 {}
        Signal(number)
    }
}

fn ignored(number: c_int) -> io::Result<bool> {
    let mut now = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: only asks; the kernel fills `now` unless the call fails.
    unsafe {
        if libc::sigaction(number, ptr::null(), now.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(now.assume_init().sa_sigaction == libc::SIG_IGN)
    }
}

/// A thread that can be interrupted in a blocking system call.
#[derive(Clone, Copy)]
pub struct Sleeper(libc::pthread_t);

/// Its default action is to be ignored: a stray one ends nothing.
const NUDGE: c_int = libc::SIGURG;

impl Sleeper {
    /// The calling thread, which must live as long as the process.
    pub fn this_thread() -> io::Result<Sleeper> {
        extern "C" fn nothing(_: c_int) {}
        handle(NUDGE, nothing as extern "C" fn(c_int) as usize, 0)?;
        // SAFETY: always succeeds.
        Ok(Sleeper(unsafe { libc::pthread_self() }))
    }

    /// Ends the system call that the thread blocks in, with EINTR.
    pub fn nudge(self) {
        // SAFETY: the thread lives as long as the process, by the contract.
        unsafe { libc::pthread_kill(self.0, NUDGE) };
    }
}

/// Installs a handler that interrupts system calls: without SA_RESTART.
pub fn handle(number: c_int, handler: usize, flags: c_int) -> io::Result<()> {
    // SAFETY: all zero is an action: the default one, with an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = flags;
    // SAFETY: a whole action, whose handler lives as long as the program.
    match unsafe { libc::sigaction(number, &action, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
