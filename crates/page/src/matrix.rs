//! Which relation catches which fault, as a heat map.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::{MutantId, RunRecord, RunRelation, SubjectRun};
use maud::{Markup, html};

use crate::heat::{Heat, Row};
use crate::words::{anchor, counted};

pub(crate) fn matrix(run: &RunRecord) -> Option<Markup> {
    let all: Vec<Heat> = run.subjects.iter().filter_map(of_subject).collect();
    (!all.is_empty()).then(|| {
        html! {
            p { "A row for each relation that catches something, a column for each fault that inputs reveal. Faults that the same relations catch stand beside each other; those that none catches come last. A click on a filled cell, or Enter, leads to the relation; arrows, Page Up, Page Down, Home and End walk." }
            @for one in all { (one.figure()) }
        }
    })
}

/// A fault: the place of its function in the run, and its number, which counts those of that function alone.
pub(crate) type Fault = (usize, MutantId);

/// The relations of a subject that catch something, with what they catch, those that catch most first.
fn catching(subject: &SubjectRun) -> Vec<(&RunRelation, BTreeSet<Fault>)> {
    let mut rows: Vec<(&RunRelation, BTreeSet<Fault>)> = Vec::new();
    for (place, function) in subject.functions.iter().enumerate() {
        for relation in &function.relations {
            let caught: BTreeSet<Fault> = relation.caught.iter().flatten().map(|id| (place, *id)).collect();
            if !caught.is_empty() {
                rows.push((relation, caught));
            }
        }
    }
    rows.sort_by_key(|(_, caught)| std::cmp::Reverse(caught.len()));
    rows
}

fn of_subject(subject: &SubjectRun) -> Option<Heat> {
    let rows = catching(subject);
    if rows.is_empty() {
        return None;
    }
    let revealed = subject.functions.iter().enumerate().flat_map(|(place, function)| {
        function.faults.iter().flat_map(|faults| &faults.revealed).map(move |id| (place, *id))
    });
    let mut catchers: BTreeMap<Fault, Vec<usize>> = revealed.map(|fault| (fault, Vec::new())).collect();
    for (row, (_, caught)) in rows.iter().enumerate() {
        for fault in caught {
            catchers.entry(*fault).or_default().push(row);
        }
    }
    let mut columns: Vec<(Fault, Vec<usize>)> = catchers.into_iter().collect();
    columns.sort_by(|(a, of_a), (b, of_b)| (of_a.is_empty(), of_a, a).cmp(&(of_b.is_empty(), of_b, b)));
    let uncaught = columns.iter().filter(|(_, catchers)| catchers.is_empty()).count();
    let said = format!(
        "{}: {} of {} that inputs reveal, caught by {}",
        subject.subject,
        columns.len() - uncaught,
        counted(columns.len(), "fault"),
        counted(rows.len(), "relation")
    );
    let named = rows.iter().map(|(relation, caught)| Row {
        name: relation.name().to_owned(),
        more: counted(caught.len(), "fault"),
        link: Some(anchor("relation", subject, relation.name())),
    });
    let name = |(place, id): Fault| format!("fault {} of {}", id.0, subject.functions[place].function);
    let columns = columns.iter().map(|(fault, rows)| (name(*fault), rows.as_slice())).collect();
    Some(Heat::new(named.collect(), columns, ["catches", "does not catch"], said))
}
