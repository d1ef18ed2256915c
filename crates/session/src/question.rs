//! Questions of people to a session, in SQL.

use std::path::Path;

use rusqlite::types::ValueRef;

use crate::SessionError;
use crate::database::readable;
use crate::session::file_in;

/// The answer to a question: a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether there are more rows than were asked for.
    pub is_cut: bool,
}

/// A value of the database.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// An integer.
    Integer(i64),
    /// A float.
    Real(f64),
    /// Text; what is not UTF-8 in it is replaced.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// Puts a question to the session in a folder. The session is opened to be read: whatever the question says, nothing is changed.
///
/// # Errors
/// When there is no session, or when the question is not one that SQLite understands. Several statements, and those that write, are refused.
pub fn ask(folder: &Path, question: &str, most: usize) -> Result<Answer, SessionError> {
    let connection = readable(&file_in(folder))?;
    if question.trim().is_empty() {
        return Err(SessionError::Question(
            "there is no question; `SELECT sql FROM sqlite_schema` shows what can be asked".into(),
        ));
    }
    let refused = |error: rusqlite::Error| SessionError::Question(explained(&error, question));
    let mut statement = connection.prepare(question).map_err(refused)?;
    if !statement.readonly() {
        return Err(SessionError::Question(
            "only questions are answered: a session is not changed by hand".into(),
        ));
    }
    let columns = different(&statement.column_names());
    let mut answer = Answer { columns, rows: Vec::new(), is_cut: false };
    let mut rows = statement.query([]).map_err(refused)?;
    while let Some(row) = rows.next().map_err(refused)? {
        if answer.rows.len() == most {
            answer.is_cut = true;
            break;
        }
        let cells = (0..answer.columns.len()).map(|place| row.get_ref(place).map(cell));
        answer.rows.push(cells.collect::<Result<_, _>>().map_err(refused)?);
    }
    Ok(answer)
}

/// The names of columns, each once: a second `a` is `a_2`.
fn different(names: &[&str]) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for name in names {
        let numbered = std::iter::once((*name).to_owned()).chain((2..).map(|n| format!("{name}_{n}")));
        columns.extend(numbered.into_iter().find(|name| !columns.contains(name)));
    }
    columns
}

/// What SQLite says of a question, with the place where it is known.
fn explained(error: &rusqlite::Error, question: &str) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, offset, .. } if *offset >= 0 => {
            let before = question.get(..*offset as usize).unwrap_or_default();
            let line = before.rsplit('\n').next().unwrap_or_default();
            let whole = question.lines().nth(before.matches('\n').count()).unwrap_or_default();
            format!("{msg}\n  {whole}\n  {}^", " ".repeat(line.chars().count()))
        }
        rusqlite::Error::MultipleStatement => {
            "one question at a time: there is something behind the `;`".into()
        }
        other => other.to_string(),
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    }
}
