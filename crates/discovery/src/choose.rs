//! The choice of a small set of relations that reveal different faults: greedily by the mutants that they kill, and then one relation
//! of each further input transformation, as far as there is room.
//!
//! The choice by recorded executions and the choice by new inputs are one algorithm with two sets of rules.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use dodona_inference::discovery::{Candidate, GreedyCover, KillSet};
use fixedbitset::FixedBitSet;

use crate::tuning::{HALVING_SIZE, REFUTED_AT_ONCE};

/// A relation that takes part in a choice.
#[derive(Clone, Copy)]
pub(super) struct Contender<'c> {
    /// The index of its transformation; `None` for a relation of a known form.
    pub(super) transformation: Option<usize>,
    pub(super) candidate: &'c Candidate,
    /// The mutants that it kills.
    pub(super) killed: &'c FixedBitSet,
}

/// The rules by which one choice differs from another.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChoiceRule {
    /// The most relations.
    pub(super) most: usize,
    /// A relation is chosen for what it adds if it kills more than this many further mutants.
    pub(super) least_gain: usize,
    /// A relation of a further transformation may kill at most 1/`shortfall` fewer mutants than the best chosen relation.
    pub(super) shortfall: usize,
    /// Which relation of a further transformation is proposed; none if relations count only for what they add.
    pub(super) representative: Option<Representative>,
}

/// Which relation of a transformation is proposed where none of them was chosen for what it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Representative {
    /// The one that kills the most mutants for its size.
    MostForItsSize,
    /// The one that kills the most mutants.
    MostKilled,
    /// The smallest one: without mutants, nothing else tells relations apart.
    Smallest,
}

/// The decision on a relation that is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    Accepted,
    /// It does not hold, or says nothing.
    Refuted,
    /// It holds, but the choice does not need it.
    NotNeeded,
}

/// Decides on the relations that a choice proposes. Recorded executions promise more than a relation keeps, so one choice runs them.
pub(super) trait Admission {
    /// Why there is no ruling.
    type Error;

    /// What becomes of the relation with an index, beside those chosen so far.
    ///
    /// # Errors
    /// When the relation cannot be run.
    fn decide(&mut self, place: usize, chosen: &[usize]) -> Result<Ruling, Self::Error>;
}

/// The relations that were chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChosenSet {
    /// Their indices among the contenders, in the order of the choice.
    pub(super) places: Vec<usize>,
    /// The mutants that the relations kill which were chosen for what they add.
    pub(super) killed: FixedBitSet,
}

/// Chooses relations beside others that kill the mutants in `before`. `admission` is asked about each one before it counts.
///
/// # Errors
/// Those of `admission`.
pub(super) fn choose<A: Admission>(
    contenders: &[Contender<'_>],
    rule: &ChoiceRule,
    before: &FixedBitSet,
    admission: &mut A,
) -> Result<ChosenSet, A::Error> {
    let mut chooser = Chooser { contenders, rule, admission, places: Vec::new(), refuted: HashMap::new() };
    let killed = chooser.cover(before)?;
    chooser.drop_needless();
    chooser.fill()?;
    Ok(ChosenSet { places: chooser.places, killed })
}

/// The state of one choice.
struct Chooser<'c, A> {
    contenders: &'c [Contender<'c>],
    rule: &'c ChoiceRule,
    admission: &'c mut A,
    places: Vec<usize>,
    /// How many relations were refuted, by transformation.
    refuted: HashMap<Option<usize>, usize>,
}

