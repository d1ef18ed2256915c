//! Tests relations on fresh inputs.

use std::collections::HashSet;

use crate::identification::{Candidate, relation_of};
use dodona_records::RefutedIdentification;
use dodona_relations::ast::Relation;
use dodona_sources::Seed;
use dodona_target::{Column, Until, Value};
use dodona_workbench::inputs::{drawn, eligible};
use dodona_workbench::{LabError, LoadedRelation, Relations, SubjectCaller};

use super::text::refutation;
use super::{Standing, unless_stopped};
use crate::framed::Framed;
use crate::options::IdentifyOptions;

/// Mixed into the seed, so that fresh inputs differ from those that samples were drawn from.
const FRESH: u64 = 0x6672_6573_6800_0000;

/// A test ends when at least so many inputs refute the relation. All of them become samples, because several save a round.
const MOST_REFUTING: usize = 3;

/// The fewest metamorphic groups on which a relation has to hold. If 300 groups hold and none is violated, then fewer than one group in a
/// hundred violates it, with a confidence of 95 per cent. With fewer groups, it is not known whether the relation is true.
pub(super) const LEAST_HELD: u64 = 300;

/// The verdict of fresh inputs on one relation.
pub(super) struct FreshVerdict {
    /// The number of metamorphic groups that held.
    pub(super) held: u64,
    /// Inputs that refute it, at most one for each batch of inputs and each constant of the relation.
    pub(super) refuting: Vec<Vec<Value>>,
}

/// The verdicts of fresh inputs on several relations.
pub(super) struct Judged {
    /// The verdict on each relation; `None` if the time was up before its test ended.
    pub(super) verdicts: Vec<Option<FreshVerdict>>,
}

/// The stage in which relations are tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// While relations are proposed in rounds. A share of the inputs is enough, because refuted relations are proposed again with other
    /// conditions.
    Rounds,
    /// Once at the end, on all of the inputs. Relations that are refuted here are dropped.
    Last,
}

/// Each round uses one in so many of the inputs.
const SHARE: u64 = 5;

/// Eligible random inputs in batches.
pub(super) fn inputs(
    framed: &Framed,
    options: &IdentifyOptions,
    stage: Stage,
) -> Result<Vec<Vec<Column>>, LabError> {
    let function = framed.declared();
    let (count, stream) = match stage {
        Stage::Rounds => (options.fresh.div_ceil(SHARE), FRESH),
        Stage::Last => (options.fresh, FRESH + 1),
    };
    Ok(eligible(function, drawn(function, count, Seed(options.frames.seed.0 ^ stream))?))
}

/// Tests relations. `inputs` gives the inputs for a candidate, by its number.
pub(super) fn judge<'i>(
    framed: &Framed,
    candidates: &[Candidate],
    inputs: &dyn Fn(usize) -> &'i [Vec<Column>],
    (caller, until): (&mut SubjectCaller, &Until),
) -> Result<Judged, LabError> {
    let write = |(number, candidate): (usize, &Candidate)| {
        relation_of(candidate, &format!("candidate_{number}"), framed.declared(), &framed.specification)
    };
    let trees: Vec<Relation> = candidates.iter().enumerate().map(write).collect();
    let relations = Relations::of_trees(&trees, framed.workbench.functions())?;
    let mut verdicts = Vec::new();
    for (number, loaded) in relations.iter().enumerate() {
        let judged = until.goes_on().then(|| unless_stopped(verdict(loaded, inputs(number), caller)));
        let verdict = judged.transpose()?.flatten();
        // A test that was cut short gives no verdict: calls that were given up count as not eligible, and so refute nothing.
        verdicts.push(verdict.filter(|_| until.goes_on()));
    }
    Ok(Judged { verdicts })
}

/// Runs one relation on inputs in batches, until enough of them refute it.
pub(super) fn verdict(
    loaded: &LoadedRelation,
    inputs: &[Vec<Column>],
    caller: &mut SubjectCaller,
) -> Result<FreshVerdict, LabError> {
    let mut verdict = FreshVerdict { held: 0, refuting: Vec::new() };
    for batch in inputs {
        let of_variable = |v: &dodona_relations::Variable| batch[v.parameter].clone();
        let variables: Vec<Column> = loaded.relation.variables().iter().map(of_variable).collect();
        for group in 0..loaded.relation.groups().len() {
            let rows = loaded.program.evaluate_drawn(group, &variables, caller)?;
            verdict.held += rows.iter().filter(|row| row.holds()).count() as u64;
            let violated = rows.iter().position(|row| row.is_violation());
            if let Some(row) = violated {
                verdict.refuting.push(batch.iter().map(|column| column.value(row)).collect());
            }
        }
        if verdict.refuting.len() >= MOST_REFUTING {
            break;
        }
    }
    Ok(verdict)
}

impl Judged {
    /// The inputs that refute some relation, each once: several batches may have the same input, and three samples are to be three inputs.
    pub(super) fn refuting(&self) -> Vec<Vec<Value>> {
        let mut seen = HashSet::new();
        let all = self.verdicts.iter().flatten().flat_map(|verdict| &verdict.refuting);
        all.filter(|input| seen.insert(format!("{input:?}"))).cloned().collect()
    }

    /// No verdicts on so many relations, because none was tested.
    pub(super) fn none(relations: usize) -> Judged {
        Judged { verdicts: (0..relations).map(|_| None).collect() }
    }

    /// The relations that no input refutes, including those that were not tested.
    pub(super) fn standing(&self, candidates: Vec<Candidate>) -> Vec<Standing> {
        let judged = candidates.into_iter().zip(&self.verdicts);
        let left = judged.filter(|(_, verdict)| verdict.as_ref().is_none_or(|v| v.refuting.is_empty()));
        left.map(|(candidate, verdict)| Standing { candidate, held: verdict.as_ref().map(|v| v.held) })
            .collect()
    }

    /// The number of relations that were not tested.
    pub(super) fn open(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_none()).count()
    }

    /// The relations that are refuted, each with an input that refutes it.
    pub(super) fn refuted(&self, framed: &Framed, candidates: &[Candidate]) -> Vec<RefutedIdentification> {
        let pairs = candidates.iter().zip(&self.verdicts);
        pairs
            .filter_map(|(candidate, verdict)| {
                verdict.as_ref()?.refuting.first().map(|input| refutation(framed, candidate, input))
            })
            .collect()
    }
}
