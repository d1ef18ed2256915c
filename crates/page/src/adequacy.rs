//! k-MR coverage: with how many relations the requirements of each function are tested, and what is missing.

use dodona_records::{
    AdequacyRecord, Binding, PathShares, RequirementRecord, RunAdequacy, RunRecord, SelectionRecord, Share,
};
use maud::{Markup, html};

use crate::words::{counted, function_link, functions, share_cell, sortable};

pub(crate) fn adequacy(run: &RunRecord) -> Option<Markup> {
    let rows: Vec<_> = functions(run)
        .filter_map(|(subject, function)| Some((subject, function, function.adequacy.as_ref()?)))
        .collect();
    let (_, _, first) = rows.first()?;
    Some(html! {
        p { "A requirement is a direction of a branch, or a statement where there are no branches. It is to be tested with " (first.k) " relations of different forms." }
        div.scroll tabindex="0" role="region" aria-label="Adequacy" {
            table data-groups {
                (sortable(&["Function", "Criterion", "#Relations", "#Tested by some", &format!("#By {}", first.k), "#Degree"]))
                @for (subject, function, adequacy) in rows {
                    tbody {
                        tr {
                            th scope="row" { (function_link(subject, &function.function)) }
                            td { (adequacy.criterion) }
                            td.number { (adequacy.relations) }
                            (share_cell(Some(Share { covered: adequacy.tested.total - adequacy.untested, ..adequacy.tested })))
                            (share_cell(Some(adequacy.tested)))
                            (share_cell(Some(adequacy.degree)))
                        }
                        tr.more { td colspan="6" { (missing(adequacy)) } }
                    }
                }
            }
        }
    })
}

/// A measurement that another command made.
pub(crate) fn measured(record: &AdequacyRecord) -> Markup {
    let of_run = RunAdequacy::of(record);
    html! {
        h3 { "With how many relations " (record.function) " is tested: " (record.criterion) ", k = " (record.k) }
        @if record.whole == 0 {
            p.weak { "There is no requirement: nothing was measured." }
        } @else {
            p { (record.reached) " of " (record.whole) " are reached, a degree of " (format!("{:.3}", record.reached as f64 / record.whole as f64)) ", by " (counted(record.associations as usize, "pair")) " of an input and a relation." }
            (missing(&of_run))
        }
        @if let Some(paths) = &record.paths { (path_shares(paths)) }
        @if !record.violated.is_empty() { p.bad { "Violated: " (record.violated.join(", ")) } }
    }
}

/// Groups that another command selected.
pub(crate) fn selected(record: &SelectionRecord) -> Markup {
    html! {
        (measured(&record.adequacy))
        p { (counted(record.groups.len(), "metamorphic group")) " reach a degree of " (format!("{:.3}", record.degree)) "; no fewer than " (record.least) " do." }
        @if let Some([apc, apcem, appcem]) = record.paths {
            p { "Of paths they cover " (percent(apc)) " (APC), of those that each relation covers " (percent(apcem)) " (APCEM), of pairs of paths " (percent(appcem)) " (APPCEM)." }
        }
    }
}

fn path_shares(PathShares { paths, apcem, appcem }: &PathShares) -> Markup {
    html! { p { "Of " (counted(*paths as usize, "path")) " that groups take a relation covers " (percent(*apcem)) " on average (APCEM), of pairs of paths " (percent(*appcem)) " (APPCEM)." } }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What each number of relations reaches, and the requirements that lack some.
fn missing(adequacy: &RunAdequacy) -> Markup {
    let lack = (adequacy.tested.total - adequacy.tested.covered) as usize;
    html! {
        @if !adequacy.by_k.is_empty() {
            p.by-k { @for (k, reached) in (1..).zip(&adequacy.by_k) {
                span { "k = " (k) ": " (reached) " of " (adequacy.tested.total) } " "
            } }
        }
        @if lack > 0 {
            details {
                summary { (counted(lack, "requirement")) " " (if lack == 1 { "lacks" } else { "lack" }) " relations" }
                table {
                    thead { tr { @for column in ["Requirement", "Relations", "Lacks", "An input for it"] { th scope="col" { (column) } } } }
                    tbody { @for one in &adequacy.lacking { (requirement(one)) } }
                }
                @if lack > adequacy.lacking.len() { p { "These lack most; " code { "dodona adequacy" } " has all." } }
            }
        }
    }
}

fn requirement(one: &RequirementRecord) -> Markup {
    let input = one.best.as_ref().or(one.shown.as_ref()).map(|input| Binding::input(input));
    html! {
        tr {
            th scope="row" { (one.name) }
            td.number { (one.relations) }
            td.number { (one.missing) }
            td { @match (input, &one.best) {
                (Some(input), Some(_)) => code { (input) },
                (Some(input), None) => { code { (input) } ", which no source input is" },
                (None, _) => "none is known",
            } }
        }
    }
}
