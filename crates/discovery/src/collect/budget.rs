//! How much is run. Work is counted in units, so that a slow function takes about as long as a quick one, and the result does not
//! depend on a clock.

use dodona_workbench::Workbench;

use crate::sources::Sources;

/// What a call costs in addition to its fuel, in units of fuel: if calls share an instance, and if each call gets a fresh instance.
const SHARED: u64 = 100;
const FRESH: u64 = 3_000;

/// What observation costs, as a multiple of a call: the observing version runs once, and the original twice.
const OBSERVING: u64 = 4;

/// The units that the original and the observing version may take, and the units that all mutants together may take.
const OF_ORIGINAL: u64 = 1_200_000_000;
const OF_MUTANTS: u64 = 3_000_000_000;

/// The units that all mutants may take on source inputs, before their pairs are chosen.
const OF_SOURCES: u64 = 300_000_000;

/// The fewest source inputs that a mutant is run on before its pairs are chosen.
const FEWEST_SOURCE_TRIES: usize = 32;

/// The units that a relation may take on new inputs: before it is chosen, and after. The last is the fewest inputs.
const OF_SCREEN: u64 = 400_000_000;
const OF_FRESH: u64 = 8_000_000_000;
const FEWEST_FRESH: u64 = 200;

/// The units that mutation analysis with the relations found may take.
const OF_ANALYSIS: u64 = 2_000_000_000;

/// How many times its intended units some work may take, if it needs them to reach the smallest amount that is worthwhile.
const DEARER: u64 = 4;

/// The fewest and the most source inputs of a relation in mutation analysis.
const FEWEST_ANALYSED: u64 = 16;
const MOST_ANALYSED: u64 = 500;

/// The fewest source inputs, and the fewest pairs of a mutant under a transformation, unless calls take milliseconds.
const FEWEST_SOURCES: usize = 250;
const FEWEST_TRIES: usize = 8;

/// The fewest source inputs, pairs and transformations if a call takes milliseconds, so that the usual minimum would take minutes.
/// Little is found with them, but it is found in time.
const LEAST_SOURCES: usize = 16;
const LEAST_TRIES: usize = 4;
const FEWEST_TRANSFORMATIONS: usize = 3;

/// How many inputs are used to measure what a call costs.
const SAMPLE: usize = 100;

/// How much may be run.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// The units of a call on average.
    call: u64,
    transformations: usize,
    effort: f64,
}

impl Budget {
    /// Measures the cost of calls on some of the source inputs.
    pub(crate) fn new(
        workbench: &Workbench,
        function: usize,
        sources: &Sources,
        transformations: usize,
        effort: f64,
    ) -> Budget {
        // Evenly spread, because inputs of one origin are next to each other.
        let sample = || sources.fuel.iter().step_by(sources.len().div_ceil(SAMPLE).max(1));
        let fuel = sample().sum::<u64>() / sample().count().max(1) as u64;
        let beside = if workbench.executable.isolation(function).is_reused() { SHARED } else { FRESH };
        Budget { call: fuel + beside, transformations, effort }
    }

    /// The units scaled by the effort that the user asks for.
    fn part(&self, units: u64) -> u64 {
        (units as f64 * self.effort) as u64
    }

    /// How many of `all` source inputs are used.
    pub(super) fn sources(&self, all: usize) -> usize {
        let of_one = self.call * OBSERVING * (self.transformations as u64 + 1);
        all.min(self.at_least(FEWEST_SOURCES, OF_ORIGINAL, of_one).max(LEAST_SOURCES))
    }

    /// How many items, at `of_one` units each, may be done: as many as `units` pays for, but at least `fewest`, as long as these
    /// cost no more than `DEARER` times `units`. With calls of milliseconds they cost more.
    fn at_least(&self, fewest: usize, units: u64, of_one: u64) -> usize {
        let affordable = (self.part(units) / of_one.max(1)) as usize;
        let dear = (self.part(units).saturating_mul(DEARER) / of_one.max(1)) as usize;
        affordable.max(fewest.min(dear))
    }

    /// How many input transformations are used: all of them, unless a call takes milliseconds.
    pub(crate) fn transformations(&self) -> usize {
        let units = self.part(OF_ORIGINAL).saturating_mul(DEARER);
        let inputs = units / (self.call * OBSERVING).max(1);
        usize::try_from(inputs / LEAST_SOURCES as u64).unwrap_or(usize::MAX).max(FEWEST_TRANSFORMATIONS)
    }

    /// How many source inputs each of the mutants is run on before its pairs are chosen.
    pub(super) fn source_tries(&self, mutants: usize) -> usize {
        let of_one = self.call * mutants.max(1) as u64;
        self.at_least(FEWEST_SOURCE_TRIES, OF_SOURCES, of_one).max(LEAST_TRIES)
    }

    /// On how many new inputs a candidate is run before it is chosen, at most `most`.
    pub(crate) fn screened(&self, most: u64) -> u64 {
        self.groups(OF_SCREEN).min(most)
    }

    /// On how many new inputs a chosen relation is run, at most `most`.
    pub(crate) fn fresh(&self, most: u64) -> u64 {
        self.groups(OF_FRESH).min(most)
    }

    /// How many metamorphic groups can be run with these units.
    fn groups(&self, units: u64) -> u64 {
        (self.part(units) / (2 * self.call)).max(FEWEST_FRESH)
    }

    /// How many source inputs each relation is run on with each mutant, to see which mutants it kills. `None` if even few inputs
    /// would take far too long.
    pub(crate) fn analysed(&self, mutants: usize, relations: usize) -> Option<u64> {
        let of_one = 2 * self.call * (mutants.max(1) * relations.max(1)) as u64;
        let inputs = (self.part(OF_ANALYSIS) / of_one).min(MOST_ANALYSED);
        let is_enough = inputs * DEARER >= FEWEST_ANALYSED;
        is_enough.then_some(inputs.max(FEWEST_ANALYSED))
    }

    /// How many pairs of a transformation each of the mutants is run on, if `wanted` incorrect executions of each mutant are wanted.
    pub(super) fn tries(&self, mutants: usize, wanted: usize) -> usize {
        let of_one = self.call * (self.transformations as u64 + 1) * mutants.max(1) as u64;
        self.at_least(FEWEST_TRIES, OF_MUTANTS, of_one)
            .clamp(LEAST_TRIES, wanted.saturating_mul(4).max(FEWEST_TRIES))
    }
}
