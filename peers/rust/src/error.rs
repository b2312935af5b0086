//! What failed, in the words of the command, and what is told of it.

use std::fmt;
use std::io;

use anyhow::anyhow;
use rustix::io::Errno;
use shkv2::Fault;

use crate::stop::Cause;

/// Says what was attempted on a file that is not there; elsewhere the library's
/// words say it.
pub fn on_page(attempt: &str, error: shkv2::Error) -> anyhow::Error {
    let absent = Errno::NOENT.raw_os_error();
    match error.fault() {
        Fault::NotFound => {}
        Fault::System { errno, .. } if errno == absent => {}
        _ => return error.into(),
    }
    anyhow!("{attempt} {}: {}", error.path().display(), Fault::NotFound)
}

/// Several failures of one run, each with a line of its own.
#[derive(Debug)]
pub struct Failures(pub Vec<anyhow::Error>);

impl fmt::Display for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} failures", self.0.len())
    }
}

impl std::error::Error for Failures {}

/// The lines for standard error, without the program's name. There are none when
/// whoever read the output has left: nobody is to be told.
pub fn lines(error: &anyhow::Error) -> Vec<String> {
    let all = match error.downcast_ref::<Failures>() {
        Some(failures) => failures.0.iter().collect(),
        None => vec![error],
    };
    if all.iter().any(|error| reader_left(error)) {
        return Vec::new();
    }
    all.into_iter().map(line).collect()
}

fn reader_left(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(Cause::ReaderLeft))
            || cause.downcast_ref() == Some(&Errno::PIPE)
    })
}

/// What was attempted, why it failed, why that failed, and so on.
fn line(error: &anyhow::Error) -> String {
    let words: Vec<String> = error.chain().map(words).collect();
    words.join(": ")
}

fn words(error: &(dyn std::error::Error + 'static)) -> String {
    let number = match error.downcast_ref::<Errno>() {
        Some(errno) => Some(errno.raw_os_error()),
        None => error.downcast_ref().and_then(io::Error::raw_os_error),
    };
    match number {
        Some(number) => system(number),
        None => error.to_string(),
    }
}

/// The system's words for an error, as they stand in the middle of a line.
pub fn system(number: i32) -> String {
    let text = io::Error::from_raw_os_error(number).to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        // "I/O" and the like are no beginnings of sentences.
        Some(first)
            if !chars
                .as_str()
                .starts_with(|c: char| c == '/' || c.is_uppercase()) =>
        {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn one_line_says_what_and_why() {
        let full: Result<(), Errno> = Err(Errno::NOSPC);
        let error = full.context("write").unwrap_err();
        assert_eq!(lines(&error), ["write: no space left on device"]);
        assert_eq!(system(libc::EIO), "input/output error");
    }

    #[test]
    fn nobody_is_told_that_the_reader_has_left() {
        let broken: Result<(), Errno> = Err(Errno::PIPE);
        let error = broken.context("write").unwrap_err();
        let other = anyhow!("no figure");
        assert!(lines(&Failures(vec![other, error]).into()).is_empty());
        assert!(lines(&Cause::ReaderLeft.into()).is_empty());
    }
}
