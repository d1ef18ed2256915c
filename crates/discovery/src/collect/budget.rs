//! How much is run. Work is counted in units, so that a slow function takes about as long as a quick one, and the result does not
//! depend on a clock.

use dodona_wasm::Workbench;

use crate::overhead;
use crate::sources::SourceInputs;
use crate::tuning::{
    COST_SAMPLE, FEWEST_ANALYSED, FEWEST_FRESH, FEWEST_PATTERN_INPUTS, FEWEST_SOURCE_TRIES, FEWEST_SOURCES,
    FEWEST_TRANSFORMATIONS, FEWEST_TRIES, LEAST_SOURCES, LEAST_TRIES, MOST_ANALYSED, MOST_PATTERN_INPUTS,
    MOST_REVEALING, OBSERVING, OVERDRAFT, TRIES_A_WANTED, UNITS_OF_ANALYSIS, UNITS_OF_CONFIRMATION,
    UNITS_OF_MUTANTS, UNITS_OF_ORIGINAL, UNITS_OF_PATTERN_MUTANTS, UNITS_OF_PATTERNS, UNITS_OF_SCREENING,
    UNITS_OF_SOURCES,
};

/// How much may be run.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// The units of a call on average.
    call: u64,
    transformations: usize,
    effort: f64,
}

/// How much is run to find patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PatternSize {
    /// The inputs of the original.
    pub(crate) inputs: usize,
    /// The inputs of a mutant that reveal it.
    pub(crate) of_mutant: usize,
}

impl Budget {
    /// Measures the cost of calls on some of the source inputs.
    pub(crate) fn new(
        workbench: &Workbench,
        function: usize,
        sources: &SourceInputs,
        transformations: usize,
        effort: f64,
    ) -> Budget {
        // Evenly spread, because inputs of one origin are next to each other.
        let sample = || sources.fuel.iter().step_by(sources.len().div_ceil(COST_SAMPLE).max(1));
        let fuel = sample().sum::<u64>() / sample().count().max(1) as u64;
        Budget { call: fuel + overhead::of_call(workbench, function), transformations, effort }
    }

    /// The units scaled by the effort that the user asks for.
    fn part(&self, units: u64) -> u64 {
        (units as f64 * self.effort) as u64
    }

    /// How many of `all` source inputs are used.
    pub(super) fn sources(&self, all: usize) -> usize {
        let of_one = self.call * OBSERVING * (self.transformations as u64 + 1);
        all.min(self.at_least(FEWEST_SOURCES, UNITS_OF_ORIGINAL, of_one).max(LEAST_SOURCES))
    }

    /// How many items, at `of_one` units each, may be done: as many as `units` pays for, but at least `fewest`, as long as these
    /// cost no more than `OVERDRAFT` times `units`. With calls of milliseconds they cost more.
    fn at_least(&self, fewest: usize, units: u64, of_one: u64) -> usize {
        let affordable = (self.part(units) / of_one.max(1)) as usize;
        let dear = (self.part(units).saturating_mul(OVERDRAFT) / of_one.max(1)) as usize;
        affordable.max(fewest.min(dear))
    }

    /// How many input transformations are used: all of them, unless a call takes milliseconds.
    pub(crate) fn transformations(&self) -> usize {
        let units = self.part(UNITS_OF_ORIGINAL).saturating_mul(OVERDRAFT);
        let inputs = units / (self.call * OBSERVING).max(1);
        usize::try_from(inputs / LEAST_SOURCES as u64).unwrap_or(usize::MAX).max(FEWEST_TRANSFORMATIONS)
    }

    /// How many source inputs each of the mutants is run on before its pairs are chosen.
    pub(super) fn source_tries(&self, mutants: usize) -> usize {
        let of_one = self.call * mutants.max(1) as u64;
        self.at_least(FEWEST_SOURCE_TRIES, UNITS_OF_SOURCES, of_one).max(LEAST_TRIES)
    }

    /// On how many new inputs a candidate is run before it is chosen, at most `most`.
    pub(crate) fn screened(&self, most: u64) -> u64 {
        self.groups(UNITS_OF_SCREENING).min(most)
    }

    /// On how many new inputs a chosen relation is run, at most `most`.
    pub(crate) fn fresh(&self, most: u64) -> u64 {
        self.groups(UNITS_OF_CONFIRMATION).min(most)
    }

    /// How many metamorphic groups can be run with these units.
    fn groups(&self, units: u64) -> u64 {
        (self.part(units) / (2 * self.call)).max(FEWEST_FRESH)
    }

    /// How many source inputs each relation is run on with each mutant, to see which mutants it kills. `None` if even few inputs
    /// would take far too long.
    pub(crate) fn analysed(&self, mutants: usize, relations: usize) -> Option<u64> {
        let of_one = 2 * self.call * (mutants.max(1) * relations.max(1)) as u64;
        let inputs = (self.part(UNITS_OF_ANALYSIS) / of_one).min(MOST_ANALYSED);
        let is_enough = inputs * OVERDRAFT >= FEWEST_ANALYSED;
        is_enough.then_some(inputs.max(FEWEST_ANALYSED))
    }

    /// How many inputs patterns with so many changes are looked for with; `None` if a call is so slow that they would be too few.
    pub(crate) fn patterns(&self, changes: usize, mutants: usize) -> Option<PatternSize> {
        let of_input = self.call * changes.max(1) as u64;
        let inputs = (self.part(UNITS_OF_PATTERNS) / of_input) as usize;
        let of_mutant = (self.part(UNITS_OF_PATTERN_MUTANTS) / (of_input * mutants.max(1) as u64)) as usize;
        (inputs >= FEWEST_PATTERN_INPUTS).then_some(PatternSize {
            inputs: inputs.min(MOST_PATTERN_INPUTS),
            of_mutant: of_mutant.clamp(8, MOST_REVEALING),
        })
    }

    /// How many pairs of a transformation each of the mutants is run on, if `wanted` incorrect executions of each mutant are wanted.
    pub(super) fn tries(&self, mutants: usize, wanted: usize) -> usize {
        let of_one = self.call * (self.transformations as u64 + 1) * mutants.max(1) as u64;
        self.at_least(FEWEST_TRIES, UNITS_OF_MUTANTS, of_one)
            .clamp(LEAST_TRIES, wanted.saturating_mul(TRIES_A_WANTED).max(FEWEST_TRIES))
    }
}
