//! Which relation catches which fault, as a heat map.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::{MutantId, RunRecord, RunRelation, SubjectRun};
use maud::{Markup, PreEscaped, html};

use crate::words::counted;

pub(crate) fn matrix(run: &RunRecord) -> Option<Markup> {
    let all: Vec<Markup> = run.subjects.iter().filter_map(of_subject).collect();
    (!all.is_empty()).then(|| {
        html! {
            p { "A row for each relation that catches something, a column for each fault that inputs reveal. Faults that the same relations catch stand beside each other. The figures stand in the table of relations." }
            @for one in all { (one) }
        }
    })
}

fn of_subject(subject: &SubjectRun) -> Option<Markup> {
    let mut rows: Vec<(&RunRelation, BTreeSet<MutantId>)> = subject
        .relations()
        .filter_map(|relation| Some((relation, relation.caught.as_ref()?.iter().copied().collect())))
        .filter(|(_, caught): &(_, BTreeSet<MutantId>)| !caught.is_empty())
        .collect();
    if rows.is_empty() {
        return None;
    }
    rows.sort_by_key(|(_, caught)| std::cmp::Reverse(caught.len()));
    let revealed = subject
        .functions
        .iter()
        .flat_map(|function| function.faults.iter().flat_map(|faults| &faults.revealed));
    let mut catchers: BTreeMap<MutantId, Vec<usize>> = revealed.map(|id| (*id, Vec::new())).collect();
    for (row, (_, caught)) in rows.iter().enumerate() {
        for id in caught {
            catchers.entry(*id).or_default().push(row);
        }
    }
    let mut columns: Vec<(MutantId, Vec<usize>)> = catchers.into_iter().collect();
    // Those that the same relations catch become neighbours; those that none catches come last.
    columns.sort_by(|(a, of_a), (b, of_b)| (of_a.is_empty(), of_a, a).cmp(&(of_b.is_empty(), of_b, b)));
    let uncaught = columns.iter().filter(|(_, catchers)| catchers.is_empty()).count();
    let said = format!(
        "{}: {} of {} that inputs reveal, caught by {}",
        subject.subject,
        columns.len() - uncaught,
        counted(columns.len(), "fault"),
        counted(rows.len(), "relation")
    );
    Some(html! {
        figure.matrix {
            figcaption { (said) }
            canvas tabindex="0" role="img" aria-label={ "Heat map: " (said) } {}
            output aria-live="polite" {}
            details { summary { "The rows, from the top" } ol { @for (relation, caught) in &rows { li { code { (relation.name()) } " " (caught.len()) } } } }
            script type="application/json" { (PreEscaped(data(&rows, &columns))) }
        }
    })
}

/// The names of rows and columns, and for each row its cells as hexadecimal digits, four cells in each.
fn data(rows: &[(&RunRelation, BTreeSet<MutantId>)], columns: &[(MutantId, Vec<usize>)]) -> String {
    let names: Vec<String> = rows.iter().map(|(relation, _)| format!("\"{}\"", relation.name())).collect();
    let ids: Vec<String> = columns.iter().map(|(id, _)| id.0.to_string()).collect();
    let cells = |(_, caught): &(&RunRelation, BTreeSet<MutantId>)| -> String {
        let digit = |four: &[(MutantId, Vec<usize>)]| {
            let bits =
                four.iter().enumerate().map(|(place, (id, _))| u32::from(caught.contains(id)) << (3 - place));
            char::from_digit(bits.sum(), 16).unwrap_or('0')
        };
        format!("\"{}\"", columns.chunks(4).map(digit).collect::<String>())
    };
    let cells: Vec<String> = rows.iter().map(cells).collect();
    format!(
        "{{\"rows\":[{}],\"columns\":[{}],\"cells\":[{}]}}",
        names.join(","),
        ids.join(","),
        cells.join(",")
    )
}