impl<A: Admission> Chooser<'_, A> {
    /// Chooses the relations that add enough; returns the mutants that they kill.
    fn cover(&mut self, before: &FixedBitSet) -> Result<FixedBitSet, A::Error> {
        let mut cover = greedy(self.contenders.iter());
        cover.leave_out(before);
        while self.places.len() < self.rule.most
            && let Some(next) = cover.propose()
        {
            // No break: a larger relation that adds more may come after a small one that adds little.
            if cover.gain(next) > self.rule.least_gain && self.is_accepted(next)? {
                cover.accept(next);
            }
        }
        Ok(cover.killed().clone())
    }

    /// Drops the relations that others make needless.
    fn drop_needless(&mut self) {
        let all = self.places.clone();
        let is_needless = |place: &usize| {
            let one = &self.contenders[*place];
            all.iter().any(|&other| one.is_needless_beside(&self.contenders[other]))
        };
        self.places = all.iter().copied().filter(|place| !is_needless(place)).collect();
    }

    /// If there is room, adds a relation of each transformation that has none, provided that it kills nearly as many mutants as the
    /// best of all. The mutants may be the same, but the relation says something else about the function.
    fn fill(&mut self) -> Result<(), A::Error> {
        let Some(representative) = self.rule.representative else { return Ok(()) };
        let best = self.places.iter().map(|&place| self.contenders[place].count()).max().unwrap_or(0);
        let least = best - best / self.rule.shortfall;
        for refuted in 0..REFUTED_AT_ONCE {
            for place in self.representatives(representative, refuted, least) {
                if self.places.len() >= self.rule.most {
                    return Ok(());
                }
                self.is_accepted(place)?;
            }
        }
        Ok(())
    }

    /// From each transformation without a chosen relation the next relation after `refuted` ones that were refuted, if it kills at
    /// least so many mutants; those that kill the most come first.
    fn representatives(&self, wanted: Representative, refuted: usize, least: usize) -> Vec<usize> {
        let transformations: BTreeSet<Option<usize>> =
            self.contenders.iter().map(|one| one.transformation).collect();
        let open =
            transformations.into_iter().filter(|&transformation| self.is_open(transformation, refuted));
        let next = open.filter_map(|transformation| self.representative(wanted, transformation, refuted));
        let count = |place: usize| self.contenders[place].count();
        let mut places: Vec<usize> = next.filter(|&place| count(place) >= least).collect();
        places.sort_by_key(|&place| (Reverse(count(place)), place));
        places
    }

    /// Whether no relation of a transformation is chosen, and so many of them were refuted.
    fn is_open(&self, transformation: Option<usize>, refuted: usize) -> bool {
        let is_of = |place: &usize| self.contenders[*place].transformation == transformation;
        self.refutations(transformation) >= refuted && !self.places.iter().any(is_of)
    }

    fn refutations(&self, transformation: Option<usize>) -> usize {
        self.refuted.get(&transformation).copied().unwrap_or(0)
    }

    /// The next relation of a transformation after `refuted` ones that were refuted.
    fn representative(
        &self,
        wanted: Representative,
        transformation: Option<usize>,
        refuted: usize,
    ) -> Option<usize> {
        let is_of = |place: &usize| self.contenders[*place].transformation == transformation;
        let mut places: Vec<usize> = (0..self.contenders.len()).filter(is_of).collect();
        match wanted {
            Representative::MostForItsSize => {
                let mut cover = greedy(places.iter().map(|&place| &self.contenders[place]));
                (0..=refuted).filter_map(|_| cover.propose()).last().map(|next| places[next])
            }
            Representative::MostKilled => {
                places.sort_by_key(|&place| Reverse(self.contenders[place].count()));
                places.get(refuted).copied()
            }
            Representative::Smallest => {
                places.sort_by_key(|&place| self.contenders[place].candidate.size);
                places.get(refuted).copied()
            }
        }
    }

    /// Asks about a relation, unless too many others of its transformation were refuted: the same inputs refute most of them.
    fn is_accepted(&mut self, place: usize) -> Result<bool, A::Error> {
        let transformation = self.contenders[place].transformation;
        if self.refutations(transformation) >= REFUTED_AT_ONCE {
            return Ok(false);
        }
        let ruling = self.admission.decide(place, &self.places)?;
        match ruling {
            Ruling::Accepted => self.places.push(place),
            Ruling::Refuted => *self.refuted.entry(transformation).or_default() += 1,
            Ruling::NotNeeded => {}
        }
        Ok(ruling == Ruling::Accepted)
    }
}

/// A greedy choice among relations by the mutants that they kill and by how much there is to read.
fn greedy<'c>(all: impl Iterator<Item = &'c Contender<'c>>) -> GreedyCover {
    let set = |one: &Contender<'_>| KillSet { killed: one.killed.clone(), size: one.candidate.weight() };
    GreedyCover::new(all.map(set).collect(), HALVING_SIZE)
}

impl Contender<'_> {
    /// How many mutants it kills.
    fn count(&self) -> usize {
        self.killed.count_ones(..)
    }

    /// Whether `other`, a relation of the same transformation, makes this one needless: if `other` has all parts of this one and
    /// more, or kills in the recorded executions all mutants that this one kills and more than half as many again. If `other` kills
    /// only a few more, this simpler relation stays.
    pub(super) fn is_needless_beside(&self, other: &Contender<'_>) -> bool {
        let (mine, others) = (self.candidate, other.candidate);
        let is_part = mine.condition == others.condition
            && mine.parts.len() < others.parts.len()
            && mine.parts.iter().all(|part| others.parts.contains(part));
        let (few, many) = (mine.caught.count_ones(..), others.caught.count_ones(..));
        let is_much_less = mine.caught.is_subset(&others.caught) && 2 * many > 3 * few;
        self.transformation == other.transformation && (is_part || is_much_less)
    }
}

#[cfg(test)]
mod tests;
