//! Fresh inputs that relations have to hold on.

use dodona_evidence::RefutedIdentification;
use dodona_identification::{Candidate, relation_of};
use dodona_relations::Verdict;
use dodona_relations::ast::File;
use dodona_sources::Seed;
use dodona_subject::{Column, Value};
use dodona_workbench::inputs::{drawn, eligible};
use dodona_workbench::{LabError, LoadedRelation, SubjectCaller, Until};

use super::text::refutation;
use super::{Standing, unless_stopped};
use crate::framed::Framed;
use crate::options::IdentifyOptions;

/// The stream of fresh inputs is none that samples were drawn from.
const FRESH: u64 = 0x6672_6573_6800_0000;

/// Inputs that are kept of those that refute a relation: several save a round.
const MOST_REFUTING: usize = 3;

/// Groups that a relation has to hold on. After 300 without a violation, with a confidence of 95 per cent fewer than one in a hundred violates it;
/// a relation whose condition fewer inputs satisfy says little, and nobody knows whether it is true.
pub(super) const LEAST_HELD: u64 = 300;

/// What fresh inputs say of one relation.
pub(super) struct FreshVerdict {
    /// Groups that held.
    pub(super) held: u64,
    /// Inputs that refute it: the first of some batches.
    pub(super) refuting: Vec<Vec<Value>>,
}

/// What fresh inputs say of relations.
pub(super) struct Judged {
    /// Of each relation; `None` where the time was up before.
    pub(super) verdicts: Vec<Option<FreshVerdict>>,
}

/// When inputs are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// While relations are proposed again and again: a share of the inputs, for what they refute is mended.
    Rounds,
    /// At the end, once, on all of them: what they refute is dropped.
    Last,
}

/// The share of the inputs that each round sees.
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

/// Runs relations on inputs, of which `inputs` gives those of each candidate, by its number.
pub(super) fn judge<'i>(
    framed: &Framed,
    candidates: &[Candidate],
    inputs: &dyn Fn(usize) -> &'i [Vec<Column>],
    (caller, until): (&mut SubjectCaller, &Until),
) -> Result<Judged, LabError> {
    let write = |(number, candidate): (usize, &Candidate)| {
        relation_of(candidate, &format!("candidate_{number}"), framed.declared(), &framed.specification)
    };
    let file = File { relations: candidates.iter().enumerate().map(write).collect() };
    let workbench = framed.workbench.with_relations(&file.to_string())?;
    let mut verdicts = Vec::new();
    for (number, loaded) in workbench.relations.iter().enumerate() {
        let judged = until.goes_on().then(|| unless_stopped(verdict(loaded, inputs(number), caller)));
        let verdict = judged.transpose()?.flatten();
        // What was cut short is no verdict: calls that were given up are not eligible, and so refute nothing.
        verdicts.push(verdict.filter(|_| until.goes_on()));
    }
    Ok(Judged { verdicts })
}

fn verdict(
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
            verdict.held += rows.iter().filter(|row| **row == Verdict::Holds).count() as u64;
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
    /// The inputs that refute some relation.
    pub(super) fn refuting(&self) -> Vec<Vec<Value>> {
        self.verdicts.iter().flatten().flat_map(|verdict| verdict.refuting.clone()).collect()
    }

    /// No judgement of so many relations.
    pub(super) fn none(relations: usize) -> Judged {
        Judged { verdicts: (0..relations).map(|_| None).collect() }
    }

    /// The relations that no input refutes.
    pub(super) fn standing(&self, candidates: Vec<Candidate>) -> Vec<Standing> {
        let judged = candidates.into_iter().zip(&self.verdicts);
        let left = judged.filter(|(_, verdict)| verdict.as_ref().is_none_or(|v| v.refuting.is_empty()));
        left.map(|(candidate, verdict)| Standing { candidate, held: verdict.as_ref().map(|v| v.held) })
            .collect()
    }

    /// The relations that were not judged.
    pub(super) fn open(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_none()).count()
    }

    /// The relations that are refuted, each with its input.
    pub(super) fn refuted(&self, framed: &Framed, candidates: &[Candidate]) -> Vec<RefutedIdentification> {
        let pairs = candidates.iter().zip(&self.verdicts);
        pairs
            .filter_map(|(candidate, verdict)| {
                verdict.as_ref()?.refuting.first().map(|input| refutation(framed, candidate, input))
            })
            .collect()
    }
}
