//! The mutants, each by its number: the alive in a line of their own, the others close together.

use std::collections::BTreeMap;
use std::fmt;

use anstyle::Style;
use dodona_records::{DominatorGroup, Fate, Judgement, MutantId, MutantRecord, Proof, Revealed, SkippedSite};

use super::change::{change, whole};
use super::mutation_terminal::Subject;
use super::survivor::{why_alive, why_untested};
use super::{because, how, place, proof_words, status};
use crate::layout::packed;
use crate::text::{Styled, arguments, counted, grouped, ranges, short, widest};

impl Subject<'_> {
    fn of(&self, wanted: impl Fn(&Judgement) -> bool) -> impl Iterator<Item = &MutantRecord> {
        self.record.mutants.iter().filter(move |mutant| wanted(&mutant.judgement))
    }

    pub(super) fn alive(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive: Vec<&MutantRecord> = self.of(|j| *j == Judgement::Alive).collect();
        let untested: Vec<&MutantRecord> = self.of(|j| *j == Judgement::Untested).collect();
        match &self.record.survivors {
            None => self.lines(f, &alive, self.styles.bad, &|mutant| why_alive(self.record, mutant))?,
            Some(groups) => self.survivors(f, &alive, groups)?,
        }
        if untested.is_empty() {
            return Ok(());
        }
        let mutants = counted(untested.len() as u64, "mutant");
        writeln!(f, "  no group is eligible on {mutants}, so that no relation was tested there")?;
        let why = |mutant: &MutantRecord| mutant.untested.as_ref().map(why_untested).unwrap_or_default();
        if self.record.survivors.is_none() {
            return self.lines(f, &untested, self.styles.bad, &why);
        }
        let mut by_reason: BTreeMap<String, Vec<MutantId>> = BTreeMap::new();
        untested.iter().for_each(|mutant| by_reason.entry(why(mutant)).or_default().push(mutant.id));
        by_reason.iter().try_for_each(|(reason, ids)| list(f, reason, &ranges(ids), self.styles.width))
    }

    /// The survivors by what stands for them: a line for each group, and the others by number.
    fn survivors(
        &self,
        f: &mut fmt::Formatter<'_>,
        alive: &[&MutantRecord],
        groups: &[DominatorGroup],
    ) -> fmt::Result {
        let (revealed, hidden): (Vec<&MutantRecord>, Vec<&MutantRecord>) =
            alive.iter().partition(|mutant| mutant.revealed_by.is_some());
        let all = counted(revealed.len() as u64, "survivor");
        match groups.len() {
            0 => {}
            1 => writeln!(
                f,
                "  inputs reveal {all}; a test of the outcome on an input of this one catches all of them:"
            )?,
            n => writeln!(
                f,
                "  inputs reveal {all}; a test of the outcome on an input of each of these {n} catches all of them:"
            )?,
        }
        let first =
            |group: &DominatorGroup| alive.iter().find(|m| Some(&m.id) == group.mutants.first()).copied();
        let firsts: Vec<&MutantRecord> = groups.iter().filter_map(first).collect();
        self.lines(f, &firsts, self.styles.bad, &|mutant| {
            let group = groups.iter().find(|group| group.mutants.first() == Some(&mutant.id));
            group.map(|group| stands_for(mutant, group)).unwrap_or_default()
        })?;
        for (fate, words) in [
            (Fate::Infected, "infected by inputs, no outcome differs"),
            (Fate::Reached, "reached, the state never differs"),
            (Fate::Unreached, "never reached"),
            (Fate::Unobserved, "no outcome differs"),
        ] {
            let ids: Vec<MutantId> = hidden.iter().filter(|m| m.fate == fate).map(|m| m.id).collect();
            list(f, words, &ranges(&ids), self.styles.width)?;
        }
        Ok(())
    }

    /// Every mutant in a line of its own, with what was made of it so far.
    pub(super) fn every(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mutants: Vec<_> = self.record.mutants.iter().collect();
        self.lines(f, &mutants, self.styles.strong, &|mutant| match mutant.judgement {
            Judgement::NotRun => String::new(),
            Judgement::Killed | Judgement::Alive => status(mutant).to_owned(),
            Judgement::Crashed | Judgement::TimedOut | Judgement::Untested => {
                format!("{}: {}", status(mutant), because(mutant))
            }
            Judgement::Duplicate { .. } => format!("duplicate {}", because(mutant)),
            Judgement::Equivalent { .. } | Judgement::Accepted { .. } => {
                format!("{}: {}", status(mutant), because(mutant))
            }
        })
    }

    /// A line a mutant in columns: number, place, operator, change, and words.
    fn lines(
        &self,
        f: &mut fmt::Formatter<'_>,
        mutants: &[&MutantRecord],
        style: Style,
        words: &dyn Fn(&MutantRecord) -> String,
    ) -> fmt::Result {
        let widest = |of: &dyn Fn(&MutantRecord) -> String| widest(mutants.iter().map(|m| of(m)));
        let (id, at) = (widest(&|m| m.id.to_string()), widest(&place));
        let (operator, width) = (widest(&|m| m.operator.clone()), widest(&change));
        for mutant in mutants {
            let number = Styled(style, format!("{:<id$}", mutant.id));
            let place = place(mutant);
            let rest =
                format!("{:<operator$}  {:<width$}  {}", mutant.operator, change(mutant), words(mutant));
            writeln!(f, "  {number}  {place:<at$}  {}", rest.trim_end())?;
            if let Some(whole) = whole(mutant) {
                writeln!(f, "      {whole}")?;
            }
        }
        Ok(())
    }

    /// The mutants that are not alive, by number.
    pub(super) fn others(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut killed: BTreeMap<&str, Vec<MutantId>> = BTreeMap::new();
        for mutant in self.of(|j| *j == Judgement::Killed) {
            killed.entry(&mutant.operator).or_default().push(mutant.id);
        }
        for (operator, ids) in killed {
            list(f, &format!("killed {operator}"), &ranges(&ids), self.styles.width)?;
        }
        for (judgement, words) in [(Judgement::Crashed, "crashed"), (Judgement::TimedOut, "timed out")] {
            let failed: Vec<&MutantRecord> = self.of(|j| *j == judgement).collect();
            list(
                f,
                words,
                &ranges(&failed.iter().map(|mutant| mutant.id).collect::<Vec<_>>()),
                self.styles.width,
            )?;
            if let Some(first) = failed.first() {
                writeln!(f, "    such as {} {}", first.id, because(first))?;
            }
        }
        self.kinds(f)?;
        for how in [Proof::SameCode, Proof::EveryState, Proof::EveryPath] {
            let equivalent = self.of(|j| *j == Judgement::Equivalent { proof: how });
            let equivalent = equivalent.map(|m| m.id).collect::<Vec<_>>();
            list(f, &format!("equivalent ({})", proof_words(how)), &ranges(&equivalent), self.styles.width)?;
        }
        let duplicate = |m: &MutantRecord| match m.judgement {
            Judgement::Duplicate { of } => Some(format!("{}={of}", m.id)),
            _ => None,
        };
        let duplicates = self.record.mutants.iter().filter_map(duplicate).collect::<Vec<_>>();
        list(f, "duplicate", &duplicates.join(" "), self.styles.width)?;
        for mutant in self.of(|j| matches!(j, Judgement::Accepted { .. })) {
            let MutantRecord { id, operator, .. } = mutant;
            let (place, change, reason) = (place(mutant), change(mutant), because(mutant));
            writeln!(f, "  accepted: {id}  {place}  {operator}  {change}  {reason}")?;
        }
        let not_run = self.of(|j| *j == Judgement::NotRun).map(|m| m.id).collect::<Vec<_>>();
        list(f, "not run", &ranges(&not_run), self.styles.width)
    }

    /// By what the killed gave themselves away, the commonest first.
    fn kinds(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
        for kind in self.of(|j| *j == Judgement::Killed).filter_map(how) {
            *kinds.entry(kind.to_string()).or_default() += 1;
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let words: Vec<String> = kinds.iter().map(|(kind, n)| format!("{} {kind}", grouped(*n))).collect();
        if words.is_empty() { Ok(()) } else { writeln!(f, "  killed by: {}", words.join(", ")) }
    }

    /// Code that was not mutated, counted by reason and operator.
    pub(super) fn skipped(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut reasons: BTreeMap<(&str, &str), Vec<&SkippedSite>> = BTreeMap::new();
        for site in &self.record.skipped {
            let operator = site.operator.as_deref().unwrap_or("");
            reasons.entry((&site.reason, operator)).or_default().push(site);
        }
        for ((reason, operator), sites) in reasons {
            let operator = if operator.is_empty() { String::new() } else { format!(" {operator}") };
            let mutants = match sites.iter().map(|s| s.mutants).sum() {
                0 => String::new(),
                n => format!(", {}", counted(n, "mutant")),
            };
            let first = sites.iter().map(|s| s.place.to_string()).next().unwrap_or_default();
            let sites = counted(sites.len() as u64, "site");
            writeln!(f, "  skipped{operator}: {reason} ({sites}{mutants}, such as {first})")?;
        }
        Ok(())
    }
}

