//! Candidate pairs put before a tester one by one (METRIC+). The table of pairs holds the answers: it is written after each of them, another
//! person can go on with it, and a spreadsheet can edit it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::mpsc::Receiver;

use dodona_frames::FreshCheck;
use dodona_records::{Binding, CandidatePair, PairAnswer, PairKey, read_pairs, write_pairs};
use dodona_target::Interruption;
use dodona_workbench::LabError;

use super::asked::next;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::open;
use crate::output::write;

/// The pairs of a table that a tester may have worked on.
///
/// # Errors
/// A table that cannot be read.
pub(super) fn before(file: &std::path::Path) -> Result<Vec<CandidatePair>, Failure> {
    match dodona_target::user_file::text(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(Failure::usage(format!("cannot read {}: {error}", file.display()))),
        Ok(text) => read_pairs(&text).map_err(|why| Failure::usage(format!("{}: {why}", file.display()))),
    }
}

/// The pairs that were found, with the answers that a table has. Pairs of the table that were not found again keep their answers behind the others.
pub(super) fn with_answers(found: Vec<CandidatePair>, before: Vec<CandidatePair>) -> Vec<CandidatePair> {
    let mut places: HashMap<PairKey<'_>, usize> = HashMap::new();
    before.iter().enumerate().for_each(|(place, pair)| _ = places.entry(pair.key()).or_insert(place));
    let mut is_found = vec![false; before.len()];
    let answered = |pair: CandidatePair| match places.get(&pair.key()).copied() {
        None => pair,
        Some(place) => {
            is_found[place] = true;
            let CandidatePair { answer, relation, .. } = before[place].clone();
            CandidatePair { answer, relation, ..pair }
        }
    };
    let mut pairs: Vec<CandidatePair> = found.into_iter().map(answered).collect();
    let others = before.into_iter().zip(is_found).filter(|(pair, is_found)| !is_found && is_settled(pair));
    pairs.extend(others.map(|(pair, _)| pair));
    pairs
}

/// Whether a pair needs no question any more.
fn is_settled(pair: &CandidatePair) -> bool {
    matches!(pair.answered(), Ok(Some(PairAnswer::Accept | PairAnswer::Own | PairAnswer::None)))
}

/// What a tester types.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Typed {
    Answer(PairAnswer),
    /// Accepts this pair and all others with the same change and proposal.
    AcceptAlike,
    /// An output relation.
    Own(String),
    Undo,
    Quit,
    Unclear,
}

impl Typed {
    fn read(text: &str) -> Typed {
        let text = text.trim();
        match text.to_lowercase().as_str() {
            "" => Typed::Unclear,
            "a" | "accept" => Typed::Answer(PairAnswer::Accept),
            "aa" | "all" => Typed::AcceptAlike,
            "n" | "none" => Typed::Answer(PairAnswer::None),
            "l" | "later" => Typed::Answer(PairAnswer::Later),
            "u" | "undo" => Typed::Undo,
            "q" | "quit" => Typed::Quit,
            // A relation has an operator or a call in it; a word alone is a mistyped answer.
            _ if text.contains(|c: char| !c.is_alphanumeric()) => Typed::Own(text.to_owned()),
            _ => Typed::Unclear,
        }
    }
}

/// A dialogue about pairs.
pub(super) struct Dialogue<'a> {
    pairs: Vec<CandidatePair>,
    table: Destination<'a>,
    check: FreshCheck<'a>,
    answers: Receiver<String>,
    interrupted: &'a Interruption,
    /// What was answered, with the pairs as they were before, so that it can be undone.
    undo: Vec<Vec<(usize, CandidatePair)>>,
}

