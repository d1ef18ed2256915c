//! Composite relations as a file of the relation language, with their evidence in comments.

use std::fmt::Write as _;

use dodona_records::{CompositeRelation, CompositionRecord};

use super::composition_words::{basics, chosen, given, held, layer, left_out, stop, together};
use crate::discovery::discovery_words::proof;
use crate::text::comment;

/// Which composite relations a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComposedRelations {
    /// Those that are chosen; all where no mutant tells them apart.
    Chosen,
    /// All.
    All,
}

/// A file of relations (`.mr`): a comment on how it was made, then each composite relation under a comment with its evidence. `None` if
/// there is no relation to write.
///
/// `command` is how the composition was asked for: the same one writes the same file.
pub fn composed_file(record: &CompositionRecord, which: ComposedRelations, command: &str) -> Option<String> {
    let relations = match which {
        ComposedRelations::Chosen => chosen(record),
        ComposedRelations::All => record.relations.iter().collect(),
    };
    if relations.is_empty() {
        return None;
    }
    // Writing to a `String` cannot fail.
    let mut out = String::new();
    header(record).iter().for_each(|line| comment(&mut out, line));
    // Not broken into lines, so that it can be copied.
    let _ = writeln!(out, "#   {}", command.replace(char::is_control, " "));
    for relation in relations {
        out.push('\n');
        evidence(record, relation).iter().for_each(|line| comment(&mut out, line));
        let _ = writeln!(out, "{}", relation.text.trim_end());
    }
    Some(out)
}

fn header(record: &CompositionRecord) -> Vec<String> {
    let CompositionRecord { subject, seed, .. } = record;
    let names: Vec<&str> = record.basics.iter().map(|basic| basic.name.as_str()).collect();
    let mut lines = vec![
        format!("Relations of {subject}, composed with seed {seed}: read before they are relied on."),
        format!("Made of {}; these are {}.", basics(record), names.join(", ")),
    ];
    lines.extend(left_out(record).map(|words| format!("{words}.")));
    lines.extend(given(record).map(|words| format!("{}.", first_upper(&words))));
    if let Some(words) = stop(record.stop) {
        lines.push(format!("It ended early, because {words}: another run may find more."));
    }
    lines.extend(record.layers.iter().map(|one| format!("{}.", layer(one, record.inputs))));
    if record.killed_by_all().covered > 0 {
        lines.push(format!("{}.", together(record)));
    }
    lines
}

fn evidence(record: &CompositionRecord, relation: &CompositeRelation) -> Vec<String> {
    let mut lines = vec![format!("{}; {}", proof(relation.proof), held(relation))];
    if !record.mutants.is_empty() {
        lines.push(format!("kills {} of {} mutants", relation.killed.len(), record.mutants.len()));
    }
    lines
}

/// The words as the beginning of a sentence.
fn first_upper(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
