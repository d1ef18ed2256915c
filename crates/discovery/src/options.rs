//! The options of a discovery, and its progress.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dodona_inference::discovery::{SearchKind, Settings};
use dodona_mutation::{Callees, FaultyVersion, OperatorSet};
use dodona_records::DiscoveryRecord;
use dodona_sources::Seed;

use crate::so_far::SoFar;
use crate::tuning::{EVOLUTION_SHARE, LEAST_EFFORT, USUAL_TIME};
use dodona_generation::{FrameMaker, SearchOptions, Technique};

/// The techniques that make source inputs by default.
pub const SOURCES_BY: [Technique; 3] = [Technique::Path, Technique::Adaptive, Technique::Random];

/// The options of a discovery.
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// The seed of everything random.
    pub seed: Seed,
    /// A bound on the whole time. A search that the clock ends may have another result in another run.
    pub time: Option<Duration>,
    /// How much is done, as what a usual machine does in this time; `None` is as much as fits the time. Where it is less than the time, counts end the search and not the
    /// clock.
    pub work: Option<Duration>,
    /// The most relations that are reported.
    pub relations: usize,
    /// The techniques that make source inputs, besides those from files, one after the other: usually [`SOURCES_BY`].
    pub techniques: Vec<Technique>,
    /// What makes inputs of frames, where [`Technique::Frames`] is one of the techniques.
    pub frames: Option<FrameMaker>,
    /// How many random source inputs are drawn, where [`Technique::Random`] is one of the techniques.
    pub inputs: u64,
    /// Files of source inputs.
    pub files: Vec<PathBuf>,
    /// The most input transformations.
    pub transformations: usize,
    /// The names of the only input transformations to use; all are used if it is empty.
    pub only: Vec<String>,
    /// The most correct and the most incorrect executions of a transformation.
    pub executions: usize,
    /// Whether the functions that the function calls are mutated too.
    pub callees: Callees,
    /// The mutation operators.
    pub operators: OperatorSet,
    /// The share of the mutants that the search never sees, at least 0 and less than 1: relations are scored on these.
    pub hold_out: f64,
    /// The most mutants that the search sees, chosen by the seed; the others are held out too. With 0 there are no mutants at all, to search or to score with.
    pub mutants: usize,
    /// Which mutants there are to search and to score with.
    pub faults: Faults,
    /// Other builds of the subject, with faults of their own: their executions are incorrect ones beside those of the mutants. See
    /// [`open_versions`](dodona_mutation::open_versions).
    pub versions: Vec<Arc<FaultyVersion>>,
    /// The known forms that are looked for before the search.
    pub forms: Forms,
    /// How output relations are searched.
    pub settings: Settings,
    /// The most generations of the search under one transformation.
    pub generations: u32,
    /// Of a search that enumerates and evolves, the share of its time, from 0 to 1, that enumeration leaves to genetic programming. With 0 a generation comes when
    /// everything is enumerated. Without a time it has no effect.
    pub evolution_share: f64,
    /// Whether relations are listed too that a person would hardly write, however many mutants they kill.
    pub everything: bool,
    /// How many random inputs a relation is run on before it is reported: a fifth of them if each call needs a fresh instance, and
    /// as few as a tenth if the time is up.
    pub fresh: u64,
    /// How to try to prove the relations found; with `None` they are only tested.
    pub prove: Option<SearchOptions>,
    /// How many threads are used.
    pub jobs: NonZeroUsize,
    /// Where the discovery notes what it knows by now.
    pub so_far: SoFar<DiscoveryRecord>,
}

/// Which mutants a discovery is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faults {
    /// All that are not known to be equivalent or duplicates.
    #[default]
    All,
    /// One of each group of mutants that the same random inputs kill. Each group then counts as one mutant.
    Dominators,
}

/// Known forms of relations, which are found without a search over expressions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forms {
    /// Laws over several calls, of functions of numbers.
    pub laws: bool,
    /// Changes of one or two parameters under conditions from the code.
    pub patterns: bool,
}

impl Default for DiscoverOptions {
    /// Half a minute, on one thread: laws and patterns first, then the search, on 1,000 random source inputs beside those of the other
    /// techniques; relations are reported after 500,000 fresh inputs, without proofs.
    fn default() -> Self {
        DiscoverOptions {
            seed: Seed(0),
            time: Some(Duration::from_secs(30)),
            work: None,
            relations: 24,
            techniques: SOURCES_BY.to_vec(),
            frames: None,
            inputs: 1000,
            files: Vec::new(),
            transformations: 64,
            only: Vec::new(),
            executions: 9000,
            callees: Callees::WithSource,
            operators: OperatorSet::all(),
            hold_out: 0.0,
            mutants: 300,
            faults: Faults::All,
            versions: Vec::new(),
            forms: Forms { laws: true, patterns: true },
            settings: Settings { comparing: true, ..Settings::default() },
            generations: 100,
            evolution_share: EVOLUTION_SHARE,
            everything: false,
            fresh: 500_000,
            prove: None,
            jobs: NonZeroUsize::MIN,
            so_far: SoFar::default(),
        }
    }
}

impl DiscoverOptions {
    /// How many source inputs are drawn at random.
    pub(super) fn random_inputs(&self) -> u64 {
        if self.techniques.contains(&Technique::Random) { self.inputs } else { 0 }
    }

    /// The share of the time of the search that enumeration leaves to genetic programming: none where no generation comes after it.
    pub(super) fn for_evolution(&self) -> f64 {
        let evolves = self.settings.search == SearchKind::Auto && self.generations > 0;
        if evolves { self.evolution_share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The share of the usual work, on executions and evidence, that fits the time asked for. It depends only on the options, so
    /// that the same options give the same executions.
    pub(super) fn effort(&self) -> f64 {
        self.work.or(self.time).map_or(1.0, |time| (time.as_secs_f64() / USUAL_TIME).clamp(LEAST_EFFORT, 1.0))
    }
}

/// The stages of a discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Source inputs are generated and run.
    Sources,
    /// Follow-up inputs are made, and the original and its mutants run on them.
    Executions,
    /// Output relations are enumerated.
    Enumeration,
    /// Output relations are evolved.
    Evolution,
    /// Relations of known forms are looked for.
    Forms,
    /// The relations found are run on new inputs.
    Filter,
    /// The solver tries to prove the relations that are left.
    Proof,
}

/// The progress of a discovery.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscoverProgress {
    /// The current stage.
    pub stage: Stage,
    /// How many steps of this stage are done.
    pub done: u64,
    /// How many steps this stage has in all.
    pub planned: u64,
    /// The highest generation that the search under any transformation has reached.
    pub generation: u32,
    /// The lowest rate of false positives of any output relation.
    pub best_false_positives: f64,
    /// The lowest rate of false negatives of any output relation without false positives.
    pub best_false_negatives: f64,
    /// How many relations have been chosen so far.
    pub relations: usize,
    /// The time left, if there is a bound.
    pub left: Option<Duration>,
}

impl DiscoverProgress {
    /// The beginning of a stage, before any search.
    pub(super) fn of(stage: Stage, left: Option<Duration>) -> DiscoverProgress {
        DiscoverProgress {
            stage,
            done: 0,
            planned: 0,
            generation: 0,
            best_false_positives: 1.0,
            best_false_negatives: 1.0,
            relations: 0,
            left,
        }
    }
}
