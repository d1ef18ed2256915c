//! Frames and identified relations, for people and for programs.

use std::fmt;

use dodona_records::{
    Binding, FrameRecord, FramesRecord, IdentificationRecord, IdentifiedRelation, InputOrigins,
};
use serde::Serialize;

use crate::Styles;
use crate::layout::fitted;
use crate::pieces::as_many_as_fit;
use crate::text::{Styled, counted, widest};

/// Frames of one kind that are listed one by one.
const MOST_LISTED: usize = 20;

/// Refuted relations that are listed with their inputs.
const MOST_REFUTED: usize = 5;

/// The report of the frames of a function.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(transparent)]
pub struct FramesReport<'a> {
    /// The frames.
    pub record: &'a FramesRecord,
    /// Whether each possible frame has a line for people.
    #[serde(skip)]
    pub all: bool,
}

impl crate::Report for FramesReport<'_> {
    fn terminal(&self, styles: Styles) -> String {
        let report = |most| Frames { record: self.record, all: self.all, styles, most }.to_string();
        if self.all { report(usize::MAX) } else { as_many_as_fit(MOST_LISTED, styles, report) }
    }
}

impl crate::Report for IdentificationRecord {
    /// The relations that most samples say, and how many others were identified.
    fn terminal(&self, styles: Styles) -> String {
        let report = |most| Identified { record: self, styles, most, is_whole: false }.to_string();
        as_many_as_fit(MOST_LISTED, styles, report)
    }

    /// All relations that were identified, and some that were refuted.
    fn whole(&self, styles: Styles) -> String {
        let report = Identified { record: self, styles, most: usize::MAX, is_whole: true }.to_string();
        fitted(&report, styles.width)
    }
}

/// A file of the relations that were identified.
pub fn identified_file(record: &IdentificationRecord, relations: &[&IdentifiedRelation]) -> String {
    let frames = &record.frames;
    let mut out = format!(
        "# Relations of {}, identified from the frames of {}. Each held on {} fresh inputs or on as many of them as\n# its condition allows{}.\n",
        frames.function,
        file_name(&frames.file),
        record.fresh,
        if relations.iter().all(|relation| relation.confirmed) {
            ""
        } else {
            ", except those that are not confirmed"
        },
    );
    for relation in relations {
        let how = if relation.stated { "stated by the order of outputs" } else { "inferred" };
        let confirmed = if relation.confirmed { "" } else { ", not confirmed" };
        out += &format!(
            "\n# {how}; {} samples, {} fresh groups{confirmed}\n{}\n",
            relation.samples, relation.fresh, relation.text
        );
    }
    out
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

struct Frames<'a> {
    record: &'a FramesRecord,
    all: bool,
    styles: Styles,
    most: usize,
}

impl fmt::Display for Frames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frames { record, all, styles, most } = self;
        let inputs: u64 = record.frames.iter().map(|frame| frame.inputs).sum();
        writeln!(
            f,
            "{}: {}, {}, {}",
            Styled(styles.strong, &record.function),
            counted(record.frames.len() as u64, "frame"),
            counted(record.io_frames() as u64, "input-and-output frame"),
            counted(inputs, "input"),
        )?;
        origins(f, &record.origins, *styles)?;
        if !record.contradiction.is_empty() {
            let texts: Vec<String> = record.contradiction.iter().map(|text| format!("`{text}`")).collect();
            let words =
                format!("no frame is left: these constraints contradict each other: {}", texts.join(", "));
            writeln!(f, "  {}", Styled(styles.bad, words))?;
        }
        categories(f, record, *styles)?;
        self.without_inputs(f)?;
        if *all {
            self.possible(f)?;
        }
        problems(f, record, *styles, *most)
    }
}

impl Frames<'_> {
    fn of_state(&self, state: &'static str) -> impl Iterator<Item = &FrameRecord> {
        self.record.frames.iter().filter(move |frame| frame.state == state)
    }

    /// Frames that no input is of, and those of which none is known.
    fn without_inputs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (state, words) in [("impossible", "proved impossible"), ("unknown", "without an input")] {
            let frames: Vec<_> = self.of_state(state).collect();
            for frame in frames.iter().take(self.most) {
                let why = frame.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
                writeln!(f, "  {words}: {}{}", frame.choices, Styled(self.styles.faint, why))?;
            }
            if frames.len() > self.most {
                writeln!(f, "  … and {} more {words} (--all)", frames.len() - self.most)?;
            }
        }
        Ok(())
    }

    /// Each frame that has inputs, with what they give.
    fn possible(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for frame in self.of_state("possible") {
            let gives = match frame.scenarios.is_empty() {
                true => String::new(),
                false => format!(" -> {}", frame.scenarios.join(" | ")),
            };
            writeln!(f, "  {}{gives} ({})", frame.choices, counted(frame.inputs, "input"))?;
        }
        Ok(())
    }
}

