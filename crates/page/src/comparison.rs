//! How soon techniques of making inputs detect faults: curves, and a table.

use dodona_records::{ComparisonRecord, Spread, TechniqueRow};
use maud::{Markup, html};

use crate::chart::{self, Line, MOST_LINES};
use crate::words::{counted, sortable};

pub(crate) fn comparison(record: &ComparisonRecord) -> Markup {
    let lines: Vec<Line> = record.techniques.iter().map(line).collect();
    let title = "Faulty versions that the first inputs detect, percent of all";
    html! {
        h3 { "How soon techniques detect faults of " (record.function) }
        p {
            (counted(record.faults.len(), "fault")) " of " (counted(record.candidates as usize, "faulty version")) " that were run, "
            (counted(record.repeats as usize, "suite")) " a technique. APFD is the average percentage of faults detected: the area below a curve. A fault that a suite does not detect counts as if an input behind its last did."
        }
        @if record.faults.is_empty() { p.weak { "No suite detects a fault, so that nothing can be compared." } }
        @if let Some(chart) = chart::growth(title, 100.0, " %", &lines) { (chart) }
        @if lines.len() > MOST_LINES { p { "The chart has the first " (MOST_LINES) " techniques." } }
        div.scroll tabindex="0" role="region" aria-label={ "Techniques on " (record.function) } {
            table {
                (sortable(&["Technique", "Order", "#Inputs", "#APFD", "#Detected", "#Generation", "#Ordering"]))
                tbody { @for row in &record.techniques { (technique(row)) } }
            }
        }
    }
}

/// The curve of a technique: nothing is detected by no input.
fn line(row: &TechniqueRow) -> Line {
    let rates = ComparisonRecord::PERCENT.iter().zip(&row.rates);
    let points = rates.map(|(percent, rate)| (f64::from(*percent), 100.0 * rate));
    let points =
        if row.rates.is_empty() { Vec::new() } else { [(0.0, 0.0)].into_iter().chain(points).collect() };
    let apfd = row.apfd.map_or_else(String::new, |apfd| format!(", APFD {:.3}", apfd.mean));
    Line { name: format!("{} by {}{apfd}", row.technique, row.order), points }
}

fn technique(row: &TechniqueRow) -> Markup {
    html! {
        tr {
            th scope="row" { (row.technique) }
            td { (row.order) }
            (spread(Some(row.inputs), 1, ""))
            (spread(row.apfd, 3, ""))
            (spread(row.score, 3, ""))
            (spread(Some(row.generation), 1, " ms"))
            (spread(Some(row.ordering), 1, " ms"))
        }
    }
}

/// A mean with its standard deviation, sorted by the mean; a dash where there is none.
fn spread(spread: Option<Spread>, digits: usize, unit: &str) -> Markup {
    html! {
        @match spread {
            Some(Spread { mean, sd }) => td.number data-sort=(mean) {
                (format!("{mean:.digits$}{unit}"))
                @if let Some(sd) = sd { span.aside { (format!(" ± {sd:.digits$}")) } }
            },
            None => td.number data-sort="-1" { "–" },
        }
    }
}
