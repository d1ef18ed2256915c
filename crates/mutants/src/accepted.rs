//! Accepted mutants: mutants that a person has judged. They are recorded in a small text file beside the manifest.
//!
//! ```toml
//! version = 1
//!
//! [[accepted]]
//! operator = "ROR"
//! function = "triangle"
//! before = "a <= 0"
//! after = "a < 0"
//! source_line = "if (a <= 0 || b <= 0 || c <= 0) {"
//! shape = "9ae16a3b2f90404f"
//! reason = "equivalent: a is never zero here"
//! ```
//!
//! An entry describes a mutant by its operator, the text of its source line and the shape of its code, not by its number or
//! line. An edit elsewhere in the program does not lose the entry; an edit of the line makes it stale.

use std::path::{Path, PathBuf};

use dodona_target::Diagnostic;
use serde::{Deserialize, Serialize};
use toml::Spanned;

mod accepted_matching;

pub use accepted_matching::{Matches, Stale, match_entries};

/// The version of the file's format.
const VERSION: u32 = 1;

const HEADER: &str = "# Mutants that a person judged not to matter, and why. Written by `dodona mutate --accept`;\n\
                      # entries may be edited and removed by hand.\n";

/// The properties by which a mutant is recognised after the program was edited.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// The operator's name: `ROR`.
    pub operator: String,
    /// The function's name.
    pub function: String,
    /// What the original and the mutant do, in words.
    pub change: (String, String),
    /// The text of the source line, with white space normalised.
    pub source_line: Option<String>,
    /// A hash of the change and of the code around it. It does not depend on the numbers of locals.
    pub shape: u64,
    /// The number of mutants with the same operator, line and shape that come before it.
    pub occurrence: u32,
}

/// A mutant that a person has judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The mutant.
    pub fingerprint: Fingerprint,
    /// Why it does not matter; never empty.
    pub reason: String,
    /// The line of its entry in the file, from 1; `None` for one that was not read from a file.
    pub line: Option<usize>,
}

/// The mutants that a person has judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceptedMutants {
    /// The entries in their order in the file.
    pub entries: Vec<Accepted>,
}

/// Why a mutant cannot be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("accepting a mutant takes a reason, and this one is empty: say why no test needs to kill it")]
pub struct EmptyReason;

/// The file as it is written.
#[derive(Serialize)]
struct Written<'a> {
    version: u32,
    accepted: Vec<WrittenEntry<'a>>,
}

#[derive(Serialize)]
struct WrittenEntry<'a> {
    operator: &'a str,
    function: &'a str,
    before: &'a str,
    after: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_line: Option<&'a str>,
    shape: String,
    #[serde(skip_serializing_if = "is_zero")]
    occurrence: u32,
    reason: &'a str,
}

/// The file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    version: Spanned<u32>,
    #[serde(default)]
    accepted: Vec<Spanned<ReadEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadEntry {
    operator: String,
    function: String,
    before: String,
    after: String,
    source_line: Option<String>,
    shape: Spanned<String>,
    #[serde(default)]
    occurrence: u32,
    reason: Spanned<String>,
}

impl AcceptedMutants {
    /// The file beside a manifest: `dodona.accepted.toml` beside `dodona.toml`.
    ///
    /// ```
    /// # use std::path::Path;
    /// let path = dodona_mutants::AcceptedMutants::path(Path::new("triangle/dodona.toml"));
    /// assert_eq!(path, Path::new("triangle/dodona.accepted.toml"));
    /// ```
    pub fn path(manifest: &Path) -> PathBuf {
        manifest.with_extension("accepted.toml")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is not TOML, has keys it should not have or lacks some, comes from a newer version, or has an entry
    /// without a reason; each with its place in the text.
    pub fn parse(text: &str) -> Result<AcceptedMutants, Diagnostic> {
        let read: Read = toml::from_str(text).map_err(|e| {
            let span = e.span().unwrap_or(0..0);
            Diagnostic::new(span, format!("the file of accepted mutants does not read: {}", e.message()))
        })?;
        if *read.version.get_ref() != VERSION {
            let message = format!("accepted mutants of version {}, not {VERSION}", read.version.get_ref());
            return Err(Diagnostic::new(read.version.span(), message)
                .hint("it was written by another version of dodona: use that one"));
        }
        let entries = read.accepted.into_iter().map(|entry| entry_of(text, entry));
        Ok(AcceptedMutants { entries: entries.collect::<Result<_, _>>()? })
    }

    /// The text of the file. Entries are sorted, so that the same judgements give the same bytes.
    ///
    /// # Panics
    /// Never: strings and numbers can always be serialised. If that failed, writing a text without entries would lose the
    /// judgements.
    pub fn print(&self) -> String {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|e| order(&e.fingerprint));
        let accepted = entries.into_iter().map(written).collect();
        let body =
            toml::to_string(&Written { version: VERSION, accepted }).expect("strings and numbers serialise");
        format!("{HEADER}{body}")
    }

    /// Adds a mutant, or gives it another reason.
    ///
    /// # Errors
    /// When the reason is empty.
    pub fn accept(&mut self, fingerprint: Fingerprint, reason: &str) -> Result<(), EmptyReason> {
        let reason = reason.trim().to_owned();
        if reason.is_empty() {
            return Err(EmptyReason);
        }
        let fingerprint = fingerprint.normalised();
        self.entries.retain(|e| order(&e.fingerprint) != order(&fingerprint));
        self.entries.push(Accepted { fingerprint, reason, line: None });
        Ok(())
    }
}

