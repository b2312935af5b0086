//! A line taken apart at its first `=`.

use shkv2::Slot;

/// What was seen of a line so far.
pub struct Pair {
    key: Part,
    value: Part,
    split: bool,
}

impl Pair {
    /// An empty line.
    pub fn new() -> Pair {
        let Slot { key, value } = Slot::default();
        Pair {
            key: Part::new("key", key.len()),
            value: Part::new("value", value.len()),
            split: false,
        }
    }

    /// Adds a piece of the line.
    pub fn feed(&mut self, piece: &[u8]) {
        let mut rest = piece;
        if !self.split {
            let at = piece.iter().position(|&b| b == b'=');
            self.key.feed(&piece[..at.unwrap_or(piece.len())]);
            let Some(at) = at else { return };
            self.split = true;
            rest = &piece[at + 1..];
        }
        self.value.feed(rest);
    }

    /// Says why the line can not be published.
    pub fn check(&self) -> Result<(), String> {
        if !self.split {
            return Err("no '=' in it, want key=value".into());
        }
        if self.key.size == 0 {
            return Err("the key is empty".into());
        }
        self.key.check()?;
        self.value.check()
    }

    /// The key of a line that was checked.
    pub fn key(&self) -> &[u8] {
        &self.key.kept
    }

    /// The value of a line that was checked.
    pub fn value(&self) -> &[u8] {
        &self.value.kept
    }
}

/// A key or a value: no more of it is kept than the layout has room for.
struct Part {
    name: &'static str,
    limit: usize,
    size: u64,
    kept: Vec<u8>,
    nul: bool,
}

impl Part {
    fn new(name: &'static str, limit: usize) -> Part {
        Part {
            name,
            limit,
            size: 0,
            kept: Vec::new(),
            nul: false,
        }
    }

    fn feed(&mut self, piece: &[u8]) {
        let room = self.limit - self.kept.len();
        self.kept.extend_from_slice(&piece[..piece.len().min(room)]);
        self.size += piece.len() as u64;
        self.nul |= piece.contains(&0);
    }

    fn check(&self) -> Result<(), String> {
        let Part {
            name, limit, size, ..
        } = *self;
        if size > limit as u64 {
            return Err(format!("the {name} has {size} bytes, want at most {limit}"));
        }
        if self.nul {
            return Err(format!("the {name} contains a NUL"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(pieces: &[&[u8]]) -> Pair {
        let mut pair = Pair::new();
        pieces.iter().for_each(|piece| pair.feed(piece));
        pair
    }

    #[test]
    fn splits_at_the_first_equals_sign_wherever_the_pieces_end() {
        for pieces in [
            &[b"k=a=b".as_slice()][..],
            &[b"k".as_slice(), b"=a=b"],
            &[b"k=".as_slice(), b"a", b"=b"],
        ] {
            let pair = pair(pieces);
            assert_eq!(pair.check(), Ok(()));
            assert_eq!((pair.key(), pair.value()), (&b"k"[..], &b"a=b"[..]));
        }
    }

    #[test]
    fn refuses_what_the_layout_has_no_room_for() {
        let Slot { key, value } = Slot::default();
        let full = [&vec![b'k'; key.len()][..], b"=", &vec![b'v'; value.len()]].concat();
        assert_eq!(pair(&[&full]).check(), Ok(()));
        assert!(pair(&[b"k", &full]).check().is_err());
        assert!(pair(&[&full, b"v"]).check().is_err());
        for bad in ["", "key", "=value", "k\0=v", "k=v\0"] {
            assert!(pair(&[bad.as_bytes()]).check().is_err(), "{bad:?}");
        }
    }
}
