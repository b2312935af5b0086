//! Values of the command line, read strictly: plain decimal numbers that fit, and
//! nothing that only looks like one.

use std::time::Duration;

use crate::duration;

/// The longest duration that every peer can hold: 2^63-1 nanoseconds.
const LONGEST_MS: u64 = i64::MAX as u64 / 1_000_000;

/// A number of things: decimal digits, at most 2^64-1.
pub fn count(text: &str) -> Result<u64, String> {
    // `u64::from_str` alone would also take a leading plus.
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("{text:?} is not a decimal number"));
    }
    text.parse()
        .map_err(|_| format!("{text} is too large, want at most {}", u64::MAX))
}

/// A count of at least one.
pub fn some(text: &str) -> Result<u64, String> {
    match count(text)? {
        0 => Err("want at least 1".into()),
        n => Ok(n),
    }
}

/// A duration in whole milliseconds.
pub fn millis(text: &str) -> Result<Duration, String> {
    match count(text)? {
        n if n > LONGEST_MS => Err(format!("{text} is too large, want at most {LONGEST_MS}")),
        n => Ok(Duration::from_millis(n)),
    }
}

/// A duration with its unit, such as 500ms, 30s or 1m30s. 0 needs no unit.
pub fn timeout(text: &str) -> Result<Duration, String> {
    duration::parse(text).ok_or_else(|| {
        format!("{text:?} is not a duration such as 500ms, 30s or 1m30s, or is too large")
    })
}

/// The permission bits of a file in octal, such as 644 or 0640.
pub fn mode(text: &str) -> Result<u32, String> {
    let octal = !text.is_empty() && text.bytes().all(|b| matches!(b, b'0'..=b'7'));
    octal
        .then(|| u32::from_str_radix(text, 8).ok())
        .flatten()
        .filter(|&mode| mode <= 0o777)
        .ok_or_else(|| format!("{text:?} is not a file mode such as 600 or 0644"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_digits() {
        assert_eq!(count("0"), Ok(0));
        assert_eq!(count("007"), Ok(7));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for bad in [
            "", "-5", "+5", "0x10", "1e3", "1_000", " 5", "5 ", "5.0", "ten", "٣",
        ] {
            assert!(count(bad).is_err(), "{bad:?}");
        }
        assert!(count("18446744073709551616").is_err());
        assert!(some("0").is_err());
    }

    #[test]
    fn milliseconds_fit_every_peer() {
        assert!(millis("9223372036854").is_ok());
        assert!(millis("9223372036855").is_err());
    }

    #[test]
    fn modes_are_octal_permissions() {
        assert_eq!(mode("600"), Ok(0o600));
        assert_eq!(mode("0644"), Ok(0o644));
        for bad in ["", "888", "4755", "+600", "0o600", "6_0"] {
            assert!(mode(bad).is_err(), "{bad:?}");
        }
    }
}
