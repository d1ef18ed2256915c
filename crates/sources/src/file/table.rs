//! Source inputs from CSV.

use std::path::Path;

use csv::{ByteRecord, ErrorKind, ReaderBuilder, Trim};
use dodona_target::user_file;

use super::file_error::Problem;
use super::watched::{LineEnds, Watched};
use super::{Row, Wanted, from_text};

/// A CSV file whose header has been read.
pub(super) struct Table {
    reader: csv::Reader<Watched>,
    ends: LineEnds,
    names: Vec<String>,
    /// The column of each wanted variable.
    chosen: Vec<usize>,
    record: ByteRecord,
}

impl Table {
    pub(super) fn open(path: &Path) -> Result<Table, Problem> {
        let file = user_file::open(path).map_err(Problem::Io)?;
        let (file, ends) = Watched::new(file).map_err(Problem::Io)?;
        let mut reader = ReaderBuilder::new().trim(Trim::Headers).from_reader(file);
        let header = reader.byte_headers().map_err(|e| problem(e, &ends))?;
        let name =
            |cell: &[u8]| String::from_utf8(cell.to_vec()).map_err(|_| Problem::Utf8 { line: 1, name: None });
        let names = header.iter().map(name).collect::<Result<Vec<String>, Problem>>()?;
        if names.is_empty() {
            return Err(Problem::Empty);
        }
        Ok(Table { reader, ends, names, chosen: Vec::new(), record: ByteRecord::new() })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of the row that was read last.
    pub(super) fn record(&self) -> &ByteRecord {
        &self.record
    }

    pub(super) fn choose(&mut self, wanted: &[Wanted]) -> Result<(), Problem> {
        let column = |w: &Wanted| {
            let mut places = self.names.iter().enumerate().filter(|(_, name)| **name == w.name);
            match (places.next(), places.next()) {
                (None, _) => Err(Problem::Column { name: w.name.clone(), has: self.names.clone() }),
                (Some(_), Some(_)) => Err(Problem::Twice(w.name.clone())),
                (Some((place, _)), None) => Ok(place),
            }
        };
        self.chosen = wanted.iter().map(column).collect::<Result<_, _>>()?;
        Ok(())
    }

    pub(super) fn row(&mut self, wanted: &[Wanted]) -> Result<Option<Row>, Problem> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|e| problem(e, &self.ends))?;
        if !more {
            return Ok(None);
        }
        let line = self.ends.line(self.record.position().map_or(0, csv::Position::byte));
        let cell = |(w, &column): (&Wanted, &usize)| {
            let text = std::str::from_utf8(&self.record[column])
                .map_err(|_| Problem::Utf8 { line, name: Some(w.name.clone()) })?;
            from_text(w.ty, text).map_err(|error| Problem::Value { line, name: w.name.clone(), error })
        };
        let values = wanted.iter().zip(&self.chosen).map(cell).collect::<Result<_, _>>()?;
        Ok(Some(Row { line, values }))
    }
}

fn problem(error: csv::Error, ends: &LineEnds) -> Problem {
    let line = error.position().map_or(1, |position| ends.line(position.byte()));
    match error.into_kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Problem::Cells { line, cells: len, wanted: expected_len }
        }
        ErrorKind::Utf8 { .. } => Problem::Utf8 { line, name: None },
        ErrorKind::Io(e) => Problem::Io(e),
        other => Problem::Io(std::io::Error::other(format!("{other:?}"))),
    }
}
