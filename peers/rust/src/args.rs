//! The command line: what it takes, what it says about itself, and how it tells
//! of wrong usage.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::OsStringValueParser;
use clap::builder::TypedValueParser;
use clap::error::{ContextKind, ErrorKind};
use clap::{ArgAction, Args, Parser, Subcommand};

use crate::bench::{Channels, ConsumerArgs};
use crate::{help, value};

/// What errors and help call this program: every peer is the same command.
pub const PROGRAM: &str = "shmkv";

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " rust");

/// One page in a file that every process maps: one writer, many readers.
#[derive(Parser, Debug)]
#[command(
    name = PROGRAM,
    bin_name = PROGRAM,
    version = VERSION,
    after_help = help::PROGRAM,
    arg_required_else_help = false,
    disable_help_subcommand = true,
    disable_version_flag = true,
    propagate_version = true
)]
pub struct Command {
    #[command(subcommand)]
    pub run: Run,

    /// Print the version.
    #[arg(long, action = ArgAction::Version, global = true)]
    version: Option<bool>,
}

#[derive(Subcommand, Debug)]
pub enum Run {
    /// Publish updates into the page in FILE.
    #[command(after_help = help::serve())]
    Serve(ServeArgs),
    /// Print every update of the page in FILE.
    #[command(after_help = help::watch())]
    Watch(WatchArgs),
    /// Measure how long it takes to wake a process, channel by channel.
    #[command(after_help = help::BENCH)]
    Bench(BenchArgs),
    /// The other half of bench; not for people.
    #[command(hide = true)]
    BenchConsumer(ConsumerArgs),
}

/// Any name of a file, the empty one too: what is wrong with it, the system says.
pub fn path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

// Values may begin with a hyphen: "--updates -5" is told what is wrong with -5.

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// The page. A file that does not exist is made; one that does is continued.
    #[arg(value_name = "FILE", value_parser = path())]
    pub file: PathBuf,
    /// Stop after N updates (default: 0, never).
    #[arg(long, value_name = "N", value_parser = value::count, allow_hyphen_values = true)]
    pub updates: Option<u64>,
    /// Milliseconds before each update (default: 1000).
    #[arg(long, value_name = "M", value_parser = value::millis, allow_hyphen_values = true)]
    pub interval_ms: Option<Duration>,
    /// Publish lines key=value of standard input instead, as they come.
    #[arg(long, conflicts_with_all = ["updates", "interval_ms"])]
    pub stdin: bool,
    /// Permissions of a file that is made (default: 600).
    #[arg(long, value_name = "OCTAL", value_parser = value::mode, allow_hyphen_values = true)]
    pub mode: Option<u32>,
}

#[derive(Args, Debug)]
pub struct WatchArgs {
    /// The page.
    #[arg(value_name = "FILE", value_parser = path())]
    pub file: PathBuf,
    /// Stop after N updates (default: 0, never).
    #[arg(long, value_name = "N", value_parser = value::count, allow_hyphen_values = true)]
    pub events: Option<u64>,
    /// Stop after this time, such as 500ms or 1m; 0: never (default: 30s with --events).
    #[arg(long, value_name = "D", value_parser = value::timeout, allow_hyphen_values = true)]
    pub timeout: Option<Duration>,
    /// Print one JSON object per update and nothing else.
    #[arg(long)]
    pub json: bool,
    /// Wait for FILE to appear.
    #[arg(long)]
    pub wait: bool,
}

#[derive(Args, Debug)]
pub struct BenchArgs {
    /// The page to publish into: the file is made, or continued, and stays.
    #[arg(value_name = "FILE", value_parser = path())]
    pub file: PathBuf,
    /// Rounds per channel (default: 2000).
    #[arg(long, value_name = "N", value_parser = value::some, allow_hyphen_values = true)]
    pub rounds: Option<u64>,
    /// futex, futex-parked, pipe, eventfd, mq, unix, poll, several with commas, or all
    /// (default: futex).
    #[arg(long, value_name = "NAME", value_parser = Channels::parse, allow_hyphen_values = true)]
    pub channel: Option<Channels>,
    /// Print one JSON object per channel and nothing else.
    #[arg(long)]
    pub json: bool,
}

/// Why there is nothing to run.
pub enum NoRun {
    /// Help or the version was asked for: to be printed on standard output.
    Told(String),
    /// One line about what is wrong.
    Usage(String),
}

/// Reads a command line, the program's name first.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Run, NoRun> {
    let error = match Command::try_parse_from(args) {
        Ok(command) => return Ok(command.run),
        Err(error) => error,
    };
    Err(match error.kind() {
        ErrorKind::DisplayHelp => NoRun::Told(error.to_string()),
        // The parser would name the command too.
        ErrorKind::DisplayVersion => NoRun::Told(format!("{PROGRAM} {VERSION}\n")),
        _ => NoRun::Usage(one_line(&error)),
    })
}

/// The parser's first paragraph in one line; what follows repeats the usage.
fn one_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::MissingSubcommand {
        return "expected one of serve, watch, bench".into();
    }
    if error.get(ContextKind::InvalidSubcommand).is_some() {
        // Its suggestions would name the command that is not for people.
        let name = error.get(ContextKind::InvalidSubcommand);
        let name = name.map(ToString::to_string).unwrap_or_default();
        return format!("no command {name:?}, want one of serve, watch, bench");
    }
    let text = error.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.lines().map(str::trim).collect();
    words.join(" ")
}
