//! The mutants, each by its number: the alive in a line of their own, the others close together.

use std::collections::BTreeMap;
use std::fmt;

use anstyle::Style;
use dodona_evidence::{Judgement, MutantId, MutantRecord, Proof, SkippedSite};

use super::change::change;
use super::survivor::{why_alive, why_untested};
use super::terminal::Subject;
use super::{because, how, place, proof_words, status};
use crate::text::{Styled, counted, grouped, ranges, widest};

/// The characters of a line that lists numbers.
const LINE: usize = 100;

impl Subject<'_> {
    fn of(&self, wanted: impl Fn(&Judgement) -> bool) -> impl Iterator<Item = &MutantRecord> {
        self.record.mutants.iter().filter(move |mutant| wanted(&mutant.judgement))
    }

    pub(super) fn alive(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (untested, alive): (Vec<_>, Vec<_>) =
            self.of(|j| *j == Judgement::Alive).partition(|mutant| mutant.is_untested());
        self.lines(f, &alive, self.styles.bad, &|mutant| why_alive(self.record, mutant))?;
        if untested.is_empty() {
            return Ok(());
        }
        let function = match self.record.functions.as_slice() {
            [one] => one.as_str(),
            _ => "f",
        };
        let mutants = counted(untested.len() as u64, "mutant");
        writeln!(
            f,
            "  no group is eligible on {mutants}, so that no relation was tested there; `defined({function}(…))` in a relation speaks \
             of calls that fail"
        )?;
        self.lines(f, &untested, self.styles.bad, &|mutant| {
            mutant.untested.as_ref().map(why_untested).unwrap_or_default()
        })
    }

    /// Every mutant in a line of its own, with what was made of it so far.
    pub(super) fn every(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mutants: Vec<_> = self.record.mutants.iter().collect();
        self.lines(f, &mutants, self.styles.strong, &|mutant| match mutant.judgement {
            Judgement::NotRun => String::new(),
            Judgement::Killed | Judgement::Alive => status(mutant).to_owned(),
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
            list(f, &format!("killed {operator}"), &ranges(&ids))?;
        }
        self.kinds(f)?;
        for how in [Proof::SameCode, Proof::EveryPath] {
            let equivalent = self.of(|j| *j == Judgement::Equivalent { proof: how });
            let equivalent = equivalent.map(|m| m.id).collect::<Vec<_>>();
            list(f, &format!("equivalent ({})", proof_words(how)), &ranges(&equivalent))?;
        }
        let duplicate = |m: &MutantRecord| match m.judgement {
            Judgement::Duplicate { of } => Some(format!("{}={of}", m.id)),
            _ => None,
        };
        let duplicates = self.record.mutants.iter().filter_map(duplicate).collect::<Vec<_>>();
        list(f, "duplicate", &duplicates.join(" "))?;
        for mutant in self.of(|j| matches!(j, Judgement::Accepted { .. })) {
            let MutantRecord { id, operator, .. } = mutant;
            let (place, change, reason) = (place(mutant), change(mutant), because(mutant));
            writeln!(f, "  accepted: {id}  {place}  {operator}  {change}  {reason}")?;
        }
        let not_run = self.of(|j| *j == Judgement::NotRun).map(|m| m.id).collect::<Vec<_>>();
        list(f, "not run", &ranges(&not_run))
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

/// Words behind a heading, broken into lines; nothing where there are none.
fn list(f: &mut fmt::Formatter<'_>, heading: &str, words: &str) -> fmt::Result {
    let mut line = format!("  {heading}:");
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.len() > LINE {
            writeln!(f, "{line}")?;
            line = "   ".to_owned();
        }
        line += &format!(" {word}");
    }
    if words.is_empty() { Ok(()) } else { writeln!(f, "{line}") }
}
