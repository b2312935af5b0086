//! JSON objects of one line, byte for byte as every peer prints them. Text that is
//! not UTF-8 is told twice: with replacement characters, and exactly in hexadecimal.

use std::fmt::Write;

/// An object under construction.
pub struct Object(String);

impl Object {
    /// An object without members.
    pub fn new() -> Object {
        Object("{".into())
    }

    /// Adds a number.
    pub fn number(&mut self, name: &str, value: u64) {
        self.name(name);
        self.0.push_str(&value.to_string());
    }

    /// Adds text, and for text that is not UTF-8 its bytes as `NAME_hex`.
    pub fn text(&mut self, name: &str, bytes: &[u8]) {
        self.name(name);
        self.0.push('"');
        let mut whole = true;
        for chunk in bytes.utf8_chunks() {
            chunk.valid().chars().for_each(|c| self.char(c));
            whole &= chunk.invalid().is_empty();
            chunk
                .invalid()
                .iter()
                .for_each(|_| self.0.push_str("\\ufffd"));
        }
        self.0.push('"');
        if !whole {
            self.name(&format!("{name}_hex"));
            self.0.push('"');
            for byte in bytes {
                let _ = write!(self.0, "{byte:02x}"); // a String takes everything
            }
            self.0.push('"');
        }
    }

    /// The finished object, as a line.
    pub fn line(mut self) -> Vec<u8> {
        self.0.push_str("}\n");
        self.0.into_bytes()
    }

    fn name(&mut self, name: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        let _ = write!(self.0, "\"{name}\":"); // as above
    }

    fn char(&mut self, c: char) {
        match c {
            '"' => self.0.push_str("\\\""),
            '\\' => self.0.push_str("\\\\"),
            '\u{8}' => self.0.push_str("\\b"),
            '\u{c}' => self.0.push_str("\\f"),
            '\n' => self.0.push_str("\\n"),
            '\r' => self.0.push_str("\\r"),
            '\t' => self.0.push_str("\\t"),
            // Line ends to JavaScript, which takes no such in text.
            '\0'..' ' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(self.0, "\\u{:04x}", u32::from(c)); // as above
            }
            c => self.0.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut object = Object::new();
        object.text("t", bytes);
        String::from_utf8(object.line()).unwrap()
    }

    #[test]
    fn escapes() {
        assert_eq!(
            text(b"<&> \"\\\x08\x0c\n\r\t\x01\x1f\x7f"),
            "{\"t\":\"<&> \\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\"}\n"
        );
        assert_eq!(
            text("ü\u{2028}\u{fffd}".as_bytes()),
            "{\"t\":\"ü\\u2028\u{fffd}\"}\n"
        );
    }

    #[test]
    fn one_replacement_for_each_byte_that_is_no_text() {
        assert_eq!(
            text(b"a\xe2\x82z\xff"),
            "{\"t\":\"a\\ufffd\\ufffdz\\ufffd\",\"t_hex\":\"61e2827aff\"}\n"
        );
    }
}