/// What brings a group of survivors down, and how many others: `with 2 like it and 12 others: a = 1 gives 0, not 3`.
fn stands_for(mutant: &MutantRecord, group: &DominatorGroup) -> String {
    let like = match group.mutants.len() - 1 {
        0 => String::new(),
        n => format!("{n} like it"),
    };
    let others = match group.subsumes {
        0 => String::new(),
        n => counted(n, "other"),
    };
    let with: Vec<String> = [like, others].into_iter().filter(|words| !words.is_empty()).collect();
    let with = if with.is_empty() { "alone".to_owned() } else { format!("with {}", with.join(" and ")) };
    match &mutant.revealed_by {
        Some(Revealed { first, expected, found, .. }) => {
            format!("{with}: {} gives {}, not {}", arguments(first), short(found), short(expected))
        }
        None => with,
    }
}

/// Words behind a heading, broken into lines; nothing where there are none.
fn list(f: &mut fmt::Formatter<'_>, heading: &str, words: &str, width: usize) -> fmt::Result {
    if words.is_empty() {
        return Ok(());
    }
    let heading = std::iter::once(format!("{heading}:"));
    let parts: Vec<String> = heading.chain(words.split_whitespace().map(str::to_owned)).collect();
    writeln!(f, "  {}", packed(&parts, 2, width))
}
