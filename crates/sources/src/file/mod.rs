//! Source inputs from files: CSV with the variables as its header, or one JSON object on each line.

mod cell;
mod file_error;
mod jsonl;
mod object;
mod records;
mod table;
mod watched;

use std::path::{Path, PathBuf};

use dodona_target::{Type, Value};

pub use cell::from_text;
pub use file_error::FileError;
use file_error::Problem;
use records::Whole;
pub use records::{Format, Records};

/// A variable whose values are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name: a column of the header, or a key of each object.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// One source input.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The line on which the row starts, counted from 1.
    pub line: u64,
    /// One value for each wanted variable, in the order in which they were requested, each of its type. Whether the
    /// values lie in their domains is not tested here.
    pub values: Vec<Value>,
}

/// The source inputs of a file in order, each read when it is requested.
pub struct Rows {
    path: PathBuf,
    wanted: Vec<Wanted>,
    reader: Reader,
    rows: u64,
    ended: bool,
}

enum Reader {
    Table(table::Table),
    Lines(jsonl::Lines),
}

impl Reader {
    fn open(path: &Path) -> Result<Reader, Problem> {
        match Format::of(path).map_err(|_| Problem::Format)? {
            Format::Csv => table::Table::open(path).map(Reader::Table),
            Format::Jsonl => jsonl::Lines::open(path).map(Reader::Lines),
        }
    }

    /// The row that was read last.
    fn whole(&self) -> Whole {
        match self {
            Reader::Table(table) => Whole::Cells(table.record().clone()),
            Reader::Lines(lines) => Whole::Line(lines.text().to_owned()),
        }
    }
}

/// The names for which a file has values: the header of a CSV file, or the keys of the first object in alphabetical
/// order.
///
/// # Errors
/// [`FileError`] when the file cannot be read, is neither `.csv` nor `.jsonl`, is empty, or its first
/// line is not a header or an object.
pub fn columns(path: &Path) -> Result<Vec<String>, FileError> {
    let names = Reader::open(path).and_then(|reader| match reader {
        Reader::Table(table) => Ok(table.names().to_vec()),
        Reader::Lines(mut lines) => match lines.next()? {
            Some((_, object)) => Ok(object.keys().cloned().collect()),
            None => Err(Problem::Empty),
        },
    });
    names.map_err(|problem| FileError::new(path, problem))
}

/// Reads the source inputs of a `.csv` or `.jsonl` file for some variables. Other columns and keys are ignored. Rows
/// are read when they are requested, so that a file may be larger than memory.
///
/// Cells of CSV: `true`, `-7`, `0.5`, `nan`, `-inf`; sequences `[1, 2]`; text as it is. Values in JSON have the form
/// that [`crate::json`] defines.
///
/// ```
/// use dodona_sources::file::{Wanted, read};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("inputs.csv");
/// std::fs::write(&path, "p,q\n12,18\n0,-5\n")?;
/// let wanted = [Wanted { name: "q".into(), ty: "i32".parse()? }];
/// let rows: Vec<_> = read(&path, &wanted)?.collect::<Result<_, _>>()?;
/// assert_eq!((rows[1].line, rows[1].values[0].to_string()), (3, "-5".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FileError`] with line and column. This function returns it when the file cannot be read or lacks a column; the
/// rows return it when a row lacks a key, has a value of another type, or is not UTF-8, and at the end if there was
/// no row at all.
pub fn read(path: &Path, wanted: &[Wanted]) -> Result<Rows, FileError> {
    let fails = |problem| FileError::new(path, problem);
    let mut reader = Reader::open(path).map_err(fails)?;
    if let Reader::Table(table) = &mut reader {
        table.choose(wanted).map_err(fails)?;
    }
    Ok(Rows { path: path.to_owned(), wanted: wanted.to_vec(), reader, rows: 0, ended: false })
}

impl Rows {
    fn row(&mut self) -> Result<Option<Row>, Problem> {
        match &mut self.reader {
            Reader::Table(table) => table.row(&self.wanted),
            Reader::Lines(lines) => lines.row(&self.wanted),
        }
    }
}

/// Ends after the first error.
impl Iterator for Rows {
    type Item = Result<Row, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let row = match self.row() {
            Ok(None) if self.rows == 0 => Err(Problem::NoRows),
            Ok(None) => {
                self.ended = true;
                return None;
            }
            Ok(Some(row)) => Ok(row),
            Err(problem) => Err(problem),
        };
        self.rows += 1;
        self.ended = row.is_err();
        Some(row.map_err(|problem| FileError::new(&self.path, problem)))
    }
}