/// How the inputs were found; nothing where there are none.
fn origins(f: &mut fmt::Formatter<'_>, origins: &InputOrigins, styles: Styles) -> fmt::Result {
    let all = [
        (origins.random, "at random"),
        (origins.solver, "by the solver"),
        (origins.near, "near others"),
        (origins.path, "along paths"),
        (origins.refuting, "as they refuted a relation"),
    ];
    let found: Vec<String> =
        all.iter().filter(|(count, _)| *count > 0).map(|(count, how)| format!("{count} {how}")).collect();
    match found.is_empty() {
        true => Ok(()),
        false => writeln!(f, "  {}", Styled(styles.faint, format!("inputs found: {}", found.join(", ")))),
    }
}

fn categories(f: &mut fmt::Formatter<'_>, record: &FramesRecord, styles: Styles) -> fmt::Result {
    let all = || record.inputs.iter().chain(&record.outputs);
    let width = widest(all().map(|category| &category.name)).max("category".len());
    writeln!(f, "  {}", Styled(styles.faint, format!("{:width$}  choices with their inputs", "category")))?;
    for category in all() {
        let choices = category.choices.iter().zip(&category.inputs);
        let words: Vec<String> = choices.map(|(name, inputs)| format!("{name} {inputs}")).collect();
        writeln!(f, "  {:width$}  {}", category.name, words.join(", "))?;
    }
    Ok(())
}

fn problems(f: &mut fmt::Formatter<'_>, record: &FramesRecord, styles: Styles, most: usize) -> fmt::Result {
    for misfit in &record.misfits {
        let words = format!("{}: {}", misfit.what, Binding::input(&misfit.input));
        writeln!(f, "  {}", Styled(styles.bad, words))?;
    }
    for choice in record.unobserved() {
        writeln!(f, "  {}", Styled(styles.doubtful, format!("no input was seen to give {choice}")))?;
    }
    for open in record.open.iter().take(most) {
        let frames = counted(open.frames, "further frame");
        let give = if open.frames == 1 { "gives" } else { "give" };
        let words = format!("not known whether {frames} {give} {}: {}", open.outputs, open.why);
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    if let Some(more @ 1..) = record.open.len().checked_sub(most) {
        writeln!(f, "  … and {more} more (--all)")?;
    }
    for warning in &record.warnings {
        writeln!(f, "  {}", Styled(styles.doubtful, format!("warning: {warning}")))?;
    }
    Ok(())
}

struct Identified<'a> {
    record: &'a IdentificationRecord,
    styles: Styles,
    most: usize,
    is_whole: bool,
}

impl fmt::Display for Identified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identified { record, styles, most, is_whole } = self;
        writeln!(
            f,
            "{}: {}; {} of {} of {} (--write-pairs)",
            Styled(styles.strong, &record.frames.function),
            counted(record.relations.len() as u64, "relation"),
            counted(record.pair_relations, "relation"),
            counted(record.pairs, "candidate pair"),
            counted(record.frames.io_frames() as u64, "input-and-output frame"),
        )?;
        if record.relations.is_empty() {
            let words = match (record.changes, record.refuted.len() as u64) {
                (0, _) => "no input can be changed so that it stays in its domain".to_owned(),
                (_, 0) => {
                    format!("the samples show no relation under any of {}", counted(record.changes, "change"))
                }
                (_, refuted) => format!("fresh inputs refute all of {}", counted(refuted, "proposal")),
            };
            writeln!(f, "  {}", Styled(styles.doubtful, words))?;
        }
        for relation in record.relations.iter().take(*most) {
            writeln!(f, "  {}", relation.text)?;
            let how = if relation.stated { "stated" } else { "inferred" };
            let confirmed = if relation.confirmed { "" } else { ", not confirmed" };
            let evidence =
                format!("{how}; {} samples, {} fresh groups{confirmed}", relation.samples, relation.fresh);
            writeln!(f, "    {}", Styled(styles.faint, evidence))?;
        }
        if let Some(more @ 1..) = record.relations.len().checked_sub(*most) {
            writeln!(f, "  … and {} (--all)", counted(more as u64, "more relation"))?;
        }
        if record.weaker > 0 {
            let words = counted(record.weaker, "further relation");
            writeln!(f, "  … and {words} of fewer samples (--most N lists more)")?;
        }
        if record.narrower > 0 {
            writeln!(f, "  {} left out beside wider ones", counted(record.narrower, "narrower condition"))?;
        }
        let refuted = if *is_whole { MOST_REFUTED } else { 0 };
        for refuted in record.refuted.iter().take(refuted) {
            let words = format!(
                "refuted by {}: {}",
                Binding::input(&refuted.input),
                refuted.text.trim_start_matches("relation ")
            );
            writeln!(f, "  {}", Styled(styles.faint, words))?;
        }
        match record.refuted.len().saturating_sub(refuted) {
            0 => {}
            some if *is_whole => writeln!(f, "  … and {some} more that a fresh input refuted")?,
            some => {
                let words = counted(some as u64, "proposal");
                writeln!(f, "  {words} that a fresh input refuted (--all)")?;
            }
        }
        problems(f, &record.frames, *styles, *most)
    }
}
