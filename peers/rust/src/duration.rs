//! Durations as people write them: 500ms, 1m30s, 1.5h.

use std::fmt;
use std::time::Duration;

/// The units, the longest first, in nanoseconds.
const UNITS: [(&str, u64); 7] = [
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("µs", 1_000),
    ("us", 1_000),
    ("ns", 1),
];

/// Reads numbers with units, one behind the other. A number may have a fraction.
/// Nothing where the text is something else, or more than 2^63-1 nanoseconds.
pub fn parse(text: &str) -> Option<Duration> {
    match text {
        "" => return None,
        "0" => return Some(Duration::ZERO),
        _ => {}
    }
    let mut rest = text;
    let mut total: u128 = 0;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        let &(_, unit) = UNITS.iter().find(|(name, _)| *name == unit)?;
        total += amount(whole, fraction, unit)?;
        if total > i64::MAX as u128 {
            return None;
        }
        rest = after;
    }
    Some(Duration::from_nanos(total as u64))
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// Nanoseconds of `whole.fraction` units, rounded down.
fn amount(whole: &str, fraction: &str, unit: u64) -> Option<u128> {
    let number = |digits: &str| match digits {
        "" => Some(0),
        digits => digits.parse::<u64>().ok().map(u128::from),
    };
    // An hour has 13 digits of nanoseconds: more can not change the result.
    let fraction = &fraction[..fraction.len().min(15)];
    let scale = 10u128.pow(fraction.len() as u32);
    let unit = u128::from(unit);
    Some(number(whole)? * unit + number(fraction)? * unit / scale)
}

/// Shows a duration in the form that [`parse`] reads: 1m30s, 1.5s, 50ms.
pub struct Shown(pub Duration);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ns = self.0.as_nanos();
        let (name, unit) = match ns {
            0 => return f.write_str("0s"),
            1..1_000 => ("ns", 1),
            1_000..1_000_000 => ("µs", 1_000),
            1_000_000..1_000_000_000 => ("ms", 1_000_000),
            _ => {
                let minutes = ns / 60_000_000_000;
                if minutes >= 60 {
                    write!(f, "{}h", minutes / 60)?;
                }
                if minutes > 0 {
                    write!(f, "{}m", minutes % 60)?;
                }
                return number(f, ns % 60_000_000_000, 1_000_000_000, "s");
            }
        };
        number(f, ns, unit, name)
    }
}

/// Writes `ns / unit` with as many decimals as it has.
fn number(f: &mut fmt::Formatter<'_>, ns: u128, unit: u128, name: &str) -> fmt::Result {
    write!(f, "{}", ns / unit)?;
    if ns % unit != 0 {
        let width = unit.ilog10() as usize;
        let decimals = format!("{:0width$}", ns % unit);
        write!(f, ".{}", decimals.trim_end_matches('0'))?;
    }
    f.write_str(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_shows() {
        for (text, ns, shown) in [
            ("0", 0, "0s"),
            ("0s", 0, "0s"),
            ("500ms", 500_000_000, "500ms"),
            ("1.5s", 1_500_000_000, "1.5s"),
            (".5s", 500_000_000, "500ms"),
            ("5.s", 5_000_000_000, "5s"),
            ("90s", 90_000_000_000, "1m30s"),
            ("1h0.25s", 3_600_250_000_000, "1h0m0.25s"),
            ("7us", 7_000, "7µs"),
            ("1500ns", 1_500, "1.5µs"),
            ("2562047h", 9_223_369_200_000_000_000, "2562047h0m0s"),
        ] {
            let d = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(d.as_nanos(), ns, "{text}");
            assert_eq!(Shown(d).to_string(), shown);
        }
    }

    #[test]
    fn refuses_the_rest() {
        for bad in [
            "",
            "5",
            "-5s",
            "+5s",
            "s",
            ".s",
            "5x",
            "5 s",
            "1s5",
            "00",
            "9999999999h",
            "2562048h",
        ] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
    }
}
