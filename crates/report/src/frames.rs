//! Frames and identified relations, for people and for programs.

use std::fmt;

use dodona_records::{Binding, FramesRecord, IdentificationRecord, IdentifiedRelation, InputOrigins};
use serde::Serialize;

use crate::Styles;
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
        Frames { record: self.record, all: self.all, styles }.to_string()
    }
}

impl crate::Report for IdentificationRecord {
    /// Relations that were identified.
    fn terminal(&self, styles: Styles) -> String {
        Identified { record: self, styles }.to_string()
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
}

impl fmt::Display for Frames<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frames { record, all, styles } = self;
        let of_state = |state: &'static str| record.frames.iter().filter(move |frame| frame.state == state);
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
        for (state, words) in [("impossible", "proved impossible"), ("unknown", "without an input")] {
            let frames: Vec<_> = of_state(state).collect();
            for frame in frames.iter().take(MOST_LISTED) {
                let why = frame.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
                writeln!(f, "  {words}: {}{}", frame.choices, Styled(styles.faint, why))?;
            }
            if frames.len() > MOST_LISTED {
                writeln!(f, "  … and {} more {words}", frames.len() - MOST_LISTED)?;
            }
        }
        if *all {
            for frame in of_state("possible") {
                let gives = match frame.scenarios.is_empty() {
                    true => String::new(),
                    false => format!(" -> {}", frame.scenarios.join(" | ")),
                };
                writeln!(f, "  {}{gives} ({})", frame.choices, counted(frame.inputs, "input"))?;
            }
        }
        problems(f, record, *styles)
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

fn problems(f: &mut fmt::Formatter<'_>, record: &FramesRecord, styles: Styles) -> fmt::Result {
    for misfit in &record.misfits {
        let words = format!("{}: {}", misfit.what, Binding::list(&misfit.input));
        writeln!(f, "  {}", Styled(styles.bad, words))?;
    }
    for choice in record.unobserved() {
        writeln!(f, "  {}", Styled(styles.doubtful, format!("no input was seen to give {choice}")))?;
    }
    for open in record.open.iter().take(MOST_LISTED) {
        let frames = counted(open.frames, "further frame");
        let give = if open.frames == 1 { "gives" } else { "give" };
        let words = format!("not known whether {frames} {give} {}: {}", open.outputs, open.why);
        writeln!(f, "  {}", Styled(styles.doubtful, words))?;
    }
    if let Some(more @ 1..) = record.open.len().checked_sub(MOST_LISTED) {
        writeln!(f, "  … and {more} more (--format json has all)")?;
    }
    for warning in &record.warnings {
        writeln!(f, "  {}", Styled(styles.doubtful, format!("warning: {warning}")))?;
    }
    Ok(())
}

struct Identified<'a> {
    record: &'a IdentificationRecord,
    styles: Styles,
}

impl fmt::Display for Identified<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identified { record, styles } = self;
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
        for relation in &record.relations {
            writeln!(f, "  {}", relation.text)?;
            let how = if relation.stated { "stated" } else { "inferred" };
            let confirmed = if relation.confirmed { "" } else { ", not confirmed" };
            let evidence =
                format!("{how}; {} samples, {} fresh groups{confirmed}", relation.samples, relation.fresh);
            writeln!(f, "    {}", Styled(styles.faint, evidence))?;
        }
        if record.weaker > 0 {
            let words = counted(record.weaker, "further relation");
            writeln!(f, "  … and {words} of fewer samples (--most N lists more)")?;
        }
        if record.narrower > 0 {
            writeln!(f, "  {} left out beside wider ones", counted(record.narrower, "narrower condition"))?;
        }
        for refuted in record.refuted.iter().take(MOST_REFUTED) {
            let words = format!(
                "refuted by {}: {}",
                Binding::list(&refuted.input),
                refuted.text.trim_start_matches("relation ")
            );
            writeln!(f, "  {}", Styled(styles.faint, words))?;
        }
        if record.refuted.len() > MOST_REFUTED {
            writeln!(f, "  … and {} more that a fresh input refuted", record.refuted.len() - MOST_REFUTED)?;
        }
        problems(f, &record.frames, *styles)
    }
}
