//! What a watcher prints.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::Result;
use shkv2::{SLOTS_COUNT, Update};

use crate::args::PROGRAM;
use crate::json::Object;
use crate::output::Lines;

/// Tells the reader of the program what happens.
pub struct Printer {
    json: bool,
    out: Lines,
    notes: Lines,
}

impl Printer {
    /// Prints lines for people, or one JSON object per update and nothing else.
    pub fn new(json: bool, out: Lines, notes: Lines) -> Printer {
        Printer { json, out, notes }
    }

    /// The page is open.
    pub fn start(&self, path: &Path, events: u64) -> Result<()> {
        if self.json {
            return Ok(());
        }
        // Names of files and text of the page are passed on byte by byte.
        let mut line = b"watch: file=".to_vec();
        line.extend_from_slice(path.as_os_str().as_bytes());
        line.extend_from_slice(format!(" events={events}\n").as_bytes());
        self.out.write(&line)
    }

    /// One update; `missed` ones before it are lost.
    pub fn update(&self, update: &Update) -> Result<()> {
        self.gap(update.missed);
        let (key, value) = (update.slot.key(), update.slot.value());
        let line = if self.json {
            let mut object = Object::new();
            object.number("id", update.id);
            object.number("lost", update.missed);
            object.text("key", &key);
            object.text("value", &value);
            object.line()
        } else {
            let mut line = format!("observed update {}: ", update.id).into_bytes();
            line.extend_from_slice(&key);
            line.push(b'=');
            line.extend_from_slice(&value);
            line.push(b'\n');
            line
        };
        self.out.write(&line)
    }

    /// All events asked for were told.
    pub fn complete(&self, events: u64) -> Result<()> {
        if self.json {
            return Ok(());
        }
        let line = format!("watch: complete events={events}\n");
        self.out.write(line.as_bytes())
    }

    /// Tells how many updates were lost. Notes that nobody takes are no failure.
    fn gap(&self, missed: u64) {
        let noun = match missed {
            0 => return,
            1 => "update",
            _ => "updates",
        };
        let note = format!("{PROGRAM}: {missed} {noun} lost (the ring keeps {SLOTS_COUNT})\n");
        let _ = self.notes.write(note.as_bytes());
    }
}
