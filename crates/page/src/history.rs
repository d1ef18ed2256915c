//! The runs over time: a chart of the score, and a table.

use dodona_records::{RunRecord, Share};
use maud::{Markup, html};

use crate::Page;
use crate::chart;
use crate::sum::{Sum, judged, score};
use crate::words::share;

/// A run before the one that a page is about.
#[derive(Clone, Debug)]
pub struct PastRun {
    /// When it was, in a few words: `run 2, 2026-11-28`.
    pub told: String,
    /// What it found.
    pub record: RunRecord,
}

pub(crate) fn history(page: &Page<'_>) -> Option<Markup> {
    if page.past.is_empty() {
        return None;
    }
    // Where other functions were judged, a score is one of something else.
    let functions = judged(page.run);
    let score_of = |run: &RunRecord| functions.is_subset(&judged(run)).then(|| score(run, &functions));
    let before = page.past.iter().map(|past| (past.told.as_str(), &past.record));
    let runs: Vec<(&str, Sum, Option<Share>)> = before
        .chain([("this run", page.run)])
        .filter_map(|(told, run)| Some((told, Sum::about(run, page.run)?, score_of(run))))
        .collect();
    if runs.len() < 2 {
        return None;
    }
    let ratio = |share: &Share| 100.0 * share.covered as f64 / share.total as f64;
    let ratios: Vec<Option<f64>> = runs
        .iter()
        .map(|(_, _, caught)| caught.as_ref().filter(|share| share.total > 0).map(ratio))
        .collect();
    Some(html! {
        @if let Some(chart) = chart::percentages("Faults that accepted relations catch, percent of those that inputs reveal", &ratios) { (chart) }
        div.scroll tabindex="0" role="region" aria-label="Runs over time" {
            table {
                thead { tr { @for column in ["Run", "Hold", "Proved", "Violated", "Never tested", "Found", "Faults caught"] { th scope="col" class=[(column != "Run").then_some("number")] { (column) } } } }
                tbody {
                    @for (told, sum, caught) in runs.iter().rev() {
                        tr {
                            th scope="row" { (told) }
                            td.number { (sum.hold) }
                            td.number { (sum.proved) }
                            td.number.bad[sum.violated > 0] { (sum.violated) }
                            td.number { (sum.never_tested) }
                            td.number { (sum.found) }
                            td.number { (caught.map_or_else(|| "other functions".to_owned(), share)) }
                        }
                    }
                }
            }
        }
    })
}
