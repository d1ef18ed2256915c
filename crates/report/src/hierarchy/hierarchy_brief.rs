//! The first screen of a hierarchy: the groups that bring down most, and in a line each what else there is.

use std::fmt;

use dodona_records::{DominatorGroup, MutantRecord};

use super::hierarchy_terminal::{HierarchyReport, input};
use crate::mutation::{change, place};
use crate::text::{Styled, clipped, counted, grouped, widest};

/// The most groups that are shown: with two lines of text each they leave five of 25 for everything else.
pub(super) const GROUPS: usize = 10;

/// Warnings that are shown.
const WARNINGS: usize = 2;

/// Everything that a reader needs who reads nothing else.
pub(super) struct Brief<'a> {
    pub(super) report: &'a HierarchyReport<'a>,
    /// The most groups that are shown.
    pub(super) most: usize,
}

impl fmt::Display for Brief<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.brief(f, self.most)
    }
}

impl HierarchyReport<'_> {
    fn brief(&self, f: &mut fmt::Formatter<'_>, most: usize) -> fmt::Result {
        self.heading(f)?;
        if self.record.classes.is_empty() {
            self.nothing(f)?;
        } else {
            self.strongest(f, most)?;
            writeln!(f, "  {}", self.count_of_classes())?;
        }
        self.brief_statics(f)?;
        let warnings = &self.record.warnings;
        self.warnings(f, &warnings[..warnings.len().min(WARNINGS)])?;
        if warnings.len() > WARNINGS {
            let more = warnings.len() - WARNINGS;
            writeln!(f, "  {}: {more} more (--all)", Styled(self.styles.doubtful, "warning"))?;
        }
        self.contradictions(f)?;
        if self.record.classes.is_empty() {
            return Ok(());
        }
        let rest = "every group and class, and what the code of mutants says of each other: --all";
        writeln!(f, "  {}", Styled(self.styles.faint, rest))
    }

    fn strongest(&self, f: &mut fmt::Formatter<'_>, most: usize) -> fmt::Result {
        let groups = &self.record.dominators;
        let killed = self.killed();
        let count = groups.len() as u64;
        let shown = &groups[..groups.len().min(most)];
        let which = match groups.len() > most {
            true => format!("; the {most} that bring down most:"),
            false => ":".to_owned(),
        };
        writeln!(
            f,
            "  {} {} for {} ({} {} all){which}",
            counted(count, "group"),
            if count == 1 { "stands" } else { "stand" },
            counted(killed, "killed mutant"),
            counted(self.record.enough_inputs, "input"),
            if self.record.enough_inputs == 1 { "kills" } else { "kill" },
        )?;
        let shown: Vec<(&MutantRecord, &DominatorGroup)> = shown
            .iter()
            .filter_map(|group| Some((*self.mutants.get(group.mutants.first()?)?, group)))
            .collect();
        let places = widest(shown.iter().map(|(mutant, _)| place(mutant))).min(40);
        shown.iter().try_for_each(|(mutant, group)| self.group(f, mutant, group, places))
    }

    /// The source place and the change, and below them what it brings down, and an input that kills it.
    fn group(
        &self,
        f: &mut fmt::Formatter<'_>,
        mutant: &MutantRecord,
        group: &DominatorGroup,
        places: usize,
    ) -> fmt::Result {
        let like = match group.mutants.len() - 1 {
            0 => String::new(),
            more => format!("  and {} like it", grouped(more as u64)),
        };
        let width = self.styles.width;
        let code = clipped(&change(mutant), width.saturating_sub(places + 14 + like.len()));
        let number = Styled(self.styles.bad, format!("{:<5}", mutant.id));
        let place = place(mutant);
        writeln!(f, "  {place:<places$}  {number}  {code}{}", Styled(self.styles.faint, like))?;
        let others = match group.subsumes {
            0 => "no other".to_owned(),
            n => counted(n, "other"),
        };
        let input = input(&group.function, &group.input);
        let killed = match group.inputs {
            1 => format!("killed by {input} alone"),
            n => format!("killed by {input} and {} more", grouped(n - 1)),
        };
        writeln!(f, "      {}", clipped(&format!("brings down {others}; {killed}"), width.saturating_sub(6)))
    }

    /// What the code of mutants says, in one line.
    fn brief_statics(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statics = &self.record.statics;
        if statics.blocks > 0 {
            writeln!(
                f,
                "  by their code {} the same, {} stronger, {} equivalent; {} left open",
                counted(statics.same.len() as u64, "pair"),
                grouped(statics.stronger.len() as u64),
                grouped(statics.equivalent.len() as u64),
                counted(statics.unknown + statics.farther_unknown, "question"),
            )?;
        }
        self.what_was_not_done(f)
    }
}
