//! What is printed of a survey: one screen.

use std::fmt::Write as _;

use dodona_interface::{Interface, Left};
use dodona_records::{Binding, BrokenPromise, SurveyRecord, SurveyedFunction, SurveyedRelation};
use dodona_report::grouped;
use dodona_target::{Signature, on_one_line};

use super::Job;
use super::files::shown;
use super::package::Package;
use crate::crate_functions::{is_named, left_lines, signature_lines};
use crate::shell;

/// The lines of the screen that functions and their relations may take.
const LINES: usize = 16;

/// The widest relation that is shown whole.
const WIDEST: usize = 76;

/// So many promises that are broken are shown.
const BROKEN: usize = 3;

/// So many functions are told of which random inputs show little.
const NOTES: usize = 2;

/// So many names are listed.
const NAMES: usize = 8;

/// What the screen says besides what was found.
#[derive(Clone)]
pub(super) struct Reader {
    /// The crate with its version.
    title: String,
    /// How many of its functions are called, and how many cannot be.
    callable: usize,
    left: usize,
    /// Functions that were asked for by name and cannot be called.
    asked: Vec<Left>,
    /// The words that name the package in a command, with a blank before them.
    words: String,
    manifest: String,
    relations: String,
    time: f64,
    is_first: bool,
}

impl Reader {
    /// Whoever runs this job; `functions` are those that are called.
    pub(super) fn new(job: &Job<'_>, interface: &Interface, functions: &[Signature]) -> Reader {
        let version = interface.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
        let wanted = |left: &&Left| job.args.functions.iter().any(|name| is_named(&left.path, name));
        Reader {
            title: format!("{}{version}", job.package.name),
            callable: functions.len(),
            left: interface.left.len(),
            asked: interface.left.iter().filter(wanted).cloned().collect(),
            words: words(job),
            manifest: shown(&job.home.manifest),
            relations: shown(&job.home.relations),
            time: job.args.time.as_secs_f64(),
            is_first: !job.home.is_kept(),
        }
    }

    fn command(&self, more: &str) -> String {
        format!("cargo dodona{}{more}", self.words)
    }
}

/// The words that name the package and its folder in a command.
fn words(job: &Job<'_>) -> String {
    let package = &job.args.package;
    let name = package.package.iter().map(|name| format!(" --package {name}"));
    let path = package.manifest_path.iter().map(|path| format!(" --manifest-path {}", shell::path(path)));
    let folder = package.folder.iter().map(|folder| format!(" --folder {}", shell::path(folder)));
    name.chain(path).chain(folder).collect()
}

/// The screen.
pub(super) fn screen(record: &SurveyRecord, reader: &Reader, is_written: bool) -> String {
    let mut out = format!("{}: {}", reader.title, plural(reader.callable, "function", "can be called"));
    if reader.left > 0 {
        let _ = write!(out, ", {} cannot ({})", reader.left, reader.command(" --list"));
    }
    out.push('\n');
    for Left { path, why } in &reader.asked {
        let _ = writeln!(out, "  {path} cannot be called: {}", on_one_line(why));
    }
    out += &relations(record, reader);
    out += &notes(record, reader);
    out += &broken(record, reader);
    out += &format!("\n{}", faults(record));
    out += &undone(record, reader);
    if is_written {
        out += &wrote(record, reader);
    }
    out
}

fn plural(count: usize, noun: &str, rest: &str) -> String {
    format!("{} {noun}{} {rest}", grouped(count as u64), if count == 1 { "" } else { "s" })
}

