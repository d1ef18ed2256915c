//! Candidate pairs of input-and-output-based frames, each with the relation that its samples show.

use std::collections::{BTreeMap, HashMap};

use dodona_identification::{
    Candidate, Change, Cube, Evidence, Expectation, IoFrame, Literal,
};
use dodona_workbench::{LabError, SubjectCaller};

use crate::framed::Framed;
use crate::options::IdentifyOptions;
use crate::samples::Samples;
use crate::trial::{Trial, trial};

/// Samples that a pair needs: of one or two any relation can be said.
const LEAST_SAMPLES: usize = 3;

/// How many pairs there are.
pub(super) struct Pairs {
    pub(super) pairs: u64,
    pub(super) relations: u64,
}

/// Goes through the candidate pairs, those that differ in the fewest categories first within each change; the first change that leads from
/// one frame of a pair into the other is its input relation, for changes come with the smallest first.
///
/// One change's executions are held at a time, and each pair is told as soon as it is known.
pub(super) fn pairs(
    framed: &Framed,
    samples: &Samples,
    changes: &[Change],
    options: &IdentifyOptions,
    caller: &mut SubjectCaller,
    told: &mut dyn FnMut(&str),
) -> Result<Pairs, LabError> {
    let frames: Vec<IoFrame> = samples.io_frames().into_iter().map(|(frame, _)| frame).collect();
    let numbers: HashMap<&IoFrame, u32> = frames.iter().zip(0..).collect();
    let mut done = std::collections::HashSet::new();
    let mut found = Pairs { pairs: 0, relations: 0 };
    for change in changes {
        let Some(trial) = trial(framed, samples, change, caller)? else { continue };
        for ((_, from, to), rows) in of_trial(&frames, &numbers, samples, &trial, options) {
            if options.pairs.is_some_and(|most| found.pairs as usize >= most) {
                return Ok(found);
            }
            if rows.len() < LEAST_SAMPLES || !done.insert((from, to)) {
                continue;
            }
            found.pairs += 1;
            let pair = (&frames[from as usize], &frames[to as usize]);
            for candidate in relations(framed, &trial, change, pair, &rows) {
                found.relations += 1;
                let name = format!("pair_{}", found.relations);
                told(&super::text(framed, &candidate, &name));
            }
        }
    }
    Ok(found)
}

/// The pairs that a change realises: distance, first and second frame, with the rows of each.
type ByPair = BTreeMap<(usize, u32, u32), Vec<u32>>;

fn of_trial(
    frames: &[IoFrame],
    numbers: &HashMap<&IoFrame, u32>,
    samples: &Samples,
    trial: &Trial,
    options: &IdentifyOptions,
) -> ByPair {
    let mut pairs = ByPair::new();
    for row in 0..trial.sources.len() {
        let source = trial.sources[row] as usize;
        let (Some(output), Some(input_after), Some(output_after)) =
            (&samples.outputs[source], &trial.frames[row], &trial.outputs[row])
        else {
            continue;
        };
        let input = samples.frames[samples.frame_of[source] as usize].clone();
        let before = IoFrame { input, output: output.clone() };
        let after = IoFrame { input: input_after.clone(), output: output_after.clone() };
        let (Some(&from), Some(&to)) = (numbers.get(&before), numbers.get(&after)) else { continue };
        let distance = frames[from as usize].distance(&frames[to as usize]);
        if from != to && options.distance.is_none_or(|most| distance <= most) {
            pairs.entry((distance, from, to)).or_default().push(row as u32);
        }
    }
    pairs
}

/// The strongest relation of each output that holds on all samples of a pair.
fn relations(
    framed: &Framed,
    trial: &Trial,
    change: &Change,
    (before, after): (&IoFrame, &IoFrame),
    rows: &[u32],
) -> Vec<Candidate> {
    let specification = &framed.specification;
    let one = |choice: &u16| std::collections::BTreeSet::from([*choice]);
    let mut literals: Vec<_> =
        before.input.0.iter().enumerate().map(|(c, choice)| (Literal::Source(c), one(choice))).collect();
    let moved = (0..after.input.0.len()).filter(|c| after.input.0[*c] != before.input.0[*c]);
    literals.extend(moved.map(|c| (Literal::FollowUp(c), one(&after.input.0[c]))));
    literals.extend(before.output.0.iter().enumerate().map(|(c, choice)| (Literal::Output(c), one(choice))));
    let cube = Cube { literals };
    let of_output = |output: usize| {
        let (source, follow_up) = (trial.before[output].select(rows), trial.after[output].select(rows));
        let evidence =
            Evidence { ty: specification.results[output].ty, source: &source, follow_up: &follow_up };
        let holds = |e: &Expectation| evidence.holds(*e).count_ones(..) == rows.len();
        let expectation = evidence.candidates().into_iter().find(holds)?;
        Some(Candidate {
            changes: vec![change.clone()],
            output,
            expectation,
            cubes: vec![cube.clone()],
            support: rows.len(),
        })
    };
    (0..specification.results.len()).filter_map(of_output).collect()
}
