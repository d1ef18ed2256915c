//! Words and parts that several sections have.

use dodona_records::{FunctionRun, RelationVerdict, RunRecord, RunRelation, Share, SubjectRun};
use maud::{Markup, html};

/// `1 relation`, `2 relations`
pub(crate) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// `12 of 14`; of nothing a dash, for that is no success.
pub(crate) fn share(share: Share) -> String {
    if share.total == 0 { "–".to_owned() } else { format!("{} of {}", share.covered, share.total) }
}

/// A share as a cell of a table that is sorted by its ratio, with a bar.
pub(crate) fn share_cell(share: Option<Share>) -> Markup {
    let Some(share) = share.filter(|share| share.total > 0) else {
        return html! { td.number data-sort="-1" { "–" } };
    };
    let ratio = share.covered as f64 / share.total as f64;
    html! {
        td.number data-sort=(ratio) {
            (share.covered) " of " (share.total)
            span.bar aria-hidden="true" { span style={ "width:" (format!("{:.1}", ratio * 100.0)) "%" } {} }
        }
    }
}

/// What a check says of a relation, in a word, with the class of its colour.
pub(crate) fn verdict(relation: &RunRelation) -> (&'static str, &'static str) {
    match relation.verdict() {
        RelationVerdict::Holds if relation.is_proved() => ("proved", "good"),
        RelationVerdict::Holds => ("holds", "good"),
        RelationVerdict::Violated => ("violated", "bad"),
        RelationVerdict::OnlyAllowed => ("only within its tolerance", "weak"),
        RelationVerdict::NeverEligible => ("never tested", "weak"),
        RelationVerdict::NotRun => ("not run", "weak"),
    }
}

/// [`verdict`] as a badge.
pub(crate) fn badge(relation: &RunRelation) -> Markup {
    let (word, class) = verdict(relation);
    html! { span class={ "badge " (class) } { (word) } }
}

/// All functions of a run, each with its subject.
pub(crate) fn functions(run: &RunRecord) -> impl Iterator<Item = (&SubjectRun, &FunctionRun)> {
    run.subjects.iter().flat_map(|subject| subject.functions.iter().map(move |function| (subject, function)))
}

/// A name with letters, digits, `_` and `-` alone.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

/// The anchor of a relation or a function.
pub(crate) fn anchor(kind: &str, subject: &SubjectRun, name: &str) -> String {
    // Two subjects may have one name, and no two have one manifest.
    format!("{kind}-{}-{}", plain(&subject.manifest), plain(name))
}

/// Where a link leads that leaves the rows of a table with these words.
pub(crate) fn find(table: &str, words: &str) -> String {
    format!("#find/{table}/{words}")
}

/// A name of a function, which leads to its row.
pub(crate) fn function_link(subject: &SubjectRun, function: &str) -> Markup {
    html! { a href={ "#" (anchor("function", subject, function)) } { code { (function) } } }
}

/// A field above a table that leaves rows with these words.
pub(crate) fn filter(table: &str, what: &str) -> Markup {
    html! {
        p.filter {
            label { "Find " (what) ": " input type="search" data-filter=(table) autocomplete="off"; }
            " " output data-count=(table) aria-live="polite" {}
        }
    }
}

/// The head of a table whose columns can be sorted. Those of numbers begin with `#`, and stand at the right as the numbers do.
pub(crate) fn sortable(columns: &[&str]) -> Markup {
    html! {
        thead { tr { @for column in columns {
            @let name = column.trim_start_matches('#');
            th scope="col" class=[(name != *column).then_some("number")] { button type="button" data-sort-by { (name) } }
        } } }
    }
}

/// What a browser does not even read until the `details` around it are opened: a page of a hundred functions opens in half the time. It is text of a script that no browser runs, which nothing ends but
/// `</script`; what we write has no such element, and texts of others have no `<`.
pub(crate) fn inert(content: &Markup) -> Markup {
    html! { script type="text/html" { (content) } }
}

/// A word of a command for a shell; what no shell can be told is shown as it is.
pub(crate) fn word(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}
