//! The paths that the inputs of groups take, for the criteria that ask about these.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;

use dodona_generation::adequacy::neighbours::{apc, apcem, appcem, eccem};
use dodona_generation::{CoveredFunction, Detail};
use dodona_records::PathShares;
use dodona_subject::PathId;
use dodona_target::Interruption;
use dodona_workbench::LabError;
use fixedbitset::FixedBitSet;

use super::Executed;

/// The inputs of each group, as numbers of the paths that they take or of the classes that they belong to.
pub struct GroupPaths {
    /// The number of paths (or classes).
    pub count: usize,
    /// The path of each input in [`Executed::inputs`].
    of_input: Vec<Option<u32>>,
}

/// The paths of all inputs that the groups ran.
///
/// # Errors
/// When the host fails.
pub fn group_paths(
    covered: &CoveredFunction,
    executed: &Executed,
    jobs: NonZeroUsize,
    interrupted: &Interruption,
) -> Result<GroupPaths, LabError> {
    let batches = if executed.inputs.is_empty() { Vec::new() } else { vec![executed.inputs.clone()] };
    let coverage = covered.cover(batches, Detail::Inputs, jobs, interrupted, &mut |_| {})?;
    let mut numbers: HashMap<PathId, u32> = HashMap::new();
    let of_groups: HashSet<u32> = executed.called.iter().flatten().map(|(_, input)| *input).collect();
    let number = |(at, input): (u32, &dodona_generation::InputCoverage)| {
        let next = numbers.len() as u32;
        of_groups.contains(&at).then(|| *numbers.entry(input.path).or_insert(next))
    };
    let of_input = (0..).zip(&coverage.inputs).map(number).collect();
    Ok(GroupPaths { count: numbers.len(), of_input })
}

impl GroupPaths {
    /// So many classes in the place of paths, with the class of each input, `None` for one that belongs to none.
    pub fn classes(count: usize, of_input: Vec<Option<u32>>) -> GroupPaths {
        GroupPaths { count, of_input }
    }

    /// For each relation what the inputs of some groups take: all groups, or those of a suite.
    fn covered(&self, executed: &Executed, suite: Option<&HashSet<(u32, u32)>>) -> Vec<FixedBitSet> {
        let of = |(place, called): (usize, &Vec<(u32, u32)>)| {
            let is_in = |source: u32| suite.is_none_or(|suite| suite.contains(&(source, place as u32)));
            let mut set = FixedBitSet::with_capacity(self.count);
            let paths = called.iter().filter(|(source, _)| is_in(*source));
            set.extend(paths.filter_map(|(_, input)| self.path(*input)).map(|path| path as usize));
            set
        };
        executed.called.iter().enumerate().map(of).collect()
    }

    /// For each relation the pairs of paths of a group's first input and each further one.
    fn pairs(&self, executed: &Executed, suite: Option<&HashSet<(u32, u32)>>) -> Vec<HashSet<(u32, u32)>> {
        let of = |(place, called): (usize, &Vec<(u32, u32)>)| {
            let mut first: HashMap<u32, u32> = HashMap::new();
            let mut pairs = HashSet::new();
            for (source, input) in called {
                let is_in = suite.is_none_or(|suite| suite.contains(&(*source, place as u32)));
                let Some(path) = self.path(*input).filter(|_| is_in) else { continue };
                match first.get(source) {
                    Some(before) => drop(pairs.insert((*before, path))),
                    None => drop(first.insert(*source, path)),
                }
            }
            pairs
        };
        executed.called.iter().enumerate().map(of).collect()
    }

    fn path(&self, input: u32) -> Option<u32> {
        self.of_input.get(input as usize).copied().flatten()
    }

    /// ECCEM of all groups, with classes in the place of paths.
    pub fn eccem(&self, executed: &Executed) -> f64 {
        eccem(&self.covered(executed, None), self.count)
    }

    /// APCEM and APPCEM of all groups: what a relation covers on average of the paths, and of the pairs of paths, that some group takes. A path that
    /// one relation takes counts as one that each relation could take, for nobody knows better.
    pub fn of_relations(&self, executed: &Executed) -> PathShares {
        let (covered, pairs) = (self.covered(executed, None), self.pairs(executed, None));
        let every: FixedBitSet = (0..self.count).collect();
        let every_pair: HashSet<(u32, u32)> = pairs.iter().flatten().copied().collect();
        PathShares {
            paths: self.count as u64,
            apcem: apcem(&covered, &vec![every; covered.len()]),
            appcem: appcem(&pairs, &vec![every_pair; pairs.len()]),
        }
    }

    /// APC, APCEM and APPCEM of a suite of groups, against what all groups together cover.
    pub fn path_criteria(&self, executed: &Executed, suite: &[(usize, usize)]) -> [f64; 3] {
        let suite: HashSet<(u32, u32)> = suite.iter().map(|(s, r)| (*s as u32, *r as u32)).collect();
        let (some, all) = (self.covered(executed, Some(&suite)), self.covered(executed, None));
        let pairs = (self.pairs(executed, Some(&suite)), self.pairs(executed, None));
        [apc(&some, self.count), apcem(&some, &all), appcem(&pairs.0, &pairs.1)]
    }
}
