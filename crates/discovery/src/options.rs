//! What a discovery is asked for, and how far it is.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use dodona_evolution::discovery::Settings;
use dodona_mutants::{Callees, OperatorSet};
use dodona_sources::Seed;

use dodona_generation::SearchOptions;

/// What a discovery does.
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// Where everything random starts.
    pub seed: Seed,
    /// The outer bound in time. A search that it ends may find something else another time.
    pub time: Option<Duration>,
    /// The most relations that are reported.
    pub relations: usize,
    /// Random source inputs, beside those of files and those along paths.
    pub inputs: u64,
    /// Files of source inputs.
    pub files: Vec<PathBuf>,
    /// The most input transformations.
    pub transformations: usize,
    /// Only these input transformations, by name; all for none.
    pub only: Vec<String>,
    /// The most correct executions of a transformation, and the most incorrect ones.
    pub executions: usize,
    /// Whether what the function calls is mutated too.
    pub callees: Callees,
    /// The mutation operators.
    pub operators: OperatorSet,
    /// The share of the mutants that the search never sees, from 0 to below 1: what is found is scored on these.
    pub hold_out: f64,
    /// The most mutants that the search sees, chosen by the seed; the others are held out too.
    pub mutants: usize,
    /// How output relations are searched.
    pub settings: Settings,
    /// The most generations of a transformation.
    pub generations: u32,
    /// Random inputs that a relation is run on before it is reported; a fifth where each call needs a fresh instance, and as few as a
    /// tenth where the time is over.
    pub fresh: u64,
    /// Whether what is found is put to proof, and how; `None` leaves it tested.
    pub prove: Option<SearchOptions>,
    /// Threads.
    pub jobs: NonZeroUsize,
}

/// The time for which the counted bounds of executions and of evidence are made.
const USUAL_TIME: f64 = 30.0;

impl DiscoverOptions {
    /// The part of the usual work, executions and evidence, that is done in the time that is asked for. It depends on the options
    /// alone, so that the same options give the same executions.
    pub(super) fn effort(&self) -> f64 {
        self.time.map_or(1.0, |time| (time.as_secs_f64() / USUAL_TIME).clamp(0.05, 1.0))
    }
}

/// What a discovery is doing.
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
    /// What was found is run on new inputs.
    Filter,
    /// What is left is put to proof.
    Proof,
}

/// How far a discovery is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscoverProgress {
    /// What it is doing.
    pub stage: Stage,
    /// Steps of this stage done.
    pub done: u64,
    /// Steps of this stage in all.
    pub planned: u64,
    /// The generation of the transformation that is the furthest.
    pub generation: u32,
    /// The least rate of false positives of any output relation.
    pub best_false_positives: f64,
    /// The least rate of false negatives of any output relation without false positives.
    pub best_false_negatives: f64,
    /// Relations chosen so far.
    pub relations: usize,
    /// Time left, where there is a bound.
    pub left: Option<Duration>,
}

impl DiscoverProgress {
    /// A stage that has only begun, before anything is searched.
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
