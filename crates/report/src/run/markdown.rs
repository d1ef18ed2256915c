//! A run for the comment of a pull request.

use std::fmt::Write as _;

use dodona_records::{Binding, RelationState, RelationVerdict, RunRecord, Share};

use super::{accepted, statement};
use crate::text::{bindings, one_line, short};

/// A table for the comment of a pull request, with the violations below it.
pub(super) fn markdown(record: &RunRecord) -> String {
    let mut out = String::from(
        "| function | hold | violated | found | faults caught |\n| --- | --- | --- | --- | --- |\n",
    );
    let cell = |text: &str| one_line(text).replace('|', "\\|");
    for subject in &record.subjects {
        if let Some(why) = &subject.failure {
            _ = writeln!(out, "| {} | not run: {} | | | |", cell(&subject.subject), cell(&short(why)));
        }
        for function in &subject.functions {
            let count = |state, verdict| {
                function.relations.iter().filter(|r| r.state == state && r.verdict() == verdict).count()
            };
            let (accepted, found) = (RelationState::Accepted, RelationState::Found);
            let score = function.faults.as_ref().map(|faults| {
                let Share { covered, total } = faults.score();
                format!("{covered} of {total}")
            });
            _ = writeln!(
                out,
                "| `{}` of {} | {} | {} | {} | {} |",
                cell(&function.function),
                cell(&subject.subject),
                count(accepted, RelationVerdict::Holds),
                count(accepted, RelationVerdict::Violated),
                count(found, RelationVerdict::Holds),
                score.unwrap_or_default()
            );
        }
    }
    for relation in record.subjects.iter().flat_map(accepted) {
        if let (RelationVerdict::Violated, Some(found)) = (relation.verdict(), &relation.check.counterexample)
        {
            let said = statement(&relation.check.text, relation.name());
            _ = writeln!(out, "\n**{} is violated**: `{said}`\n", relation.name());
            let sides =
                found.sides.iter().map(|side| Binding { name: side.text.clone(), value: side.value.clone() });
            let sides: Vec<Binding> = sides.collect();
            _ = writeln!(
                out,
                "```text\n{}\n{}\n{}\n```",
                bindings(&found.source),
                found.why,
                bindings(&sides)
            );
        }
    }
    out
}
