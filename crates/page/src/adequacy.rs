//! k-MR coverage: with how many relations the requirements of each function are tested.

use dodona_records::RunRecord;
use maud::{Markup, html};

use crate::words::{function_link, functions, share_cell, sortable};

pub(crate) fn adequacy(run: &RunRecord) -> Option<Markup> {
    let rows: Vec<_> = functions(run)
        .filter_map(|(subject, function)| Some((subject, function, function.adequacy.as_ref()?)))
        .collect();
    let (_, _, first) = rows.first()?;
    Some(html! {
        p { "A requirement is a direction of a branch, or a statement where there are no branches. It is to be tested with " (first.k) " different relations." }
        div.scroll tabindex="0" role="region" aria-label="Adequacy" {
            table {
                (sortable(&["Function", "Criterion", "Relations", "Tested with k", "Tested by none", "Degree"]))
                tbody {
                    @for (subject, function, adequacy) in rows {
                        tr {
                            th scope="row" { (function_link(subject, &function.function)) }
                            td { (adequacy.criterion) }
                            td.number { (adequacy.relations) }
                            (share_cell(Some(adequacy.tested)))
                            td.number { (adequacy.untested) }
                            (share_cell(Some(adequacy.degree)))
                        }
                    }
                }
            }
        }
    })
}
