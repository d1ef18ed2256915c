//! `dodona query SQL`

use clap::{Args, ValueEnum};
use dodona_session::{Answer, Cell, ask};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, document, write};
use crate::session::{SessionArgs, failure};

const EXAMPLES: &str = "\
Examples:
  dodona query 'SELECT name, verdict, held FROM verdict JOIN relation ON relation = relation.id WHERE run = (SELECT max(id) FROM run)'
  dodona query 'SELECT kind, count(*), sum(seconds) FROM piece GROUP BY kind'
  dodona query \"SELECT sql FROM sqlite_schema\"      the tables, with what their columns mean";

/// Ask the session a question in SQL; nothing is changed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct QueryArgs {
    /// The question: one SELECT
    #[arg(value_name = "SQL")]
    pub(crate) question: String,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: AnswerFormat,
    /// The most rows that are printed
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) rows: usize,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// A format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Columns for people
    #[default]
    Terminal,
    /// Comma-separated values
    Csv,
    /// An array of objects
    Json,
}

/// Prints the answer.
pub(crate) fn run(args: &QueryArgs) -> Result<Exit, Failure> {
    let answer = ask(&args.session.folder, &args.question, args.rows).map_err(failure)?;
    match args.format {
        AnswerFormat::Terminal => write(&table(&answer))?,
        AnswerFormat::Csv => document(&csv(&answer)?)?,
        AnswerFormat::Json => document(&json(&answer))?,
    }
    if answer.is_cut {
        complain(&format!("warning: there are more than {} rows; --rows gives more\n", args.rows));
    }
    Ok(Exit::Success)
}

/// A cell as text; bytes in hexadecimal digits.
fn text(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.clone(),
        Cell::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

/// The most characters of a cell in a table.
const WIDEST: usize = 60;

fn table(answer: &Answer) -> String {
    let one_line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = |text: String| match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    let rows = answer.rows.iter().map(|row| row.iter().map(|cell| cut(one_line(text(cell)))).collect());
    let rows: Vec<Vec<String>> = std::iter::once(answer.columns.clone()).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..answer.columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

fn csv(answer: &Answer) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::new(Exit::Mistake, error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&answer.columns).map_err(failed)?;
    for row in &answer.rows {
        writer.write_record(row.iter().map(text)).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::new(Exit::Mistake, error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn json(answer: &Answer) -> String {
    let value = |cell: &Cell| match cell {
        Cell::Null => serde_json::Value::Null,
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) => (*number).into(),
        Cell::Text(_) | Cell::Bytes(_) => text(cell).into(),
    };
    let object = |row: &Vec<Cell>| {
        let pairs = answer.columns.iter().cloned().zip(row.iter().map(value));
        serde_json::Value::Object(pairs.collect())
    };
    let rows: Vec<serde_json::Value> = answer.rows.iter().map(object).collect();
    format!("{:#}\n", serde_json::Value::Array(rows))
}
