//! What the inputs of several functions ran of the same source files, added up.

use std::collections::BTreeMap;

use dodona_records::{BranchCoverage, CoverageRecord, FileCoverage, Share};

use crate::coverage::path_of;

/// How often each direction of each branch of a line was taken, by the function in the module and the instruction there: the order of the code.
pub(super) type Branches = BTreeMap<(String, u32), Vec<u64>>;

/// A subject.
pub(super) struct Package {
    pub(super) name: String,
    manifest: String,
    pub(super) classes: Vec<Class>,
}

/// A source file.
pub(super) struct Class {
    pub(super) name: String,
    pub(super) file: String,
    pub(super) lines: BTreeMap<u32, Line>,
}

/// A line of source.
#[derive(Default)]
pub(super) struct Line {
    pub(super) hits: u64,
    pub(super) branches: Branches,
}

/// The subjects in the order of the records, with their files as they first come.
pub(super) fn packages(records: &[CoverageRecord]) -> Vec<Package> {
    let mut packages: Vec<Package> = Vec::new();
    for record in records {
        let known = packages.iter().position(|package| package.manifest == record.manifest);
        let at = known.unwrap_or_else(|| {
            let CoverageRecord { subject, manifest, .. } = record.clone();
            packages.push(Package { name: subject, manifest, classes: Vec::new() });
            packages.len() - 1
        });
        for file in &record.files {
            packages[at].add(path_of(record, file).display().to_string(), file);
        }
    }
    packages
}

impl Package {
    fn add(&mut self, path: String, file: &FileCoverage) {
        let known = self.classes.iter().position(|class| class.file == path);
        let at = known.unwrap_or_else(|| {
            let name = file.path.clone();
            self.classes.push(Class { name, file: path, lines: BTreeMap::new() });
            self.classes.len() - 1
        });
        for line in &file.lines {
            let sum = self.classes[at].lines.entry(line.line).or_default();
            sum.hits = sum.hits.saturating_add(line.hits);
            line.branches.iter().for_each(|branch| sum.add(branch));
        }
    }

    /// The lines that were run and the directions that were taken, of all.
    pub(super) fn shares(&self) -> [Share; 2] {
        total(self.classes.iter().map(Class::shares))
    }
}

impl Class {
    /// The lines that were run and the directions that were taken, of all.
    pub(super) fn shares(&self) -> [Share; 2] {
        total(self.lines.values().map(|line| {
            let mut one = Share::default();
            one.count(line.hits > 0);
            [one, line.directions()]
        }))
    }
}

impl Line {
    fn add(&mut self, branch: &BranchCoverage) {
        let sum = self.branches.entry((branch.function.clone(), branch.instruction)).or_default();
        sum.resize(sum.len().max(branch.taken.len()), 0);
        sum.iter_mut().zip(&branch.taken).for_each(|(sum, taken)| *sum = sum.saturating_add(*taken));
    }

    /// The directions of its branches that were taken, of all.
    pub(super) fn directions(&self) -> Share {
        let [all, _] = total(self.branches.values().map(|taken| [share(taken), Share::default()]));
        all
    }
}

/// The directions that were taken, of all.
pub(super) fn share(taken: &[u64]) -> Share {
    let mut share = Share::default();
    taken.iter().for_each(|count| share.count(*count > 0));
    share
}

/// All shares of lines together, and all of directions.
pub(super) fn total(shares: impl Iterator<Item = [Share; 2]>) -> [Share; 2] {
    let add = |a: Share, b: Share| Share { covered: a.covered + b.covered, total: a.total + b.total };
    shares.fold(Default::default(), |[lines, directions], [more, more_directions]| {
        [add(lines, more), add(directions, more_directions)]
    })
}
