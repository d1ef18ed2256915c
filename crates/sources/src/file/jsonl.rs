//! Source inputs from JSON, one object on each line.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use dodona_target::user_file;
use serde_json::{Map, Value as Json};

use super::file_error::Problem;
use super::object::Object;
use super::{Row, Wanted};
use crate::json::from_json;

/// A file with one JSON object on each line. Empty lines are skipped.
pub(super) struct Lines {
    reader: BufReader<File>,
    line: u64,
    buffer: Vec<u8>,
}

/// An object with its line, counted from 1.
type Numbered = (u64, Map<String, Json>);

/// The bytes that some editors write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Lines {
    pub(super) fn open(path: &Path) -> Result<Lines, Problem> {
        let file = user_file::open(path).map_err(Problem::Io)?;
        Ok(Lines { reader: BufReader::new(file), line: 0, buffer: Vec::new() })
    }

    /// The next object with its line, `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Numbered>, Problem> {
        loop {
            self.buffer.clear();
            if self.reader.read_until(b'\n', &mut self.buffer).map_err(Problem::Io)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let start = if self.line == 1 { BYTE_ORDER_MARK } else { b"" };
            let bytes = self.buffer.strip_prefix(start).unwrap_or(&self.buffer);
            let text =
                std::str::from_utf8(bytes).map_err(|_| Problem::Utf8 { line: self.line, name: None })?;
            if !text.trim().is_empty() {
                return object(text, self.line).map(|object| Some((self.line, object)));
            }
        }
    }

    /// The text of the object that was read last.
    pub(super) fn text(&self) -> &str {
        let text = self.buffer.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.buffer);
        // The line has been parsed, so it is valid UTF-8.
        std::str::from_utf8(text).unwrap_or_default().trim()
    }

    pub(super) fn row(&mut self, wanted: &[Wanted]) -> Result<Option<Row>, Problem> {
        let Some((line, object)) = self.next()? else {
            return if self.line == 0 { Err(Problem::Empty) } else { Ok(None) };
        };
        let value = |w: &Wanted| {
            let json = object.get(&w.name).ok_or_else(|| Problem::Missing { line, name: w.name.clone() })?;
            from_json(w.ty, json).map_err(|error| Problem::Value { line, name: w.name.clone(), error })
        };
        let values = wanted.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Some(Row { line, values }))
    }
}

fn object(text: &str, line: u64) -> Result<Map<String, Json>, Problem> {
    match serde_json::from_str(text) {
        Ok(Object(object)) => Ok(object),
        Err(e) if e.is_data() && !text.trim_start().starts_with('{') => Err(Problem::NotObject { line }),
        Err(e) => {
            // serde_json counts lines within the text of one object, so its line number is always 1; the line in the
            // file replaces it.
            let whole = e.to_string();
            let what = whole.split(" at line ").next().unwrap_or(&whole);
            let what = if e.is_data() { what.to_owned() } else { format!("not JSON: {what}") };
            Err(Problem::Json { line, column: e.column(), what })
        }
    }
}