impl<'a> Dialogue<'a> {
    pub(super) fn new(
        pairs: Vec<CandidatePair>,
        table: Destination<'a>,
        check: FreshCheck<'a>,
        answers: Receiver<String>,
        interrupted: &'a Interruption,
    ) -> Dialogue<'a> {
        Dialogue { pairs, table, check, answers, interrupted, undo: Vec::new() }
    }

    /// Checks the relations that a tester wrote into the table, then asks about each pair that is not settled. What is not answered any more stays open.
    pub(super) fn run(mut self) -> Result<Vec<CandidatePair>, Failure> {
        self.save()?;
        for place in 0..self.pairs.len() {
            if self.pairs[place].answered() == Ok(Some(PairAnswer::Own)) {
                let relation = self.pairs[place].relation.clone();
                write(&format!("row {}: {relation}: ", place + 2))?;
                if let Ok(Some(wrong)) | Err(wrong) = self.tried(place, &relation)? {
                    write(&format!("{wrong}\n"))?;
                    self.pairs[place].note = wrong;
                }
            }
        }
        let mut place = 0;
        while let Some(next) = (place..self.pairs.len()).find(|place| !is_settled(&self.pairs[*place])) {
            let Some(to) = self.ask(next)? else { break };
            place = to;
        }
        self.save()?;
        Ok(self.pairs)
    }

    /// Asks about a pair until there is an answer: where to go on, or `None` at the end.
    fn ask(&mut self, place: usize) -> Result<Option<usize>, Failure> {
        write(&self.shown(place))?;
        loop {
            write(self.choices(place))?;
            let Some(said) = next(&self.answers, self.interrupted) else { return Ok(None) };
            match Typed::read(&said) {
                Typed::Quit => return Ok(None),
                Typed::Undo => match self.undo.pop() {
                    None => write("nothing was answered yet\n")?,
                    Some(old) => {
                        let first = old.first().map_or(place, |(place, _)| *place);
                        old.into_iter().for_each(|(place, pair)| self.pairs[place] = pair);
                        self.save()?;
                        return Ok(Some(first));
                    }
                },
                Typed::Answer(PairAnswer::Accept) | Typed::AcceptAlike
                    if self.pairs[place].proposed.is_empty() =>
                {
                    write("nothing is proposed; write an output relation, or n if there is none\n")?;
                }
                Typed::AcceptAlike => {
                    self.answer(&self.alike(place), PairAnswer::Accept, ("", None))?;
                    return Ok(Some(place + 1));
                }
                Typed::Answer(answer) => {
                    self.answer(&[place], answer, ("", None))?;
                    return Ok(Some(place + 1));
                }
                Typed::Own(relation) => {
                    if let Some(violation) = self.kept(place, &relation)? {
                        self.answer(&[place], PairAnswer::Own, (&relation, Some(violation)))?;
                        return Ok(Some(place + 1));
                    }
                }
                Typed::Unclear => {}
            }
        }
    }

    /// Checks a relation that the tester wrote. If she keeps it, what violates it, which is empty if nothing does; one that is violated is kept only if
    /// she says so.
    fn kept(&mut self, place: usize, relation: &str) -> Result<Option<String>, Failure> {
        match self.tried(place, relation)? {
            Err(why) => {
                write(&format!("{why}\n"))?;
                Ok(None)
            }
            Ok(None) => Ok(Some(String::new())),
            Ok(Some(violation)) => {
                write(&format!("{violation}\nKeep it, because the code is wrong there? [y]es or [n]o: "))?;
                let said = next(&self.answers, self.interrupted).unwrap_or_default();
                Ok(matches!(said.trim().to_lowercase().as_str(), "y" | "yes").then_some(violation))
            }
        }
    }

    /// Runs an output relation of a pair on fresh inputs: what violates it, in words; or else why it is no relation.
    fn tried(&mut self, place: usize, relation: &str) -> Result<Result<Option<String>, String>, Failure> {
        let pair = CandidatePair { relation: relation.to_owned(), ..self.pairs[place].clone() };
        let Some(text) = pair.text("own") else { return Ok(Err("it is empty".to_owned())) };
        match self.check.check(&text) {
            Ok(evidence) => match evidence.violating {
                Some(input) => Ok(Ok(Some(format!("violated by {}", Binding::input(&input))))),
                None => {
                    write(&format!("it holds on {} groups\n", evidence.held))?;
                    Ok(Ok(None))
                }
            },
            Err(error @ LabError::Relations { .. }) => Ok(Err(open::lab_failure(error).words())),
            Err(error) => Err(open::lab_failure(error)),
        }
    }

    /// The pairs without an answer that have the same change and proposal, this one first.
    fn alike(&self, place: usize) -> Vec<usize> {
        let says = |place: usize| {
            let CandidatePair { given, proposed, output, .. } = &self.pairs[place];
            (given.split_once(" given ").map(|(_, change)| change), proposed, output)
        };
        let is_alike = |other: &usize| {
            *other != place && !is_settled(&self.pairs[*other]) && says(*other) == says(place)
        };
        std::iter::once(place).chain((0..self.pairs.len()).filter(is_alike)).collect()
    }

    /// Notes an answer for some pairs, with the tester's own relation and what is to be noted of it.
    fn answer(
        &mut self,
        places: &[usize],
        answer: PairAnswer,
        (relation, note): (&str, Option<String>),
    ) -> Result<(), Failure> {
        let mut old = Vec::new();
        for &place in places {
            let pair = &mut self.pairs[place];
            old.push((place, pair.clone()));
            pair.answer = answer.word().to_owned();
            pair.relation = relation.to_owned();
            if let Some(note) = &note {
                pair.note.clone_from(note);
            }
        }
        self.undo.push(old);
        self.save()
    }

    fn save(&self) -> Result<(), Failure> {
        self.table.write_with(|out| write_pairs(&self.pairs, out))
    }

    fn choices(&self, place: usize) -> &'static str {
        match self.pairs[place].proposed.is_empty() {
            true => "write an output relation, or [n]one, [l]ater, [u]ndo, [q]uit: ",
            false => {
                "[a]ccept, [aa] also all alike, write another output relation, [n]one, [l]ater, [u]ndo or [q]uit: "
            }
        }
    }

    /// A pair, on one screen.
    fn shown(&self, place: usize) -> String {
        let pair = &self.pairs[place];
        let settled = self.pairs.iter().filter(|pair| is_settled(pair)).count();
        let mut out = format!("\npair {} of {}; {settled} answered\n", place + 1, self.pairs.len());
        let mut rows = vec![["", "source", "follow-up"]];
        rows.extend(choices_of(pair));
        rows.extend([
            ["input", &pair.source, &pair.follow_up],
            [
                "specification",
                or_nothing(&pair.source_specification),
                or_nothing(&pair.follow_up_specification),
            ],
            ["code", &pair.source_output, &pair.follow_up_output],
        ]);
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [name, source, follow_up] in rows {
            let differs = if source == follow_up || name.is_empty() { " " } else { ">" };
            let line = format!("  {name:first$}  {source:second$}  {differs} {follow_up}");
            let _ = writeln!(out, "{}", line.trim_end());
        }
        let _ = writeln!(out, "  relation {}", pair.given);
        if !pair.proposed.is_empty() {
            let alike = match self.alike(place).len() - 1 {
                0 => String::new(),
                1 => "; 1 more pair is alike".to_owned(),
                more => format!("; {more} more pairs are alike"),
            };
            let _ = writeln!(out, "    {} ({}{alike})", pair.proposed, from(&pair.origin));
        }
        if !pair.note.is_empty() {
            let _ = writeln!(out, "  {}", pair.note);
        }
        out
    }
}

