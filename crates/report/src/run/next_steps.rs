//! What to do after a run: commands, each with its reason.

use std::cmp::Reverse;

use dodona_records::{FunctionRun, ProofVerdict, RepeatedOptions, RunRecord, Share, SubjectRun};

use crate::text::{counted, shell_word};

/// Something to do next.
struct NextStep {
    urgency: Urgency,
    /// How many relations, faults or lines it is about.
    about: u64,
    command: String,
    why: String,
}

/// How soon it should be done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Broken,
    Unfinished,
    Unjudged,
    Uncaught,
    NeverRun,
}

/// What to do next: commands, each with the reason; the most urgent first, and of those the one that is about the most.
pub fn next_steps(record: &RunRecord) -> Vec<(String, String)> {
    let mut steps: Vec<NextStep> =
        record.subjects.iter().flat_map(|subject| steps_of(subject, &record.repeated)).collect();
    steps.sort_by_key(|step| (step.urgency, Reverse(step.about)));
    steps.into_iter().map(|step| (step.command, step.why)).collect()
}

fn steps_of(subject: &SubjectRun, repeated: &RepeatedOptions) -> Vec<NextStep> {
    let session = words(&repeated.session);
    let run = words(&repeated.run);
    let path = folder(&subject.manifest);
    let mut steps = Vec::new();
    let mut add = |urgency, about, command: String, why: String| {
        steps.push(NextStep { urgency, about, command, why });
    };
    if subject.failure.is_some() {
        add(Urgency::Broken, 1, format!("dodona check {path}"), "shows why it cannot be run".to_owned());
        return steps;
    }
    if !subject.left.is_empty() {
        let about = subject.left.len() as u64;
        add(
            Urgency::Unfinished,
            about,
            format!("dodona run {path}{run}{session}"),
            "goes on with what is not done".to_owned(),
        );
    }
    if let Some(violated) = subject.violated().next() {
        let command = match violated.proof {
            // Random inputs do not show it.
            Some(ProofVerdict::Refuted { .. }) => format!("dodona prove {path} {}", violated.name()),
            _ => format!("dodona check {path} --relation {}", violated.name()),
        };
        add(Urgency::Broken, 1, command, "shows both sides: the code is wrong, or the relation".to_owned());
    }
    if subject.unread > 0 {
        let why = format!(
            "names {} that no relation runs any more: this run failed for it, until the file is removed",
            counted(subject.unread, "kept counterexample")
        );
        add(Urgency::Broken, subject.unread, format!("dodona check {path}"), why);
    }
    let found = subject.relations().filter(|relation| relation.is_acceptable()).count() as u64;
    if found > 0 {
        let why = format!("adds {} to those of {}", counted(found, "found relation"), subject.subject);
        add(Urgency::Unjudged, found, format!("dodona accept --subject {path}{session}"), why);
    }
    steps.extend(subject.functions.iter().flat_map(|function| steps_of_function(subject, &path, function)));
    steps
}

/// What to do about what is not caught, and not run, of a function.
fn steps_of_function(subject: &SubjectRun, path: &str, function: &FunctionRun) -> Vec<NextStep> {
    let FunctionRun { function, faults, coverage, .. } = function;
    let mut steps = Vec::new();
    let missed = faults.as_ref().map_or(0, |faults| faults.revealed.len() as u64 - faults.caught_with_found);
    if missed > 0 && subject.violated().next().is_none() {
        let command = format!("dodona discover {path} {function} --time 120");
        let missed_mutants = counted(missed, "missed mutant");
        // What a search writes counts once a manifest names it.
        let why = format!(
            "looks for relations that catch some of {missed_mutants}; its file counts once the manifest names it"
        );
        steps.push(NextStep { urgency: Urgency::Uncaught, about: missed, command, why });
    }
    let shares = coverage.as_ref().map(|coverage| [coverage.statements, coverage.branches]);
    let missed: u64 = shares.iter().flatten().map(|share: &Share| share.total - share.covered).sum();
    if missed > 0 {
        let command = format!("dodona cover {path} {function}");
        let why = "shows the lines and branches that no input runs".to_owned();
        steps.push(NextStep { urgency: Urgency::NeverRun, about: missed, command, why });
    }
    steps
}

/// The path of a subject as a word of a command: its folder, where the manifest has the usual name.
fn folder(manifest: &str) -> String {
    let path = match manifest.strip_suffix("dodona.toml") {
        Some("" | "./") => ".",
        Some("/") => "/",
        Some(folder) => folder.trim_end_matches('/'),
        None => manifest,
    };
    shell_word(path)
}

/// Options as words of a command, each with a space before it.
fn words(options: &[String]) -> String {
    options.iter().map(|option| format!(" {}", shell_word(option))).collect()
}
