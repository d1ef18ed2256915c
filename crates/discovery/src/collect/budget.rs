//! How much is run: counted work, so that a slow function takes about as long as a quick one and the result depends on no clock.

use dodona_workbench::Workbench;
use crate::sources::Sources;

/// What a call costs beside its fuel, in units of fuel: where calls share an instance, and where each gets a fresh one.
const SHARED: u64 = 100;
const FRESH: u64 = 3_000;

/// What observing costs, as a multiple of a call: the observing version runs, and the original twice.
const OBSERVING: u64 = 4;

/// The units that the original and the observing version may take, and those that all mutants may take together.
const OF_ORIGINAL: u64 = 1_200_000_000;
const OF_MUTANTS: u64 = 3_000_000_000;

/// The units that mutants may take on source inputs, before their pairs are chosen.
const OF_SOURCES: u64 = 300_000_000;

/// The fewest source inputs that a mutant is run on before its pairs are chosen.
const FEWEST_SOURCE_TRIES: usize = 32;

/// The units that a relation may take on new inputs before it is chosen, and when it is, and the fewest inputs.
const OF_SCREEN: u64 = 400_000_000;
const OF_FRESH: u64 = 8_000_000_000;
const FEWEST_FRESH: u64 = 200;

/// The units that mutation analysis with relations that were found may take.
const OF_ANALYSIS: u64 = 2_000_000_000;

/// So many times as much as is meant may the fewest of something take that are worth it.
const DEARER: u64 = 4;

/// The fewest source inputs of a relation in mutation analysis, and the most.
const FEWEST_ANALYSED: u64 = 16;
const MOST_ANALYSED: u64 = 500;

/// The fewest source inputs, and the fewest pairs of a mutant under a transformation, whatever they cost.
const FEWEST_SOURCES: usize = 250;
const FEWEST_TRIES: usize = 8;

/// The fewest of these, and of transformations, where a call takes milliseconds and the others would take minutes: what is found with
/// them is little, and is found in time.
const LEAST_SOURCES: usize = 16;
const LEAST_TRIES: usize = 4;
const FEWEST_TRANSFORMATIONS: usize = 3;

/// Inputs that show what a call costs.
const SAMPLE: usize = 100;

/// What may be run.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// The units of a call, on average.
    call: u64,
    transformations: usize,
    effort: f64,
}

impl Budget {
    /// Measures what calls cost on some of the source inputs.
    pub(crate) fn new(
        workbench: &Workbench,
        function: usize,
        sources: &Sources,
        transformations: usize,
        effort: f64,
    ) -> Budget {
        // From here and there: inputs of one origin stand together.
        let sample = || sources.fuel.iter().step_by(sources.len().div_ceil(SAMPLE).max(1));
        let fuel = sample().sum::<u64>() / sample().count().max(1) as u64;
        let beside = if workbench.executable.isolation(function).is_reused() { SHARED } else { FRESH };
        Budget { call: fuel + beside, transformations, effort }
    }

    /// What is to be done of some work.
    fn part(&self, units: u64) -> u64 {
        (units as f64 * self.effort) as u64
    }

    /// How many of so many source inputs are used.
    pub(super) fn sources(&self, all: usize) -> usize {
        let of_one = self.call * OBSERVING * (self.transformations as u64 + 1);
        all.min(self.at_least(FEWEST_SOURCES, OF_ORIGINAL, of_one).max(LEAST_SOURCES))
    }

    /// How many things that take so many units each are done of some work: the fewest that are worth it where these are not far dearer
    /// than the work, which is so with calls of milliseconds.
    fn at_least(&self, fewest: usize, units: u64, of_one: u64) -> usize {
        let affordable = (self.part(units) / of_one.max(1)) as usize;
        let dear = (self.part(units).saturating_mul(DEARER) / of_one.max(1)) as usize;
        affordable.max(fewest.min(dear))
    }

    /// Under how many input transformations follow-up inputs are made: under all, but where a call takes milliseconds.
    pub(crate) fn transformations(&self) -> usize {
        let units = self.part(OF_ORIGINAL).saturating_mul(DEARER);
        let inputs = units / (self.call * OBSERVING).max(1);
        usize::try_from(inputs / LEAST_SOURCES as u64).unwrap_or(usize::MAX).max(FEWEST_TRANSFORMATIONS)
    }

    /// How many source inputs each of so many mutants is run on before its pairs are chosen.
    pub(super) fn source_tries(&self, mutants: usize) -> usize {
        let of_one = self.call * mutants.max(1) as u64;
        self.at_least(FEWEST_SOURCE_TRIES, OF_SOURCES, of_one).max(LEAST_TRIES)
    }

    /// On how many new inputs a candidate is run before it is chosen, at most so many.
    pub(crate) fn screened(&self, most: u64) -> u64 {
        self.groups(OF_SCREEN).min(most)
    }

    /// On how many new inputs a relation is run that was chosen, at most so many.
    pub(crate) fn fresh(&self, most: u64) -> u64 {
        self.groups(OF_FRESH).min(most)
    }

    /// So many metamorphic groups take these units.
    fn groups(&self, units: u64) -> u64 {
        (self.part(units) / (2 * self.call)).max(FEWEST_FRESH)
    }

    /// How many source inputs each of so many relations is run on, on each of so many mutants, to see what it catches. `None` where
    /// even few inputs would take far too long.
    pub(crate) fn analysed(&self, mutants: usize, relations: usize) -> Option<u64> {
        let of_one = 2 * self.call * (mutants.max(1) * relations.max(1)) as u64;
        let inputs = (self.part(OF_ANALYSIS) / of_one).min(MOST_ANALYSED);
        let is_enough = inputs * DEARER >= FEWEST_ANALYSED;
        is_enough.then_some(inputs.max(FEWEST_ANALYSED))
    }

    /// How many pairs of a transformation each of so many mutants is run on, of which so many incorrect ones are wanted.
    pub(super) fn tries(&self, mutants: usize, wanted: usize) -> usize {
        let of_one = self.call * (self.transformations as u64 + 1) * mutants.max(1) as u64;
        self.at_least(FEWEST_TRIES, OF_MUTANTS, of_one)
            .clamp(LEAST_TRIES, wanted.saturating_mul(4).max(FEWEST_TRIES))
    }
}
