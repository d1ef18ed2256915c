//! What other commands found, which stands on a page beside the run.

use dodona_records::{
    AdequacyRecord, ComparisonRecord, FORMAT_VERSION, HierarchyRecord, KillMatrix, MatrixError,
    SelectionRecord,
};

/// What another command found, with the name of the file that has it.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The file, as a person named it.
    pub file: String,
    /// What is in it.
    pub found: Found,
}

/// What other commands found.
#[derive(Clone, Debug)]
pub enum Found {
    /// `dodona hierarchy --format json`: which faults stand for all.
    Hierarchy(Box<HierarchyRecord>),
    /// `dodona compare --format json`: how soon techniques detect faults.
    Comparison(Box<ComparisonRecord>),
    /// `dodona adequacy --format json`: with how many relations each requirement is tested.
    Adequacy(Box<AdequacyRecord>),
    /// `dodona select --format json`: the groups that reach a degree of adequacy.
    Selection(Box<SelectionRecord>),
    /// `dodona mutate --matrix FILE`: which input reveals which mutant.
    Kills(Box<KillMatrix>),
}

/// Why a file is nothing that a page shows.
#[derive(Debug, thiserror::Error)]
pub enum NotShown {
    /// It is a damaged kill matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// It is a kill matrix as a table.
    #[error(
        "this is the table of `mutate --matrix FILE.csv`; a page takes the compact form, which the command writes to a FILE with another ending"
    )]
    Table,
    /// It does not begin as text of JSON: it is empty, in another encoding, or something else.
    #[error(
        "it is empty, or no JSON in UTF-8; a page takes what `--format json` prints of hierarchy, compare, adequacy and select, and the file of `mutate --matrix`"
    )]
    NoText,
    /// It is a record of another version of the format.
    #[error(
        "it has the format {0} of another version of Dodona, and this one has {FORMAT_VERSION}; the command that wrote it writes it again"
    )]
    Version(u64),
    /// It is damaged JSON, or the record of it is.
    #[error("line {line}, column {column}: {why}; the command that wrote it writes it again", line = .0.line(), column = .0.column(), why = words(.0))]
    Json(#[from] serde_json::Error),
    /// It is JSON of something else.
    #[error(
        "no record that a page shows: it takes the JSON of hierarchy, compare, adequacy and select (--format json), and the file of `mutate --matrix`"
    )]
    Another,
}

/// The most characters of what is wrong that are told.
const LONGEST: usize = 200;

/// What is wrong with JSON, without the place at its end.
fn words(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    // A wrong value may be as long as the file.
    match said.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &said[..end]),
        None => said.to_owned(),
    }
}

impl Found {
    /// Reads a file that a command wrote.
    ///
    /// ```
    /// use dodona_page::{Found, NotShown};
    /// assert!(matches!(Found::read(b"{\"a\": 1}"), Err(NotShown::Another)));
    /// assert!(matches!(Found::read(b"{\"a\": 1"), Err(NotShown::Json(_))));
    /// ```
    ///
    /// # Errors
    /// Where it is damaged, or has something that a page does not show.
    pub fn read(bytes: &[u8]) -> Result<Found, NotShown> {
        if KillMatrix::is_file(bytes) {
            return match bytes.starts_with(b"mutant,") {
                true => Err(NotShown::Table),
                false => Ok(Found::Kills(Box::new(KillMatrix::read(bytes)?))),
            };
        }
        let json: serde_json::Value = match serde_json::from_slice(bytes) {
            Err(error) if error.line() == 1 && error.column() <= 1 => return Err(NotShown::NoText),
            read => read?,
        };
        let has = |field: &str| json.get(field).is_some();
        let version = json.get("adequacy").unwrap_or(&json).get("format_version").and_then(|v| v.as_u64());
        if let Some(other) = version.filter(|version| *version != u64::from(FORMAT_VERSION)) {
            return Err(NotShown::Version(other));
        }
        // Fields that no other record has. The second reading, of the bytes, can tell where a record is damaged.
        Ok(match () {
            () if has("dominators") => Found::Hierarchy(serde_json::from_slice(bytes)?),
            () if has("techniques") => Found::Comparison(serde_json::from_slice(bytes)?),
            () if has("wanted") => Found::Selection(serde_json::from_slice(bytes)?),
            () if has("requirements") => Found::Adequacy(serde_json::from_slice(bytes)?),
            () => return Err(NotShown::Another),
        })
    }
}
