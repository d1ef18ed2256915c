//! The formats of reports, and what can be written in them.

use serde::Serialize;

use crate::Styles;
use crate::layout::fitted;

/// A format of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text for people, with tables.
    #[default]
    Terminal,
    /// One JSON document of the whole record.
    Json,
    /// JUnit XML.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// Comma-separated values.
    Csv,
    /// SARIF 2.1.0.
    Sarif,
    /// A tracefile of LCOV.
    Lcov,
    /// Cobertura XML.
    Cobertura,
    /// A graph for Graphviz.
    Dot,
    /// A drawing.
    Svg,
    /// Markdown, for the comment of a pull request.
    Markdown,
}

impl Format {
    /// The formats that every record has.
    pub const COMMON: [Format; 2] = [Format::Terminal, Format::Json];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Terminal => "terminal",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Github => "github",
            Format::Csv => "csv",
            Format::Sarif => "sarif",
            Format::Lcov => "lcov",
            Format::Cobertura => "cobertura",
            Format::Dot => "dot",
            Format::Svg => "svg",
            Format::Markdown => "markdown",
        }
    }

    /// What it is, for the help of the command line.
    pub fn words(self) -> &'static str {
        match self {
            Format::Terminal => "For people",
            Format::Json => "One JSON document",
            Format::Junit => "JUnit XML",
            Format::Github => "Annotations of GitHub Actions",
            Format::Csv => "Comma-separated values, a line for each row of the table",
            Format::Sarif => "SARIF, for code scanning",
            Format::Lcov => "A tracefile for lcov and genhtml",
            Format::Cobertura => "Cobertura XML, for continuous integration",
            Format::Dot => "A graph for Graphviz",
            Format::Svg => "A drawing",
            Format::Markdown => "Markdown, for the comment of a pull request",
        }
    }
}

/// A record, or a list of them, that is reported in several formats.
///
/// A format that all records can have is a variant of [`Format`], one of [`Format::COMMON`], and a method here that is made of what records
/// have in common; one of a few records is one of their [`Report::OTHERS`].
pub trait Report: Serialize {
    /// The formats besides [`Format::COMMON`].
    const OTHERS: &'static [Format] = &[];

    /// For people. It ends in a newline.
    fn terminal(&self, styles: Styles) -> String;

    /// One JSON document, ending in a newline.
    ///
    /// # Panics
    /// Never: records hold nothing that JSON cannot.
    fn json(&self) -> String {
        pretty(self)
    }

    /// In one of [`Report::OTHERS`]; `None` for any other format.
    fn other(&self, _format: Format) -> Option<String> {
        None
    }

    /// For people, with what [`Report::terminal`] leaves out because a first screen has no place for it: what `--all` prints. It ends in a newline.
    fn whole(&self, styles: Styles) -> String {
        self.terminal(styles)
    }

    /// In any format that it has.
    ///
    /// # Panics
    /// For a format that it does not have.
    fn report(&self, format: Format, styles: Styles) -> String {
        match format {
            Format::Terminal => fitted(&self.terminal(styles), styles.width),
            Format::Json => self.json(),
            other => self.other(other).unwrap_or_else(|| panic!("no {} of this record", other.name())),
        }
    }
}

/// A record whose report for people has a first screen that leaves out how the result came about.
pub trait Explained: Report {
    /// All of it: the first screen, and below it what was tried, refuted and computed.
    fn explained(&self, styles: Styles) -> String;
}

/// JSON as people read it, ending in a newline.
pub(crate) fn pretty(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string_pretty(value).expect("records are maps with string keys") + "\n"
}