/// The functions with the relations that are proposed: as much as there is room for.
fn relations(record: &SurveyRecord, reader: &Reader) -> String {
    let of = |function: &SurveyedFunction| -> Vec<&SurveyedRelation> {
        record.relations.iter().filter(|one| one.functions.first() == Some(&function.name)).collect()
    };
    let with: Vec<(&SurveyedFunction, Vec<&SurveyedRelation>)> =
        record.functions.iter().map(|f| (f, of(f))).filter(|(_, found)| !found.is_empty()).collect();
    let kept = if reader.is_first { "" } else { "new " };
    if with.is_empty() {
        return format!("\nno {kept}relation was found that holds and catches a fault\n");
    }
    let all: usize = with.iter().map(|(_, found)| found.len()).sum();
    let is_measured = record.relations.iter().any(|one| one.caught.is_some());
    let with_faults = if is_measured { ", each with the seeded faults that it catches" } else { "" };
    let held = format!("held on every input that was tried{with_faults}");
    let mut out = format!("\n{}\n", plural(all, &format!("{kept}relation"), &held));
    let width = record.relations.iter().map(|one| says(one).chars().count()).max().unwrap_or(0).min(WIDEST);
    let is_whole = is_measured && all + with.len() <= LINES;
    let each = if all <= LINES { usize::MAX } else { 1 };
    let mut left = LINES;
    for (function, found) in &with {
        if is_whole {
            let _ = writeln!(out, "  {}{}", function.name, caught(function));
        }
        for one in found.iter().take(each.min(left)) {
            let _ = writeln!(out, "  {}{}", if is_whole { "  " } else { "" }, line(one, width));
            left -= 1;
        }
    }
    let shown = LINES - left;
    if shown < all {
        let _ = writeln!(out, "  … and {} more in {}", all - shown, reader.relations);
    }
    out + &without(record)
}

/// What is known of a function's faults, behind its name.
fn caught(function: &SurveyedFunction) -> String {
    let of = function.revealed.difference(&function.crashed).count();
    match of {
        0 => String::new(),
        of => format!(": {} of {} seeded faults caught", function.caught.len(), of),
    }
}

/// A relation, and what it catches.
fn line(one: &SurveyedRelation, width: usize) -> String {
    let text = cut(&says(one), WIDEST);
    let Some(caught) = &one.caught else { return text };
    let alone = match one.only.len() {
        0 => String::new(),
        only => format!(" ({only} alone)"),
    };
    format!("{text:<width$}  catches {}{alone}", caught.len())
}

