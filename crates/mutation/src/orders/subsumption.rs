//! Dynamic subsumption: the order among mutants that follows from the tests of one suite.

mod minimal;

use std::collections::HashMap;

use dodona_target::{greedy_cover, without_superfluous};
use fixedbitset::FixedBitSet;

use crate::orders::kills::{KillSets, transposed};
use crate::orders::reduction::{MOST_ORDERED, layers, reduced};

/// Mutants that the same tests kill. Each of them subsumes the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its mutants, ascending; one of them stands for all.
    pub mutants: Vec<usize>,
    /// The tests that kill them, at least one.
    kills: FixedBitSet,
    /// The number of these tests.
    times: usize,
}

impl Group {
    /// The tests that kill its mutants, ascending.
    pub fn killing(&self) -> impl Iterator<Item = usize> + '_ {
        self.kills.ones()
    }

    /// How many tests kill its mutants: at least one.
    pub fn times_killed(&self) -> usize {
        self.times
    }

    /// Whether every test that kills this group kills the other, and some test kills the other alone: strict subsumption.
    pub fn subsumes(&self, other: &Group) -> bool {
        self.times < other.times && self.kills.is_subset(&other.kills)
    }
}

/// The mutants of a kill matrix in groups, and which groups subsume which.
///
/// A mutant subsumes another when some test kills it and every test that does kills the other (Ammann, Delamaro, Offutt 2014).
/// Mutants that subsume each other are a [`Group`]; a group that no other strictly subsumes is a *dominator*. A suite that kills
/// one mutant of each dominator kills every mutant that can be killed, so the dominators are a minimal set of mutants.
/// All of this holds for the tests of the matrix: another test may split a group or end a subsumption.
///
/// ```
/// use dodona_mutation::orders::{KillSets, Subsumption};
/// let kills = KillSets::from_tests(3, [vec![0], vec![0, 1], vec![0, 1], vec![2], vec![]])?;
/// let order = Subsumption::of(&kills);
/// assert_eq!(order.alive(), [4]);
/// assert_eq!(order.groups()[2].mutants, [1, 2], "the same two tests kill both");
/// assert!(order.groups()[0].subsumes(&order.groups()[2]));
/// assert_eq!(order.score([1]).killed, 0, "test 1 kills no dominator, although it kills two mutants");
/// # Ok::<(), dodona_mutation::orders::KillSetsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subsumption {
    tests: usize,
    groups: Vec<Group>,
    /// By mutant; `None` for those alive.
    group_of: Vec<Option<usize>>,
    alive: Vec<usize>,
    dominators: Vec<usize>,
}

impl Subsumption {
    /// The order that these kill sets show.
    pub fn of(kills: &KillSets) -> Self {
        let groups = groups(kills);
        let mut group_of = vec![None; kills.mutants()];
        for (number, group) in groups.iter().enumerate() {
            group.mutants.iter().for_each(|&mutant| group_of[mutant] = Some(number));
        }
        let rows: Vec<&FixedBitSet> = groups.iter().map(|group| &group.kills).collect();
        let dominators = minimal::minimal(kills.tests(), &rows);
        Subsumption { tests: kills.tests(), groups, group_of, alive: kills.alive().collect(), dominators }
    }

    /// The groups, sorted by the number of tests that kill them, then by their first mutants. So a group comes before all
    /// groups that it subsumes.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group of a mutant; `None` where no test kills it.
    ///
    /// # Panics
    /// When there is no such mutant.
    pub fn group_of(&self, mutant: usize) -> Option<usize> {
        self.group_of[mutant]
    }

    /// The mutants that no test kills, ascending. They are in no group: nothing is known of their strength.
    pub fn alive(&self) -> &[usize] {
        &self.alive
    }

    /// The groups that no other strictly subsumes, in their order.
    pub fn dominators(&self) -> impl ExactSizeIterator<Item = &Group> {
        self.dominators.iter().map(|&number| &self.groups[number])
    }

    /// The places of the dominators among the [`groups`](Self::groups), ascending.
    pub fn dominator_numbers(&self) -> &[usize] {
        &self.dominators
    }

    /// The dominators that share no killing test with another dominator, as indices of groups, ascending. Each of them needs a
    /// test of its own, so no suite that kills all mutants has fewer tests than this.
    pub fn disjoint_dominators(&self) -> Vec<usize> {
        let mut kill = vec![0_u32; self.tests];
        for group in self.dominators() {
            group.killing().for_each(|test| kill[test] += 1);
        }
        let is_alone = |number: &usize| self.groups[*number].killing().all(|test| kill[test] == 1);
        self.dominators.iter().copied().filter(is_alone).collect()
    }