fn or_nothing(words: &str) -> &str {
    if words.is_empty() { "says nothing" } else { words }
}

fn from(origin: &str) -> &'static str {
    match origin {
        "specification" => "from the specification",
        "order" => "from the declared order of outputs",
        _ => "inferred from what the code does",
    }
}

/// The choices of the two frames, a line a category, with those of outputs behind those of inputs.
fn choices_of(pair: &CandidatePair) -> impl Iterator<Item = [&str; 3]> {
    fn words(frame: &str) -> impl Iterator<Item = (&str, &str)> {
        let words = frame.split(' ').filter(|word| *word != "->");
        words.map(|word| word.split_once('.').unwrap_or((word, "")))
    }
    words(&pair.from).zip(words(&pair.to)).map(|((category, from), (_, to))| [category, from, to])
}

/// A file of the relations that were accepted or written.
pub(super) fn relations_file(function: &str, pairs: &[CandidatePair]) -> String {
    let mut out = format!("{FIRST_WORDS} {function} that a tester accepted or wrote.\n");
    let taken =
        |pair: &&CandidatePair| matches!(pair.answered(), Ok(Some(PairAnswer::Accept | PairAnswer::Own)));
    for (number, pair) in pairs.iter().filter(taken).enumerate() {
        let Some(text) = pair.text(&format!("pair_{}", number + 1)) else { continue };
        let _ = write!(out, "\n# {} => {}\n{text}\n", pair.from, pair.to);
    }
    out
}

/// How far the review has come, in words.
pub(super) fn told(pairs: &[CandidatePair]) -> String {
    let count = |wanted: Option<PairAnswer>| {
        pairs.iter().filter(|pair| pair.answered().ok().flatten() == wanted).count()
    };
    let [accepted, own, none, later] = PairAnswer::ALL.map(|answer| count(Some(answer)));
    let open = count(None);
    format!(
        "{} candidate pairs: {accepted} accepted, {own} with a relation of the tester, {none} without a relation, {later} for later, {open} open\n",
        pairs.len()
    )
}

/// The first words of a file of relations that were reviewed as pairs.
pub(super) const FIRST_WORDS: &str = "# Relations of candidate pairs of";