/// The relation without its name and header.
fn says(one: &SurveyedRelation) -> String {
    let rest = one.text.trim_start_matches("relation ").trim_start_matches(one.name.as_str());
    match rest.strip_prefix('(').and_then(|header| header.split_once("): ")) {
        Some((_, text)) => text.to_owned(),
        None => rest.trim_start_matches(": ").to_owned(),
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The functions of which nothing was found.
fn without(record: &SurveyRecord) -> String {
    let all = record.relations.iter().chain(&record.accepted);
    let has: std::collections::BTreeSet<&String> = all.flat_map(|one| &one.functions).collect();
    let without: Vec<&str> = record
        .functions
        .iter()
        .map(|f| &f.name)
        .filter(|name| !has.contains(name))
        .map(String::as_str)
        .collect();
    match without.as_slice() {
        [] => String::new(),
        some => {
            let named = some.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
            let more =
                if some.len() > NAMES { format!(" and {} more", some.len() - NAMES) } else { String::new() };
            format!("no relation of {named}{more}\n")
        }
    }
}

/// The functions of which random inputs show little.
fn notes(record: &SurveyRecord, reader: &Reader) -> String {
    let noted =
        || record.functions.iter().filter_map(|function| Some((&function.name, function.note.as_ref()?)));
    let mut out: String = noted()
        .take(NOTES)
        .map(|(name, note)| format!("{name} {}\n", cut(&on_one_line(note), 100)))
        .collect();
    match noted().count() {
        0 => {}
        count => {
            let more = if count > NOTES {
                format!(" ({} more are like this)", count - NOTES)
            } else {
                String::new()
            };
            let _ =
                writeln!(out, "  say in {} what to draw: sample.PARAMETER = {{ … }}{more}", reader.manifest);
        }
    }
    out
}

/// What names promise, and inputs violate.
fn broken(record: &SurveyRecord, reader: &Reader) -> String {
    let mut out = String::new();
    if record.broken.is_empty() {
        return out;
    }
    out += "\nlook at these: names promise them, and an input says otherwise\n";
    for BrokenPromise { text, held, violated, source, sides, why, .. } in record.broken.iter().take(BROKEN) {
        let eligible = held + violated;
        let _ = writeln!(out, "  {text}  violated by {} of {} inputs", grouped(*violated), grouped(eligible));
        let sides = match sides.as_slice() {
            [left, right] => format!("left is {}, right is {}", left.value, right.value),
            _ => why.clone(),
        };
        let _ = writeln!(out, "    {}: {}", Binding::input(source), cut(&on_one_line(&sides), 90));
    }
    if record.broken.len() > BROKEN {
        let _ = writeln!(out, "  … and {} more in {}", record.broken.len() - BROKEN, reader.relations);
    }
    out
}

/// What the relations catch of the faults that were seeded.
fn faults(record: &SurveyRecord) -> String {
    let [mutants, revealed, caught] = record.mutants();
    let crashed: std::collections::BTreeSet<_> =
        record.functions.iter().flat_map(|function| function.crashed.iter().copied()).collect();
    let revealed = revealed.difference(&crashed).count();
    let seeded = grouped(mutants.len() as u64);
    match (mutants.len(), revealed) {
        (0, _) => {
            "seeded faults: none were run, so that it is not known what the relations catch\n".to_owned()
        }
        (_, 0) => format!("seeded faults: {seeded} were run, and no input that was tried reveals one\n"),
        (_, revealed) => {
            let by_themselves = match crashed.len() {
                0 => String::new(),
                some => format!(", {some} more crash or hang by themselves"),
            };
            format!(
                "seeded faults: the relations catch {} of the {} that inputs reveal, of {seeded} that were run{by_themselves}\n",
                grouped(caught.len() as u64),
                grouped(revealed as u64),
            )
        }
    }
}

/// What was not done.
fn undone(record: &SurveyRecord, reader: &Reader) -> String {
    let mut parts = record.undone.clone();
    if record.unconfirmed > 0 {
        parts.push(format!(
            "{} had no time for all of their tests, and are not listed",
            plural(record.unconfirmed, "relation", "that nothing refuted")
        ));
    }
    if parts.is_empty() {
        return String::new();
    }
    let why = if record.is_interrupted {
        "interrupted".to_owned()
    } else {
        format!("the {} s were up", reader.time)
    };
    format!("{why}: {}\n", parts.join("; "))
}

/// What was written, and what can be done next.
fn wrote(record: &SurveyRecord, reader: &Reader) -> String {
    let Reader { manifest, relations, is_first, .. } = reader;
    let mut out = match (is_first, record.relations.len()) {
        (true, _) => {
            format!("wrote {manifest} and {relations}: read the relations, and delete what is not meant\n")
        }
        (false, 0) => format!("{relations} is as it was\n"),
        (false, new) => format!(
            "added {} to {relations}: read them, and delete what is not meant\n",
            plural(new, "relation", "").trim_end()
        ),
    };
    let mut next = Vec::new();
    if !record.relations.is_empty() || !record.accepted.is_empty() {
        next.push((reader.command(""), "checks them, with exit code 1 if one is violated"));
    }
    let more = if record.undone.is_empty() {
        " --again --seed 1".to_owned()
    } else {
        format!(" --again --time {}", 3.0 * reader.time)
    };
    next.push((reader.command(&more), "looks for more, and adds what is new"));
    if !record.functions.iter().all(|function| function.mutants.is_empty()) {
        next.push((format!("dodona mutate {manifest}"), "which faults are left, with an input for each"));
    }
    out += "next:\n";
    let width = next.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    for (command, what) in next {
        let _ = writeln!(out, "  {command:<width$}  {what}");
    }
    out
}

/// The functions of a crate that can be called, and why others cannot.
pub(super) fn listing(package: &Package, interface: &Interface) -> String {
    let mut out = format!(
        "{}{}: {}, {} cannot\n",
        package.name,
        interface.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default(),
        plural(interface.functions.len(), "function", "can be called"),
        interface.left.len()
    );
    out += &signature_lines(interface, usize::MAX);
    out += &left_lines(interface, usize::MAX);
    for (name, declared_in) in &interface.foreign {
        let _ = writeln!(out, "  {name} is of the crate {declared_in}");
    }
    out
}
