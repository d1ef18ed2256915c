//! Whole rows, including the columns and keys that were not requested, so that they can be written in another order
//! or format.

use std::io::{self, Write};
use std::path::Path;

use csv::ByteRecord;
use dodona_target::Value;
use serde_json::{Map, Value as Json};

use super::file_error::Problem;
use super::{FileError, Reader, Wanted, read};
use crate::json::to_json;

/// The format of a file of source inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values below a header of names.
    Csv,
    /// One JSON object on each line.
    Jsonl,
}

impl Format {
    /// The format that the extension of a file indicates: `.csv`, or `.jsonl` and `.ndjson`.
    ///
    /// # Errors
    /// [`FileError`] when the extension is another one.
    pub fn of(path: &Path) -> Result<Format, FileError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => Ok(Format::Csv),
            "jsonl" | "ndjson" => Ok(Format::Jsonl),
            _ => Err(FileError::new(path, Problem::Format)),
        }
    }
}

/// Source inputs together with the other data of their rows, such as where they came from.
///
/// ```
/// use dodona_sources::file::{Format, Records, Wanted};
/// use dodona_target::Value;
///
/// let wanted = [Wanted { name: "x".into(), ty: "i32".parse()? }];
/// let from = |path: i32| serde_json::Map::from_iter([("path".to_owned(), path.into())]);
/// let rows = vec![(vec![Value::Int(-1)], from(7)), (vec![Value::Int(5)], from(8))];
/// let records = Records::new(&wanted, rows);
/// let mut out = Vec::new();
/// records.write(&[1, 0], Format::Jsonl, &mut out)?;
/// assert_eq!(String::from_utf8(out)?, "{\"x\":5,\"path\":8}\n{\"x\":-1,\"path\":7}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Records {
    wanted: Vec<Wanted>,
    /// The columns of the file that was read, if it had a header.
    header: Option<ByteRecord>,
    rows: Vec<Record>,
}

#[derive(Clone, Debug)]
struct Record {
    line: u64,
    values: Vec<Value>,
    whole: Whole,
}

/// A row as it was in its file.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    /// The further keys of a row that did not come from a file.
    Beside(Map<String, Json>),
    Line(String),
    Cells(ByteRecord),
}

impl Records {
    /// Rows of values, each of its wanted type, together with further keys.
    pub fn new(wanted: &[Wanted], rows: Vec<(Vec<Value>, Map<String, Json>)>) -> Records {
        let row = |(line, (values, beside))| Record { line, values, whole: Whole::Beside(beside) };
        Records { wanted: wanted.to_vec(), header: None, rows: (1..).zip(rows).map(row).collect() }
    }

    /// Reads a file as [`read`] does, but keeps whole rows.
    ///
    /// # Errors
    /// The errors of [`read`] and of its rows.
    pub fn read(path: &Path, wanted: &[Wanted]) -> Result<Records, FileError> {
        let mut reading = read(path, wanted)?;
        let mut rows = Vec::new();
        while let Some(row) = reading.next() {
            let row = row?;
            rows.push(Record { line: row.line, values: row.values, whole: reading.reader.whole() });
        }
        let header = match reading.reader {
            Reader::Table(table) => Some(table.names().iter().map(String::as_bytes).collect()),
            Reader::Lines(_) => None,
        };
        Ok(Records { wanted: wanted.to_vec(), header, rows })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The wanted values of a row.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn values(&self, row: usize) -> &[Value] {
        &self.rows[row].values
    }

    /// The line of the file on which a row starts, counted from 1; for a row that did not come from a file, the row's
    /// number.
    ///
    /// # Panics
    /// When there is no such row.
    pub fn line(&self, row: usize) -> u64 {
        self.rows[row].line
    }

    /// Writes rows in this order. A row that is written in the format in which it was read is not changed. Otherwise
    /// its wanted values come first, followed by its further data, each as a string or, in a CSV cell, as JSON.
    ///
    /// # Errors
    /// The errors of the writer, and an error if a text is not UTF-8 and the format is CSV, which cannot contain it.
    ///
    /// # Panics
    /// When the order contains a row that does not exist.
    pub fn write(&self, order: &[usize], format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Jsonl => {
                order.iter().try_for_each(|&row| writeln!(out, "{}", self.line_of(&self.rows[row])))
            }
            Format::Csv => self.write_table(order, out),
        }
    }

    fn line_of(&self, row: &Record) -> String {
        match &row.whole {
            Whole::Line(line) => line.clone(),
            Whole::Beside(beside) => self.object(row, beside.iter().map(|(k, v)| (k.clone(), v.clone()))),
            Whole::Cells(cells) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let names = self.header.iter().flatten().map(text);
                let cells = names.zip(cells.iter().map(|cell| Json::from(text(cell))));
                self.object(row, cells.filter(|(name, _)| self.is_beside(name)))
            }
        }
    }

    fn is_beside(&self, name: &str) -> bool {
        self.wanted.iter().all(|wanted| wanted.name != name)
    }

    /// Writes the keys in this order, which a map would not keep.
    fn object(&self, row: &Record, beside: impl Iterator<Item = (String, Json)>) -> String {
        let values = self.wanted.iter().zip(&row.values).map(|(w, value)| (w.name.clone(), to_json(value)));
        let pairs = values.chain(beside).map(|(name, value)| format!("{}:{value}", Json::from(name)));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
    }

    fn write_table(&self, order: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let mut out = csv::Writer::from_writer(out);
        match &self.header {
            Some(header) => {
                out.write_byte_record(header)?;
                for &row in order {
                    if let Whole::Cells(cells) = &self.rows[row].whole {
                        out.write_byte_record(cells)?;
                    }
                }
            }
            None => self.write_objects(order, &mut out)?,
        }
        out.flush()
    }

    fn write_objects(&self, order: &[usize], out: &mut csv::Writer<&mut dyn Write>) -> io::Result<()> {
        let beside: Vec<Map<String, Json>> = self.rows.iter().map(|row| self.beside(row)).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in beside.iter().flat_map(Map::keys) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        out.write_record(self.wanted.iter().map(|w| w.name.as_str()).chain(names.iter().copied()))?;
        for &row in order {
            let values = self.rows[row].values.iter().map(cell).collect::<io::Result<Vec<_>>>()?;
            let others = names.iter().map(|name| match beside[row].get(*name) {
                None => String::new(),
                Some(Json::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            });
            out.write_record(values.into_iter().chain(others))?;
        }
        Ok(())
    }

    fn beside(&self, row: &Record) -> Map<String, Json> {
        let mut all = match &row.whole {
            Whole::Beside(beside) => beside.clone(),
            // The line was parsed when it was read, so it can be parsed again.
            Whole::Line(line) => serde_json::from_str(line).unwrap_or_default(),
            Whole::Cells(_) => Map::new(),
        };
        all.retain(|name, _| self.is_beside(name));
        all
    }
}

/// A value in the form that [`super::from_text`] reads.
fn cell(value: &Value) -> io::Result<String> {
    match value {
        Value::Text(text) => std::str::from_utf8(text).map(str::to_owned).map_err(|_| {
            let message =
                format!("text {value} is not UTF-8, which a .csv file cannot have; write a .jsonl file");
            io::Error::new(io::ErrorKind::InvalidData, message)
        }),
        other => Ok(other.to_string()),
    }
}
