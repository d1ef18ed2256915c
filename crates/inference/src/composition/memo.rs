//! What is known of the sequences that a search has tried, so that none is composed or evaluated twice.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::{Composed, Composer, Composite, Incomposable, SearchError, Sequence, Settings};

/// On how many inputs a relation holds, and how many are eligible for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// The inputs that are eligible: at most all that were tried, M in the paper.
    pub eligible: u32,
    /// The eligible inputs on which the relation holds.
    pub holds: u32,
    /// The inputs that are not eligible because an inner call fails: the relation is to be replaced by its
    /// [lenient](Composite::lenient) form.
    pub failing: u32,
}

/// Evaluates composite relations by running the functions under test.
pub trait Evaluator {
    /// Why the functions could not be run.
    type Error: std::error::Error;

    /// For each of these relations on how many inputs it holds (section 3.3.3 runs each on M = 100). A search asks for
    /// up to 64 relations at once, and for each sequence only once.
    ///
    /// # Errors
    /// When the functions could not be run.
    fn evaluate(&mut self, relations: &[Composed]) -> Result<Vec<Counts>, Self::Error>;

    /// Whether the search has to end now, with what it has found. It is asked before each evaluation, and where a step of the search needs none.
    fn is_over(&mut self) -> bool {
        false
    }
}

/// What a search knows of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SequenceResult {
    Refused(Incomposable),
    Evaluated(Counts),
}

/// The most relations that are handed to the evaluator at once. More are compiled before the first is run, and leave the processor's
/// cache: 4,096 relations of the sine took 0.64 s in parts of 1,024 and 0.47 s in parts of 64.
const BATCH: usize = 64;

/// Fitness is a share of the eligible inputs, written as an integer out of this many: relations compare by it although
/// different numbers of inputs are eligible for them.
const WHOLE: u64 = 100_000;

/// All sequences that a search has tried.
pub(super) struct Memo<'a, E> {
    composer: &'a Composer<'a>,
    settings: &'a Settings,
    evaluator: &'a mut E,
    known: IndexMap<Sequence, SequenceResult, FxBuildHasher>,
    accepted: Vec<EvaluatedRelation>,
    is_over: bool,
}

impl<'a, E: Evaluator> Memo<'a, E> {
    pub(super) fn new(composer: &'a Composer<'a>, settings: &'a Settings, evaluator: &'a mut E) -> Self {
        Memo {
            composer,
            settings,
            evaluator,
            known: IndexMap::default(),
            accepted: Vec::new(),
            is_over: false,
        }
    }

    /// Composes and evaluates those of the sequences that are new.
    pub(super) fn learn(&mut self, sequences: &[Sequence]) -> Result<(), SearchError<E::Error>> {
        for part in sequences.chunks(BATCH) {
            let mut composed = Vec::new();
            for sequence in part {
                if !self.known.contains_key(sequence) {
                    composed.extend(self.compose(sequence));
                }
            }
            self.evaluate(composed)?;
        }
        Ok(())
    }

    /// The relation of a new sequence, if it can be composed. The sequence is known from now on: as one that is refused,
    /// or as one that is never eligible until it has been evaluated.
    fn compose(&mut self, sequence: &Sequence) -> Option<Composed> {
        let composed = self.composer.composed(sequence);
        let known = match &composed {
            Ok(_) => SequenceResult::Evaluated(Counts::default()),
            Err(why) => SequenceResult::Refused(*why),
        };
        self.known.insert(sequence.clone(), known);
        composed.ok()
    }

    fn evaluate(&mut self, composed: Vec<Composed>) -> Result<(), SearchError<E::Error>> {
        // Asked even where there is nothing to evaluate: a search that has tried every sequence would go on to the end of its repeats.
        self.is_over = self.is_over || self.evaluator.is_over();
        if composed.is_empty() {
            return Ok(());
        }
        if self.is_over {
            // What was not evaluated is not known.
            self.known.retain(|sequence, _| composed.iter().all(|c| c.composite.sequence != *sequence));
            return Ok(());
        }
        let counts = self.evaluator.evaluate(&composed).map_err(SearchError::Evaluator)?;
        if counts.len() != composed.len() {
            return Err(SearchError::Answers { asked: composed.len(), answered: counts.len() });
        }
        for (Composed { composite, .. }, counts) in composed.into_iter().zip(counts) {
            self.known.insert(composite.sequence.clone(), SequenceResult::Evaluated(counts));
            if self.is_accepted(&composite.sequence) {
                self.accepted.push(EvaluatedRelation { composite, counts });
            }
        }
        Ok(())
    }

    /// The fitness of a sequence (section 3.3.3), as the share of the eligible inputs on which its relation holds. 0 if
    /// the sequence cannot be composed, too few inputs are eligible, or it has not been tried.
    pub(super) fn fitness(&self, sequence: &Sequence) -> u64 {
        match self.known.get(sequence) {
            Some(SequenceResult::Evaluated(c)) if !self.is_rarely_eligible(*c) => {
                u64::from(c.holds.min(c.eligible)) * WHOLE / u64::from(c.eligible)
            }
            _ => 0,
        }
    }

    /// The fitness of a sequence as a share, from 0 to 1.
    pub(super) fn share(&self, sequence: &Sequence) -> f64 {
        self.fitness(sequence) as f64 / WHOLE as f64
    }

    /// Whether too few inputs are eligible to say anything.
    pub(super) fn is_rarely_eligible(&self, counts: Counts) -> bool {
        counts.eligible == 0 || counts.eligible < self.settings.least_eligible
    }

    /// Whether the relation of a sequence holds on enough inputs: it reaches the threshold F of section 4.1.
    pub(super) fn is_accepted(&self, sequence: &Sequence) -> bool {
        let fitness = self.fitness(sequence);
        fitness > 0 && fitness as f64 >= self.settings.accepted_share * WHOLE as f64
    }

    /// Whether the evaluator has ended the search.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// What is known of each sequence that was tried.
    pub(super) fn known(&self) -> impl ExactSizeIterator<Item = SequenceResult> {
        self.known.values().copied()
    }

    /// The relations that are good enough.
    pub(super) fn into_accepted(self) -> Vec<EvaluatedRelation> {
        self.accepted
    }
}

/// A relation that was evaluated.
pub(super) struct EvaluatedRelation {
    pub(super) composite: Composite,
    pub(super) counts: Counts,
}
