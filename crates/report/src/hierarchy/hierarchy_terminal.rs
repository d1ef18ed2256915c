//! The hierarchy of mutants for people: which few stand for all.

use std::collections::BTreeMap;
use std::fmt;

use dodona_records::{
    Binding, DominatorGroup, HierarchyRecord, Judgement, MutantClass, MutantId, MutantRecord,
};

use crate::Styles;
use crate::mutation::{change, place};
use crate::text::{Styled, bindings, counted, grouped, name, ranges, widest};

/// Classes and groups of dominators that are told one by one; the others are in the other formats.
const TOLD: usize = 30;

/// Characters of an input at most.
const INPUT: usize = 48;

/// A record with its mutants by number.
pub(super) struct HierarchyReport<'a> {
    pub(super) record: &'a HierarchyRecord,
    pub(super) styles: Styles,
    pub(super) mutants: BTreeMap<MutantId, &'a MutantRecord>,
}

impl<'a> HierarchyReport<'a> {
    pub(super) fn new(record: &'a HierarchyRecord, styles: Styles) -> Self {
        let mutants = record.mutants.iter().map(|mutant| (mutant.id, mutant)).collect();
        HierarchyReport { record, styles, mutants }
    }
}

impl fmt::Display for HierarchyReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        if self.record.classes.is_empty() {
            self.nothing(f)?;
        } else {
            self.dominators(f)?;
            self.classes(f)?;
        }
        self.statics(f)?;
        self.warnings(f, &self.record.warnings)?;
        self.contradictions(f)
    }
}

