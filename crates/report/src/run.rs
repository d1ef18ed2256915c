//! A run of everything, for people: what holds, what is violated, what was found, what nothing catches and nothing runs, and what to do next.

mod markdown;
mod next_steps;
mod run_words;
mod sarif;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dodona_records::{
    AgainstRecord, Change, ChangedFunction, CheckRecord, FORMAT_VERSION, FileLines, FunctionRun,
    RelationState, RelationVerdict, RunAdequacy, RunRecord, RunRelation, Share, StopReason, SubjectRun,
    SurvivingLine,
};

use crate::pieces::as_many_as_fit;
use crate::text::{Styled, arguments, counted, heading, one_line, short};
use crate::{Format, Report, Styles};
use markdown::markdown;
pub use next_steps::next_steps;
use run_words::{
    caught, code, counted_hold, cut, gives, more, of_functions, on_a_line, ranges, value, violation,
};

/// The most lines of the first screen about functions, violations, survivors, and steps: together with what stands around them they are no more than 30. Of survivors so many are shown as fit on
/// a screen.
const MOST_FUNCTIONS: usize = 10;
/// Subjects take two lines each besides their functions.
const MOST_SUBJECTS: usize = 4;
const MOST_VIOLATED: usize = 3;
const MOST_UNTESTED: usize = 2;
const MOST_SURVIVING: usize = 5;
const MOST_NEVER_RUN: usize = 2;
const MOST_STEPS: usize = 3;
const MOST_CHANGED: usize = 4;

impl Report for RunRecord {
    const OTHERS: &'static [Format] = &[Format::Junit, Format::Github, Format::Sarif, Format::Markdown];

    /// The first screen.
    fn terminal(&self, styles: Styles) -> String {
        as_many_as_fit(MOST_SURVIVING, styles, |most| Screen { record: self, styles, most }.text())
    }

    fn other(&self, format: Format) -> Option<String> {
        match format {
            Format::Junit => Some(crate::junit::junit(&checks(self))),
            Format::Github => Some(crate::github::github(&checks(self))),
            Format::Sarif => Some(sarif::sarif(self)),
            Format::Markdown => Some(markdown(self)),
            _ => None,
        }
    }
}

/// The accepted relations as the records of a check, for formats that know relations alone.
fn checks(record: &RunRecord) -> Vec<CheckRecord> {
    let one = |subject: &SubjectRun| match &subject.failure {
        Some(why) => CheckRecord::failed(subject.manifest.clone(), record.seed, why.clone()),
        None => CheckRecord {
            format_version: FORMAT_VERSION,
            subject: subject.subject.clone(),
            manifest: subject.manifest.clone(),
            seed: record.seed,
            stop: StopReason::SourcesRun { sources: subject.relations().map(|r| r.check.sources).sum() },
            relations: subject.accepted().map(|relation| relation.check.clone()).collect(),
            warnings: subject.warnings.iter().chain(&left(subject)).cloned().collect(),
            unread: 0,
            min_eligible: None,
            adequacy: Vec::new(),
            schedule: None,
            failure: None,
        },
    };
    record.subjects.iter().map(one).collect()
}

/// What was left, in one sentence.
fn left(subject: &SubjectRun) -> Option<String> {
    let first = subject.left.first()?;
    let more = match subject.left.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("not done: {first}{more}; the next run goes on there"))
}

struct Screen<'a> {
    record: &'a RunRecord,
    styles: Styles,
    /// The most lines with survivors that are shown.
    most: usize,
}

