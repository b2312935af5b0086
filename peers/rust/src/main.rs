//! The Rust peer of shmkv: it serves a page, watches one, and measures what waking
//! a watcher costs. It does what every other peer does, byte for byte.

#![deny(unsafe_op_in_unsafe_fn)]

mod args;
mod bench;
mod duration;
mod error;
mod guard;
mod help;
mod json;
mod open;
mod output;
mod pair;
mod print;
mod serve;
mod signal;
mod stdin;
mod stop;
mod value;
mod watch;

use std::io::Write;
use std::process::ExitCode;

use args::{NoRun, PROGRAM, Run};

const FAILURE: u8 = 1;
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let result = match args::parse(std::env::args_os()) {
        Ok(Run::Serve(args)) => serve::run(&args),
        Ok(Run::Watch(args)) => watch::run(&args),
        Ok(Run::Bench(args)) => bench::run(&args),
        Ok(Run::BenchConsumer(args)) => bench::consume(args),
        Err(NoRun::Told(text)) => return tell(&text),
        Err(NoRun::Usage(fault)) => {
            complain(&fault);
            let hint = format!("Run \"{PROGRAM} --help\" for the commands and their flags.\n");
            let _ = std::io::stderr().write_all(hint.as_bytes()); // the exit code tells too
            return ExitCode::from(USAGE);
        }
    };
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    error::lines(&error).iter().for_each(|line| complain(line));
    ExitCode::from(FAILURE)
}

/// Prints help or the version.
fn tell(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(FAILURE),
    }
}

/// Says what is wrong, in one line and one write. Not by `eprintln!`, which panics
/// when nobody takes the line.
fn complain(fault: &str) {
    let line = format!("{PROGRAM}: {}\n", fault.replace('\n', " "));
    let _ = std::io::stderr().write_all(line.as_bytes()); // the exit code tells too
}