impl HierarchyReport<'_> {
    pub(super) fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.record;
        let subject = Styled(self.styles.strong, name(&record.subject));
        writeln!(f, "{subject} {}, seed {}", name(&record.manifest), record.seed)?;
        writeln!(f, "  {}", self.counts())
    }

    pub(super) fn nothing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words =
            "no input kills a mutant, so that none stands for others; give more --inputs, or --from a file";
        writeln!(f, "  {words}")
    }

    pub(super) fn warnings(&self, f: &mut fmt::Formatter<'_>, warnings: &[String]) -> fmt::Result {
        let mark = |warning| writeln!(f, "  {}: {warning}", Styled(self.styles.doubtful, "warning"));
        warnings.iter().try_for_each(mark)
    }

    pub(super) fn contradictions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |wrong| writeln!(f, "  {}: {wrong}", Styled(self.styles.bad, "contradiction"));
        self.record.contradictions.iter().try_for_each(mark)
    }

    fn count(&self, wanted: impl Fn(&Judgement) -> bool) -> u64 {
        self.record.mutants.iter().filter(|mutant| wanted(&mutant.judgement)).count() as u64
    }

    /// The mutants that some input kills.
    pub(super) fn killed(&self) -> u64 {
        self.count(|judgement| {
            matches!(judgement, Judgement::Killed | Judgement::Crashed | Judgement::TimedOut)
        })
    }

    fn counts(&self) -> String {
        let record = self.record;
        let count = |wanted: fn(&Judgement) -> bool| self.count(wanted);
        let equivalent = count(|judgement| matches!(judgement, Judgement::Equivalent { .. }));
        let duplicates = count(|judgement| matches!(judgement, Judgement::Duplicate { .. }));
        let alive = count(|judgement| matches!(judgement, Judgement::Alive | Judgement::Untested));
        let all = record.mutants.len() as u64;
        format!(
            "{} of {} on {}: {} killed, {} not, {} equivalent, {} duplicate",
            counted(all, "mutant"),
            record.functions.join(", "),
            counted(record.inputs, "input"),
            grouped(self.killed()),
            grouped(alive),
            grouped(equivalent),
            grouped(duplicates),
        )
    }

    /// `25 classes of mutants that one input kills together, 96 % saved`.
    pub(super) fn count_of_classes(&self) -> String {
        let saved = self.record.savings();
        let saved = saved.map_or_else(String::new, |saved| format!(", {:.0} % saved", 100.0 * saved));
        let classes = match self.record.classes.len() {
            1 => "1 class".to_owned(),
            n => format!("{n} classes"),
        };
        format!("{classes} of mutants that one input kills together{saved}")
    }

    /// The groups that no other one subsumes, those that bring down most first.
    fn dominators(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = &self.record.dominators;
        let count = groups.len() as u64;
        writeln!(
            f,
            "\n  {} for all: a test for each brings down every mutant that an input kills; {} of these inputs {} enough",
            if count == 1 {
                "1 mutant stands".to_owned()
            } else {
                format!("{} mutants stand", grouped(count))
            },
            grouped(self.record.enough_inputs),
            if self.record.enough_inputs == 1 { "is" } else { "are" },
        )?;
        let told = &groups[..groups.len().min(TOLD)];
        let lines: Vec<[String; 4]> = told.iter().filter_map(|group| self.dominator(group)).collect();
        columns(f, &lines)?;
        more(f, groups.len(), "of the groups")
    }

    fn dominator(&self, group: &DominatorGroup) -> Option<[String; 4]> {
        let first = self.mutants.get(group.mutants.first()?)?;
        let like = match group.mutants.len() - 1 {
            0 => String::new(),
            more => format!(" (+{more} like it)"),
        };
        let others = match group.subsumes {
            0 => "no other".to_owned(),
            n => format!("{} {}", grouped(n), if n == 1 { "other" } else { "others" }),
        };
        let alone = if group.disjoint { ", and no other of this list" } else { "" };
        Some([
            format!("{}{like}", first.id),
            place(first),
            format!("{}  {}", first.operator, change(first)),
            format!(
                "{} {} it and {others}{alone}: {}",
                counted(group.inputs, "input"),
                if group.inputs == 1 { "kills" } else { "kill" },
                input(&group.function, &group.input)
            ),
        ])
    }

    /// The classes of the ten steps.
    fn classes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = &self.record.classes;
        writeln!(f, "\n  {}", self.count_of_classes())?;
        let line = |class: &MutantClass| {
            [
                class.representative.to_string(),
                counted(class.size() as u64, "mutant"),
                match class.strong.len() {
                    0 => "each killed by another class too".to_owned(),
                    n if n > 8 => format!("{n} killed by the input of no other class"),
                    _ => format!("{} killed by the input of no other class", ranges(&class.strong)),
                },
                input(&class.function, &class.input),
            ]
        };
        let lines: Vec<[String; 4]> = classes.iter().take(TOLD).map(line).collect();
        columns(f, &lines)?;
        more(f, classes.len(), "of the classes")?;
        let operators: Vec<String> = self.strong_operators();
        if !operators.is_empty() {
            writeln!(
                f,
                "  operators of mutants that the input of no other class kills: {}",
                operators.join(", ")
            )?;
        }
        match self.record.misled {
            0 => Ok(()),
            n => writeln!(
                f,
                "  {} the input of a class infected a mutant and did not kill it: infection is necessary, not sufficient",
                counted(n, "time")
            ),
        }
    }

    /// The operators that made strong mutants, by name.
    fn strong_operators(&self) -> Vec<String> {
        let strong = self.record.classes.iter().flat_map(|class| &class.strong);
        let mut operators: Vec<String> =
            strong.filter_map(|id| Some(self.mutants.get(id)?.operator.clone())).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// How many pairs no input kills both of.
    fn disjoint(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statics = &self.record.statics;
        if statics.once == 0 {
            return Ok(());
        }
        let apart = statics.alternatives.mutant_pairs();
        writeln!(
            f,
            "  no input kills both of {}: {} of one block, which no state infects both of ({} left open), and {} of blocks of which a call executes one at most",
            counted(statics.disjoint.len() as u64 + apart, "pair"),
            grouped(statics.disjoint.len() as u64),
            grouped(statics.disjoint_unknown),
            grouped(apart),
        )
    }

    fn statics(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statics = &self.record.statics;
        if statics.blocks == 0 && statics.unsupported == 0 && statics.left == 0 {
            return Ok(());
        }
        writeln!(
            f,
            "\n  by their code, in {} ({} executed at most once a call): {} the same, {} stronger, {} equivalent; {}, {} left open{}",
            counted(statics.blocks, "block"),
            grouped(statics.once),
            counted(statics.same.len() as u64, "pair"),
            grouped(statics.stronger.len() as u64),
            grouped(statics.equivalent.len() as u64),
            counted(statics.questions, "question"),
            grouped(statics.unknown + statics.farther_unknown),
            match statics.unsupported {
                0 => String::new(),
                n => format!("; {} could not be compared", counted(n, "mutant")),
            }
        )?;
        self.disjoint(f)?;
        self.what_was_not_done(f)
    }

    /// What was not compared, and why.
    pub(super) fn what_was_not_done(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statics = &self.record.statics;
        if statics.left > 0 {
            let left = counted(statics.left, "mutant");
            writeln!(f, "  {left} not compared, for the time was up; --time gives more")?;
        }
        match &statics.no_solver {
            None => Ok(()),
            Some(why) => writeln!(f, "  no solver was asked, so that only equal forms are the same: {why}"),
        }
    }
}

/// `f(a = 1, b = 2)`, clipped.
pub(super) fn input(function: &str, input: &[Binding]) -> String {
    format!("{function}({})", crate::text::clipped(&bindings(input), INPUT))
}

/// Lines in columns; the last one ends as it likes.
fn columns(f: &mut fmt::Formatter<'_>, lines: &[[String; 4]]) -> fmt::Result {
    let width = |column: usize| widest(lines.iter().map(|line| &line[column]));
    let widths = [width(0), width(1), width(2)];
    for [a, b, c, d] in lines {
        writeln!(f, "  {a:<x$}  {b:<y$}  {c:<z$}  {d}", x = widths[0], y = widths[1], z = widths[2])?;
    }
    Ok(())
}

fn more(f: &mut fmt::Formatter<'_>, all: usize, of: &str) -> fmt::Result {
    match all.saturating_sub(TOLD) {
        0 => Ok(()),
        left => writeln!(f, "  … and {left} more {of}, in --format json"),
    }
}