impl Screen<'_> {
    fn text(&self) -> String {
        let mut out = String::new();
        let functions: usize = self.record.subjects.iter().map(|subject| subject.functions.len()).sum();
        let mut room = MOST_FUNCTIONS;
        // What cannot be run is told first, and what is violated before what holds.
        let mut subjects: Vec<&SubjectRun> = self.record.subjects.iter().collect();
        if subjects.len() > MOST_SUBJECTS {
            subjects.sort_by_key(|subject| (subject.failure.is_none(), subject.violated().next().is_none()));
        }
        for subject in subjects.iter().take(MOST_SUBJECTS) {
            self.subject(&mut out, subject, &mut room);
        }
        more(&mut out, subjects.len(), MOST_SUBJECTS, "more subject");
        if functions > MOST_FUNCTIONS && subjects.len() <= MOST_SUBJECTS {
            _ = writeln!(
                out,
                "  and {} (--format json has all)",
                counted((functions - MOST_FUNCTIONS) as u64, "more function")
            );
        }
        self.violated(&mut out);
        self.surviving(&mut out);
        self.never_run(&mut out);
        self.tested_by_few(&mut out);
        let steps = next_steps(self.record);
        let is_any = |verdict| {
            self.record.subjects.iter().flat_map(SubjectRun::accepted).any(|r| r.verdict() == verdict)
        };
        match steps.is_empty() {
            false => _ = writeln!(out, "next:"),
            // Where no mutant was run, or inputs reveal none, nothing says so.
            true if is_any(RelationVerdict::Holds) && self.all_have_revealed_mutants() => {
                _ = writeln!(out, "relations catch every mutant that inputs reveal");
            }
            true => {}
        }
        for (command, why) in steps.iter().take(MOST_STEPS) {
            _ = writeln!(out, "  {command}    {why}");
        }
        out
    }

    fn all_have_revealed_mutants(&self) -> bool {
        let mut functions = self.record.subjects.iter().flat_map(|subject| &subject.functions);
        functions.all(|function| function.faults.as_ref().is_some_and(|faults| !faults.revealed.is_empty()))
    }

    fn subject(&self, out: &mut String, subject: &SubjectRun, room: &mut usize) {
        _ = writeln!(out, "{}", heading(&subject.subject, &subject.manifest, self.styles));
        if let Some(why) = &subject.failure {
            let first = why.lines().next().unwrap_or_default();
            _ = writeln!(out, "  {}", Styled(self.styles.bad, format!("not run: {}", short(first))));
        }
        if let Some(against) = &subject.against {
            self.against(out, against);
        }
        // Functions with something to tell come first.
        let mut functions: Vec<&FunctionRun> = subject.functions.iter().collect();
        functions.sort_by_key(|function| !has_violation(function));
        for function in functions.into_iter().take(*room) {
            let is_left = !subject.left.is_empty() && function.relations.is_empty();
            _ = match is_left {
                true => writeln!(out, "  {}: not all is done", function.function),
                false => writeln!(out, "  {}", self.function(function)),
            };
            *room -= 1;
        }
        for contradiction in &subject.contradictions {
            _ = writeln!(
                out,
                "  {}",
                Styled(self.styles.bad, format!("a mistake in Dodona: {}", short(contradiction)))
            );
        }
        if let Some(left) = left(subject) {
            _ = writeln!(out, "  {}", Styled(self.styles.doubtful, left));
        }
        if let Some(first) = subject.warnings.first() {
            let more = match subject.warnings.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            _ = writeln!(out, "  warning: {}{more}", short(&one_line(first)));
        }
    }

    /// What another version gives otherwise.
    fn against(&self, out: &mut String, against: &AgainstRecord) {
        let AgainstRecord { version, compared, changed, relations, held, violated, warnings } = against;
        if *compared == 0 {
            let why = warnings.first().map(|why| short(&one_line(why))).unwrap_or_default();
            let said = format!("not compared with {}: {why}", short(version));
            _ = writeln!(out, "  {}", Styled(self.styles.bad, said));
            return;
        }
        let same = match changed.len() {
            0 => format!("{} the same results", gives(*compared)),
            some => format!("{} of {} changed", some, counted(*compared, "function")),
        };
        let both = match violated {
            0 => format!("{} in both", counted_hold(*held)),
            some => format!("{} in both, {some} violated in both", counted_hold(*held)),
        };
        _ = writeln!(out, "  against {}: {same}; {both}", short(version));
        for one in changed.iter().take(MOST_CHANGED) {
            let ChangedFunction { function, calls, differing, call, before, now } = one;
            let said = format!("changed: {function}");
            let differ = format!("{differing} of {} differ", counted(*calls, "call"));
            _ = writeln!(
                out,
                "    {}  {differ}: {} was {} and is {}",
                Styled(self.styles.doubtful, said),
                cut(call),
                value(before),
                value(now)
            );
        }
        more(out, changed.len(), MOST_CHANGED, "more function");
        for one in relations.iter().take(MOST_CHANGED) {
            let style =
                if one.change == Change::NewlyViolated { self.styles.bad } else { self.styles.doubtful };
            let said = format!("{}: {}", one.change.words(), one.name);
            _ = writeln!(out, "    {}  {}", Styled(style, said), short(&on_a_line(&one.text, &one.name)));
            if let Some(counterexample) = &one.counterexample {
                _ = writeln!(out, "      {}", violation(counterexample));
            }
            if let Some([before, now]) = one.caught {
                _ = writeln!(out, "      {before} and now {}", counted(now, "mutant"));
            }
        }
        more(out, relations.len(), MOST_CHANGED, "more relation");
        for warning in warnings.iter().take(1) {
            _ = writeln!(out, "    warning: {}", short(&one_line(warning)));
        }
    }

    /// `gcd: 6 relations hold; 10 found, not accepted; catches 250 of 255 mutants (0.98), 254 with what was found`
    fn function(&self, function: &FunctionRun) -> String {
        let count = |state, verdict| {
            let is_one = |r: &&RunRelation| r.state == state && r.verdict() == verdict;
            function.relations.iter().filter(is_one).count() as u64
        };
        let of_accepted = |verdict| count(RelationState::Accepted, verdict);
        let mut parts = Vec::new();
        let (held, violated) = (of_accepted(RelationVerdict::Holds), of_accepted(RelationVerdict::Violated));
        if violated > 0 {
            parts.push(
                Styled(self.styles.bad, format!("{} violated", counted(violated, "relation"))).to_string(),
            );
        }
        if held > 0 {
            let proved =
                function.relations.iter().filter(|r| r.state == RelationState::Accepted && r.is_proved());
            let proved = match proved.count() as u64 {
                0 => String::new(),
                all if all == held => ", proved".to_owned(),
                some => format!(", {some} of them proved"),
            };
            parts.push(Styled(self.styles.good, counted_hold(held) + &proved).to_string());
        }
        let untested =
            of_accepted(RelationVerdict::NeverEligible) + of_accepted(RelationVerdict::OnlyAllowed);
        if untested > 0 {
            parts.push(Styled(self.styles.doubtful, format!("{untested} never tested")).to_string());
        }
        match count(RelationState::Found, RelationVerdict::Holds) {
            0 if function.relations.is_empty() => parts.push("no relation".to_owned()),
            0 => {}
            found => parts.push(format!("{found} found, not accepted")),
        }
        if violated > 0 && held == 0 {
            // A relation that is violated on the code as it is tells no mutant from it.
            parts.push("what it catches is known once it holds".to_owned());
        } else if let Some(faults) = &function.faults {
            parts.push(caught(faults.score(), faults.score_with_found(), faults.not_run));
        }
        format!("{}: {}", function.function, parts.join("; "))
    }

    fn violated(&self, out: &mut String) {
        let of = |subject: &'_ SubjectRun| match self.record.subjects.len() {
            1 => String::new(),
            _ => format!(" of {}", subject.subject),
        };
        // What a search found and a check refuted is nobody's relation.
        let subjects = self.record.subjects.iter();
        let violated: Vec<(&SubjectRun, &RunRelation)> =
            subjects.flat_map(|subject| subject.violated().map(move |r| (subject, r))).collect();
        for (subject, relation) in violated.iter().take(MOST_VIOLATED) {
            let check = &relation.check;
            let said = format!("violated: {}{}", check.name, of(subject));
            let statement = on_a_line(&check.text, &check.name);
            _ = writeln!(out, "{}  {}", Styled(self.styles.bad, said), short(&statement));
            if let Some(counterexample) = &check.counterexample {
                _ = writeln!(out, "    {}", violation(counterexample));
            }
        }
        more(out, violated.len(), MOST_VIOLATED, "more violated relation");
        let untested =
            self.record.subjects.iter().flat_map(SubjectRun::accepted).filter(|r| {
                matches!(r.verdict(), RelationVerdict::NeverEligible | RelationVerdict::OnlyAllowed)
            });
        for relation in untested.take(MOST_UNTESTED) {
            let said = format!("never tested: {}", relation.name());
            let why = match (&relation.check.outside, relation.check.skipped().next()) {
                (Some(outside), _) => format!("; {outside}"),
                (None, Some((ended, _))) => format!("; its calls {ended}"),
                (None, None) => String::new(),
            };
            let statement = on_a_line(&relation.check.text, relation.name());
            _ = writeln!(
                out,
                "{}  {}{}",
                Styled(self.styles.doubtful, said),
                short(&statement),
                short(&one_line(&why))
            );
        }
    }

    fn surviving(&self, out: &mut String) {
        // What is violated is mended first: mutants of broken code say little.
        let whole = self.record.subjects.iter().filter(|subject| subject.violated().next().is_none());
        let functions = whole.flat_map(|subject| &subject.functions);
        let mut lines: Vec<&SurvivingLine> =
            functions.filter_map(|f| f.faults.as_ref()).flat_map(|f| &f.surviving).collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.mutants.len()));
        // Two functions that call the same code have the same survivors in it.
        let mut seen = BTreeSet::new();
        lines.retain(|line| {
            seen.insert((line.place.file.clone(), line.place.function.clone(), line.place.line))
        });
        if !lines.is_empty() {
            _ = writeln!(out, "mutants that inputs reveal and no accepted relation catches, by line:");
        }
        for line in lines.iter().take(self.most) {
            let SurvivingLine { place, before, after, input, expected, found, .. } = line;
            let would = match &line.would_catch {
                Some(name) => format!("; {name} would catch it"),
                None => String::new(),
            };
            let mutants = counted(line.mutants.len() as u64, "mutant");
            let said = format!(
                "{place}  {mutants}, such as {} → {}: for {} it gives {}, the original {}{would}",
                code(before),
                code(after),
                cut(&arguments(input)),
                value(found),
                value(expected)
            );
            _ = writeln!(out, "  {said}");
        }
        more(out, lines.len(), self.most, "more line");
    }

    fn never_run(&self, out: &mut String) {
        let functions = self.record.subjects.iter().flat_map(|subject| &subject.functions);
        let covered: Vec<_> = functions.filter_map(|function| function.coverage.as_ref()).collect();
        let (mut run, mut never) = (BTreeSet::new(), BTreeSet::new());
        for FileLines { file, run: of_file, never_run, .. } in
            covered.iter().flat_map(|coverage| &coverage.files)
        {
            run.extend(of_file.iter().map(|line| (file.as_str(), *line)));
            never.extend(never_run.iter().map(|line| (file.as_str(), *line)));
        }
        // What one function leaves out another one may run.
        let mut files: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (file, line) in never.difference(&run) {
            files.entry(file).or_default().push(*line);
        }
        let total = files.len();
        for (file, lines) in files.into_iter().take(MOST_NEVER_RUN) {
            _ = writeln!(out, "never run: {file}, {}", short(&ranges(&lines)));
        }
        more(out, total, MOST_NEVER_RUN, "more file");
        let functions = self.record.subjects.iter().flat_map(|subject| &subject.functions);
        let missed = |function: &&FunctionRun| {
            let branches = function.coverage.as_ref().map_or(Share::default(), |coverage| coverage.branches);
            branches.total - branches.covered
        };
        let mut partial: Vec<&FunctionRun> = functions.filter(|function| missed(function) > 0).collect();
        partial.sort_by_key(|function| std::cmp::Reverse(missed(function)));
        let of = |function: &&FunctionRun| {
            let Share { covered, total } = function.coverage.as_ref()?.branches;
            Some(format!("{} {} of {total}", function.function, total - covered))
        };
        let told: Vec<String> = partial.iter().take(MOST_NEVER_RUN).filter_map(of).collect();
        if !told.is_empty() {
            _ = writeln!(out, "directions of branches never taken: {}", of_functions(&told, partial.len()));
        }
    }

    /// What fewer relations test than are asked for.
    fn tested_by_few(&self, out: &mut String) {
        let functions = self.record.subjects.iter().flat_map(|subject| &subject.functions);
        let measured = functions.filter_map(|f| Some((f.function.as_str(), f.adequacy.as_ref()?)));
        let missing = |adequacy: &RunAdequacy| adequacy.tested.total - adequacy.tested.covered;
        let mut few: Vec<(&str, &RunAdequacy)> = measured.filter(|(_, one)| missing(one) > 0).collect();
        few.sort_by_key(|(_, one)| std::cmp::Reverse(missing(one)));
        let Some((_, first)) = few.first() else { return };
        let of = |(function, one): &(&str, &RunAdequacy)| {
            let what = if one.criterion == "branch" { "branch directions" } else { "statements" };
            format!("{function} {} of {} {what}", missing(one), one.tested.total)
        };
        let told: Vec<String> = few.iter().take(MOST_NEVER_RUN).map(of).collect();
        _ = writeln!(
            out,
            "tested by fewer than {} relations of different forms: {}",
            first.k,
            of_functions(&told, few.len())
        );
    }
}

fn has_violation(function: &FunctionRun) -> bool {
    function.relations.iter().any(|relation| relation.verdict() == RelationVerdict::Violated)
}
