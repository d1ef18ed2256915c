//! A run as Markdown, for the comment of a pull request.

use std::fmt::Write as _;

use dodona_records::{
    AgainstRecord, Binding, ChangedFunction, ChangedRelation, FunctionRun, RelationState, RelationVerdict,
    RunRecord, Share, SideRecord, SubjectRun,
};

use super::left;
use super::run_words::on_a_line;
use crate::text::{arguments, bindings, counted, one_line, short};

/// A table for the comment of a pull request, with the violations below it.
pub(super) fn markdown(record: &RunRecord) -> String {
    let mut out = String::from(
        "| function | hold | violated | never tested | found | mutants caught |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for subject in &record.subjects {
        if let Some(why) = &subject.failure {
            _ = writeln!(out, "| {} | not run: {} | | | | |", cell(&subject.subject), cell(&short(why)));
        }
        for function in &subject.functions {
            row(&mut out, &subject.subject, function);
        }
    }
    for subject in &record.subjects {
        if let Some(left) = left(subject) {
            _ = writeln!(out, "\n{}: {}", cell(&subject.subject), cell(&left));
        }
        if let Some(against) = &subject.against {
            differences(&mut out, &subject.subject, against);
        }
    }
    for relation in record.subjects.iter().flat_map(SubjectRun::violated) {
        let Some(found) = &relation.check.counterexample else { continue };
        let said = on_a_line(&relation.check.text, relation.name());
        _ = writeln!(out, "\n**{} is violated**: `{said}`\n", relation.name());
        let side = |side: &SideRecord| Binding { name: side.text.clone(), value: side.value.clone() };
        let sides: Vec<Binding> = found.sides.iter().map(side).collect();
        let (source, sides) = (arguments(&found.source), bindings(&sides));
        _ = writeln!(out, "```text\n{source}\n{}\n{sides}\n```", found.why);
    }
    out
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    one_line(text).replace('|', "\\|")
}

/// The row of a function.
fn row(out: &mut String, subject: &str, function: &FunctionRun) {
    let count = |state, verdict| {
        function.relations.iter().filter(|r| r.state == state && r.verdict() == verdict).count()
    };
    let accepted = |verdict| count(RelationState::Accepted, verdict);
    let score = function.faults.as_ref().map(|faults| {
        let Share { covered, total } = faults.score();
        format!("{covered} of {total}")
    });
    _ = writeln!(
        out,
        "| `{}` of {} | {} | {} | {} | {} | {} |",
        cell(&function.function),
        cell(subject),
        accepted(RelationVerdict::Holds),
        accepted(RelationVerdict::Violated),
        accepted(RelationVerdict::NeverEligible) + accepted(RelationVerdict::OnlyAllowed),
        count(RelationState::Found, RelationVerdict::Holds),
        score.unwrap_or_default()
    );
}

/// What another version gives otherwise.
fn differences(out: &mut String, subject: &str, against: &AgainstRecord) {
    let AgainstRecord { version, compared, changed, relations, held, .. } = against;
    let (changes, held) = (changed.len(), counted(*held, "relation"));
    let functions = counted(*compared, "function");
    _ = writeln!(
        out,
        "\n{subject} against {version}: {changes} of {functions} changed, {held} hold in both\n"
    );
    for ChangedFunction { function, call, before, now, .. } in changed {
        let [call, before, now] = [call, before, now].map(|text| short(&one_line(text)));
        _ = writeln!(out, "- **changed** `{function}`: `{call}` was `{before}` and is `{now}`");
    }
    for ChangedRelation { name, text, change, .. } in relations {
        let said = short(&on_a_line(text, name));
        _ = writeln!(out, "- **{}** {name}: `{said}`", change.words());
    }
    for warning in &against.warnings {
        _ = writeln!(out, "- {}", one_line(warning));
    }
}
