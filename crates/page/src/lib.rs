//! What a run found, as one page for a browser: no file beside it, and nothing is fetched.
//!
//! ```
//! use dodona_page::{Page, PastRun, page};
//! use dodona_records::RunRecord;
//!
//! let html = page(&Page {
//!     run: &RunRecord::default(),
//!     told: "run 3, complete, by Dodona 0.1.0",
//!     next: &[],
//!     past: &[],
//!     beside: &[],
//!     source: &|_, _| None,
//! });
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! ```
//!
//! # Decisions
//! - **One file without a network.** A page is kept with a build, sent by mail and opened years later. The policy in its head forbids every request, so that
//!   a browser enforces it too. The price: the page has its data and its few words of script in it.
//! - **Everything is there without script.** Tables, violations and sources are plain HTML, which can be searched, printed and read aloud. Script sorts, filters, opens sources and draws
//!   the heat map, whose figures stand in the table of relations.
//! - **What is long is inert until it is opened.** Sources and long lists are text that a browser reads when they are opened: of a session with a hundred functions a browser lays out the index alone.
//! - **A fault is one of a function.** Runs number the faults of each function by themselves, so that nothing here compares numbers across functions.

mod adequacy;
mod beside;
mod changes;
mod chart;
mod code;
mod comparison;
mod counterexample;
mod detection;
mod faults;
mod functions;
mod glossary;
mod head;
mod heat;
mod hierarchy;
mod history;
mod kills;
mod matrix;
mod overview;
mod relations;
mod sources;
mod sum;
mod words;

use dodona_records::{RunRecord, SubjectRun};
use maud::{DOCTYPE, Markup, html};

pub use beside::{Beside, Found, NotShown};
pub use history::PastRun;

/// What a page is made of.
#[derive(Clone, Copy)]
pub struct Page<'a> {
    /// The run that it is about.
    pub run: &'a RunRecord,
    /// The run in a few words, which stand below the title: when it was, and by which version.
    pub told: &'a str,
    /// What to do next: commands, each with the reason.
    pub next: &'a [(String, String)],
    /// Runs before it, the oldest first.
    pub past: &'a [PastRun],
    /// What other commands found, which stands behind the run.
    pub beside: &'a [Beside],
    /// The text of a source file, as it is named in the run of a subject; `None` where it is not at hand.
    pub source: &'a dyn Fn(&SubjectRun, &str) -> Option<String>,
}

/// The page of a run.
pub fn page(page: &Page<'_>) -> String {
    let names: Vec<&str> = page.run.subjects.iter().map(|subject| subject.subject.as_str()).collect();
    let title = match names.as_slice() {
        [] => "nothing was run".to_owned(),
        [one] => (*one).to_owned(),
        few if few.len() <= 3 => few.join(", "),
        [first, rest @ ..] => format!("{first} and {}", words::counted(rest.len(), "other subject")),
    };
    let sections = sections(page);
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            (head::head(&title))
            body {
                a.skip href="#main" { "Skip to the results" }
                header {
                    h1 { (title) }
                    p.told { (page.told) }
                    nav aria-label="Sections" {
                        @for section in &sections { a href={ "#" (section.id) } { (section.title) } }
                    }
                }
                main #main {
                    @for section in &sections {
                        section id=(section.id) aria-labelledby={ (section.id) "-title" } {
                            h2 id={ (section.id) "-title" } { (section.title) }
                            (section.content)
                        }
                    }
                }
                footer { "Made by Dodona. Nothing on this page is fetched from elsewhere." }
                (head::script())
            }
        }
    };
    without_controls(html.into_string())
}

/// What nobody sees, or what turns text round, becomes a mark: a source or a name may have such characters, and a page is text.
fn without_controls(html: String) -> String {
    let is_unseen = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if html.contains(is_unseen) { html.replace(is_unseen, "\u{fffd}") } else { html }
}

/// A part of the page with its heading.
struct Section {
    id: &'static str,
    title: &'static str,
    content: Markup,
}

/// The sections that have something to say, in order.
fn sections(page: &Page<'_>) -> Vec<Section> {
    let run = page.run;
    let all = [
        ("overview", "Overview", Some(overview::overview(page))),
        ("violations", "Violations", relations::violations(run)),
        ("functions", "Functions", functions::functions(run)),
        ("relations", "Relations", relations::relations(run)),
        ("faults", "Faults that no relation catches", faults::faults(run)),
        ("matrix", "What each relation catches", matrix::matrix(run)),
        ("adequacy", "With how many relations code is tested", adequacy::adequacy(run)),
        ("sources", "Sources", sources::sources(page)),
        ("history", "Runs over time", history::history(page)),
        ("beside", "From other commands", beside(page.beside)),
        ("words", "Words", Some(glossary::glossary())),
    ];
    all.into_iter()
        .filter_map(|(id, title, content)| Some(Section { id, title, content: content? }))
        .collect()
}

/// What other commands found, in the order given.
fn beside(all: &[Beside]) -> Option<Markup> {
    (!all.is_empty()).then(|| {
        html! { @for Beside { file, found } in all {
            article.beside {
                p.place { (file) }
                @match found {
                    Found::Hierarchy(record) => (hierarchy::hierarchy(file, record)),
                    Found::Comparison(record) => (comparison::comparison(record)),
                    Found::Adequacy(record) => (adequacy::measured(record)),
                    Found::Selection(record) => (adequacy::selected(record)),
                    Found::Kills(matrix) => (kills::kills(matrix)),
                }
            }
        } }
    })
}