    /// How many dominators some tests kill. Tests that are not there kill none.
    pub fn score(&self, tests: impl IntoIterator<Item = usize>) -> SubsumptionScore {
        let mut chosen = FixedBitSet::with_capacity(self.tests);
        tests.into_iter().filter(|&test| test < self.tests).for_each(|test| chosen.insert(test));
        let killed = self.dominators().filter(|group| !group.kills.is_disjoint(&chosen)).count();
        SubsumptionScore { killed, dominators: self.dominators.len() }
    }

    /// Tests that together kill every mutant that the suite kills, in the order of their choice. The next test is always the
    /// one that kills the most of the remaining dominators, and the first of several such tests. In the end, tests that later
    /// ones have made unnecessary are dropped. None of the others can be left out, but a smaller set may exist: no algorithm is
    /// known that finds the smallest set in polynomial time.
    pub fn sufficient_tests(&self) -> Vec<usize> {
        let rows: Vec<&FixedBitSet> = self.dominators().map(|group| &group.kills).collect();
        let columns = transposed(&rows, self.tests);
        without_superfluous(&columns, greedy_cover(&columns))
    }

    /// The mutants that are killed, with the number of tests that kill each. Those with the fewest tests come first, and of
    /// these the one with the smaller number.
    pub fn by_difficulty(&self) -> Vec<(usize, usize)> {
        let of_group = |group: &'_ Group| {
            let times = group.times;
            group.mutants.clone().into_iter().map(move |mutant| (mutant, times))
        };
        let mut mutants: Vec<(usize, usize)> = self.groups.iter().flat_map(of_group).collect();
        mutants.sort_unstable_by_key(|&(mutant, times)| (times, mutant));
        mutants
    }

    /// The mutants that are hardest to kill, ascending: no other killed mutant is killed by fewer tests.
    pub fn hardest(&self) -> Vec<usize> {
        let fewest = self.groups.first().map_or(0, |group| group.times);
        let hardest = self.groups.iter().take_while(|group| group.times == fewest);
        let mut mutants: Vec<usize> = hardest.flat_map(|group| group.mutants.iter().copied()).collect();
        mutants.sort_unstable();
        mutants
    }

    /// Strict subsumption without edges that follow from others, among the first [`MOST_ORDERED`] groups. The groups after
    /// these, which the most tests kill, are left out and counted. A group that is left out subsumes none of the others, so
    /// that the edges between the others are those of the whole order.
    pub fn order(&self) -> SubsumptionOrder {
        let ordered = self.groups.len().min(MOST_ORDERED);
        let groups = &self.groups[..ordered];
        let weaker = |(number, group): (usize, &Group)| -> Vec<u32> {
            let after = groups.iter().enumerate().skip(number + 1);
            after.filter(|(_, other)| group.subsumes(other)).map(|(other, _)| other as u32).collect()
        };
        let edges = reduced(groups.iter().enumerate().map(weaker).collect());
        let layers = layers(ordered, &edges);
        SubsumptionOrder { edges, layers, left_out: self.groups.len() - ordered }
    }
}

/// How many dominators some tests kill. Unlike the mutation score, this does not count mutants that are killed along with
/// others (Kurtz et al. 2014).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubsumptionScore {
    /// The dominators that some of the tests kill.
    pub killed: usize,
    /// All dominators.
    pub dominators: usize,
}

impl SubsumptionScore {
    /// The share of the dominators that are killed, from 0 to 1; `None` if the suite kills no mutant, so that there is no
    /// dominator.
    pub fn ratio(self) -> Option<f64> {
        (self.dominators > 0).then(|| self.killed as f64 / self.dominators as f64)
    }
}

/// Strict subsumption among groups as a drawing shows it. See [`Subsumption::order`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubsumptionOrder {
    /// The subsuming and the subsumed group, as places among the groups, ascending.
    pub edges: Vec<(usize, usize)>,
    /// For each ordered group the length of the longest chain above it: 0 for the dominators.
    pub layers: Vec<usize>,
    /// The number of groups that are left out; they come after the others.
    pub left_out: usize,
}

/// The killed mutants by the tests that kill them.
fn groups(kills: &KillSets) -> Vec<Group> {
    let mut numbers: HashMap<&FixedBitSet, usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for (mutant, row) in kills.rows().iter().enumerate() {
        let times = row.count_ones(..);
        if times == 0 {
            continue;
        }
        let number = *numbers.entry(row).or_insert(groups.len());
        if number == groups.len() {
            groups.push(Group { mutants: Vec::new(), kills: row.clone(), times });
        }
        groups[number].mutants.push(mutant);
    }
    // The groups are sorted by their first mutants already, and this sort is stable.
    groups.sort_by_key(|group| group.times);
    groups
}