impl Fingerprint {
    /// With the white space of the source line normalised.
    #[must_use]
    pub fn normalised(mut self) -> Fingerprint {
        self.source_line = self.source_line.map(|line| normal(&line));
        self
    }
}

/// A line of source with single spaces between its words.
fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The key by which entries are sorted and told apart: the whole fingerprint.
fn order(f: &Fingerprint) -> (&str, Option<&str>, &str, &(String, String), u64, u32) {
    (&f.function, f.source_line.as_deref(), &f.operator, &f.change, f.shape, f.occurrence)
}

fn written(entry: &Accepted) -> WrittenEntry<'_> {
    let f = &entry.fingerprint;
    WrittenEntry {
        operator: &f.operator,
        function: &f.function,
        before: &f.change.0,
        after: &f.change.1,
        source_line: f.source_line.as_deref(),
        shape: format!("{:016x}", f.shape),
        occurrence: f.occurrence,
        reason: &entry.reason,
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn entry_of(text: &str, entry: Spanned<ReadEntry>) -> Result<Accepted, Diagnostic> {
    let line = text[..entry.span().start].matches('\n').count() + 1;
    let entry = entry.into_inner();
    let shape = u64::from_str_radix(entry.shape.get_ref(), 16).map_err(|_| {
        Diagnostic::new(entry.shape.span(), format!("`{}` is not a shape", entry.shape.get_ref()))
            .hint("a shape is 16 hexadecimal digits; `dodona mutate --accept` writes it")
    })?;
    let reason = entry.reason.get_ref().trim().to_owned();
    if reason.is_empty() {
        return Err(Diagnostic::new(entry.reason.span(), EmptyReason.to_string()));
    }
    let fingerprint = Fingerprint {
        operator: entry.operator,
        function: entry.function,
        change: (entry.before, entry.after),
        source_line: entry.source_line,
        shape,
        occurrence: entry.occurrence,
    };
    Ok(Accepted { fingerprint: fingerprint.normalised(), reason, line: Some(line) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fingerprint() -> impl Strategy<Value = Fingerprint> {
        let line = proptest::option::of(any::<String>());
        (any::<String>(), any::<String>(), any::<(String, String)>(), line, any::<u64>(), any::<u32>())
            .prop_map(|(operator, function, change, source_line, shape, occurrence)| {
                Fingerprint { operator, function, change, source_line, shape, occurrence }.normalised()
            })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(entries in prop::collection::vec((fingerprint(), any::<String>()), 0..6)) {
            let mut all = AcceptedMutants::default();
            for (fingerprint, reason) in entries {
                prop_assert_eq!(all.accept(fingerprint, &reason).is_err(), reason.trim().is_empty());
            }
            let text = all.print();
            let read = AcceptedMutants::parse(&text).expect("it was just written");
            prop_assert_eq!(read.print(), text);
            all.entries.sort_by(|a, b| order(&a.fingerprint).cmp(&order(&b.fingerprint)));
            let plain = |entries: &[Accepted]| -> Vec<(Fingerprint, String)> {
                entries.iter().map(|e| (e.fingerprint.clone(), e.reason.clone())).collect()
            };
            prop_assert_eq!(plain(&read.entries), plain(&all.entries));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = AcceptedMutants::parse(&text);
        }
    }

    const ENTRY: &str = "version = 1\n\n[[accepted]]\noperator = \"ROR\"\nfunction = \"f\"\nbefore = \"a\"\n\
                         after = \"b\"\nshape = \"0f\"\nreason = \"same\"\n";

    #[test]
    fn an_entry_knows_its_line() {
        let read = AcceptedMutants::parse(ENTRY).expect("reads");
        assert_eq!((read.entries[0].line, read.entries[0].fingerprint.shape), (Some(3), 15));
        assert_eq!(read.entries[0].fingerprint.occurrence, 0);
    }

    #[test]
    fn bad_files_say_what_is_wrong_and_where() {
        let refused = |from: &str, to: &str| {
            let text = ENTRY.replace(from, to);
            let error = AcceptedMutants::parse(&text).expect_err("refused");
            (error.message, text[error.span].to_owned())
        };
        let (message, at) = refused("\"same\"", "\" \"");
        assert!(message.contains("takes a reason"), "{message}");
        assert_eq!(at, "\" \"");
        assert_eq!(refused("\"0f\"", "\"x\""), ("`x` is not a shape".into(), "\"x\"".into()));
        assert_eq!(refused("version = 1", "version = 2").1, "2");
        assert!(refused("before", "befor").0.contains("befor"));
        assert!(refused("shape = \"0f\"\n", "").0.contains("shape"));
        assert!(refused("[[", "[").0.contains("does not read"));
    }

    #[test]
    fn accepting_again_replaces_the_reason() {
        let mut all = AcceptedMutants::parse(ENTRY).expect("reads");
        let known = all.entries[0].fingerprint.clone();
        all.accept(known.clone(), " better ").expect("has a reason");
        assert_eq!(all.entries.len(), 1);
        assert_eq!(all.entries[0].reason, "better");
        assert_eq!(all.accept(known, " \n"), Err(EmptyReason));
        assert_eq!(all.entries[0].reason, "better");
    }
}
