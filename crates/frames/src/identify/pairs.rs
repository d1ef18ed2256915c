//! Candidate pairs of input-and-output-based frames, each with the relation that its samples show.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::identification::{Candidate, Frame, IoFrame, JointChange, classify};
use dodona_records::CandidatePair;
use dodona_target::{Column, Until, Value, digest};
use dodona_workbench::{LabError, SubjectCaller};

use super::candidate_pair::{PairCandidate, candidates};
use super::unless_stopped;
use crate::framed::Framed;
use crate::options::IdentifyOptions;
use crate::samples::Samples;
use crate::trial::{Trial, trial};

/// The fewest samples of a pair. On one or two samples, many relations hold by chance.
pub(super) const LEAST_SAMPLES: usize = 3;

/// How many relations of pairs are tested at one time: enough to keep the checker busy, few enough to be kept in memory.
const AT_ONCE: usize = 256;

/// The numbers of candidate pairs and of their relations.
pub(super) struct Pairs {
    pub(super) pairs: u64,
    /// The number of relations of pairs that no fresh input refutes. If several pairs have a relation with the same text, it counts once.
    pub(super) relations: u64,
    pub(super) refuted: u64,
}

/// Candidate pairs whose proposals wait for their test. These are tested on fresh inputs in groups, reported, and then dropped.
struct Waiting<'a> {
    framed: &'a Framed,
    /// Fresh inputs by the frame that they belong to: only inputs of a pair's source frame can test its relation.
    fresh: HashMap<Frame, Vec<Vec<Column>>>,
    until: &'a Until,
    candidates: Vec<(Frame, PairCandidate)>,
    /// Digests of the texts of the relations that were reported, without their names.
    said: HashSet<[u64; 2]>,
    found: Pairs,
    told: &'a mut dyn FnMut(CandidatePair),
}

impl Waiting<'_> {
    fn add(
        &mut self,
        frame: &Frame,
        candidates: Vec<PairCandidate>,
        caller: &mut SubjectCaller,
    ) -> Result<(), LabError> {
        self.candidates.extend(candidates.into_iter().map(|candidate| (frame.clone(), candidate)));
        if self.candidates.len() < AT_ONCE { Ok(()) } else { self.judge(caller) }
    }

    fn judge(&mut self, caller: &mut SubjectCaller) -> Result<(), LabError> {
        let waiting = std::mem::take(&mut self.candidates);
        let (frames, pairs): (Vec<Frame>, Vec<PairCandidate>) = waiting.into_iter().unzip();
        let proposed: Vec<usize> = (0..pairs.len()).filter(|number| pairs[*number].is_proposed()).collect();
        let candidates: Vec<Candidate> =
            proposed.iter().map(|number| pairs[*number].candidate.clone()).collect();
        let fresh = &self.fresh;
        let inputs = |place: usize| fresh.get(&frames[proposed[place]]).map_or(&[][..], Vec::as_slice);
        let judged = super::fresh::judge(self.framed, &candidates, &inputs, (caller, self.until))?;
        let mut verdicts: HashMap<usize, _> = proposed.iter().copied().zip(judged.verdicts).collect();
        for (number, pair) in pairs.into_iter().enumerate() {
            let refuting = match verdicts.remove(&number) {
                // Nothing is proposed, so that nothing had to be judged.
                None => None,
                // There was no time to judge the proposal.
                Some(None) => continue,
                Some(Some(verdict)) => verdict.refuting.into_iter().next(),
            };
            self.tell(pair, refuting.as_deref());
        }
        Ok(())
    }

    /// Reports a pair. A proposal that a fresh input refutes is dropped, unless the specification states it: then the code contradicts the
    /// specification.
    fn tell(&mut self, pair: PairCandidate, refuting: Option<&[Value]>) {
        let shown = pair.shown(self.framed, refuting);
        if refuting.is_some() {
            self.found.refuted += 1;
        } else if pair.is_proposed() {
            if !self.said.insert(digest(&shown.text("pair").unwrap_or_default())) {
                return;
            }
            self.found.relations += 1;
        }
        (self.told)(shown);
    }
}

/// Inputs by the frame that they belong to.
fn by_frame(framed: &Framed, inputs: &[Vec<Column>]) -> HashMap<Frame, Vec<Vec<Column>>> {
    let mut by_frame: HashMap<Frame, Vec<Vec<Column>>> = HashMap::new();
    for batch in inputs {
        let rows = batch.first().map_or(0, Column::len);
        let mut of_frame: HashMap<Frame, Vec<u32>> = HashMap::new();
        for (row, frame) in (0..).zip(classify(&framed.specification.inputs, batch, rows).frames) {
            if let Some(frame) = frame {
                of_frame.entry(frame).or_default().push(row);
            }
        }
        for (frame, rows) in of_frame {
            let columns = batch.iter().map(|column| column.select(&rows)).collect();
            by_frame.entry(frame).or_default().push(columns);
        }
    }
    by_frame
}

/// Goes through the changes, the smallest first, and the candidate pairs of each, those first that differ in the fewest categories. The
/// first change that leads from the first frame of a pair to the second is the input relation of the pair.
///
/// To bound the memory, only the executions of one change are kept at a time, and relations are reported when [`AT_ONCE`] of them are
/// waiting.
pub(super) fn pairs(
    framed: &Framed,
    samples: &Samples,
    changes: &[JointChange],
    options: &IdentifyOptions,
    fresh: &[Vec<Column>],
    (caller, until): (&mut SubjectCaller, &Until),
    told: &mut dyn FnMut(CandidatePair),
) -> Result<Pairs, LabError> {
    let frames: Vec<IoFrame> = samples.io_frames().into_iter().map(|(frame, _)| frame).collect();
    let numbers = frames.iter().zip(0..).collect();
    let finder = PairFinder { framed, samples, options, frames: &frames, numbers };
    let nearest = match options.pairs {
        Some(most) => Some(finder.nearest(changes, most, caller)?),
        None => None,
    };
    let found = Pairs { pairs: 0, relations: 0, refuted: 0 };
    let fresh = by_frame(framed, fresh);
    let mut waiting =
        Waiting { framed, fresh, until, candidates: Vec::new(), said: HashSet::new(), found, told };
    let mut done = HashSet::new();
    'changes: for change in changes {
        let Some((trial, pairs)) = finder.of_change(change, caller)? else { break };
        let Some(trial) = trial else { continue };
        for (key @ (_, from, to), rows) in pairs {
            if !until.goes_on() {
                break 'changes;
            }
            if nearest.as_ref().is_some_and(|nearest| !nearest.contains(&key)) || !done.insert((from, to)) {
                continue;
            }
            waiting.found.pairs += 1;
            let pair = (&frames[from as usize], &frames[to as usize]);
            let context = (framed, samples, &trial);
            waiting.add(&pair.0.input, candidates(context, change, pair, &rows), caller)?;
        }
    }
    waiting.judge(caller)?;
    Ok(waiting.found)
}

/// Finds the candidate pairs of changes.
struct PairFinder<'a> {
    framed: &'a Framed,
    samples: &'a Samples,
    options: &'a IdentifyOptions,
    frames: &'a [IoFrame],
    numbers: HashMap<&'a IoFrame, u32>,
}

impl PairFinder<'_> {
    /// The executions of a change (`None` if it does not fit the function), and the pairs that it realises with enough samples. `None` in
    /// place of both if its calls were given up.
    fn of_change(
        &self,
        change: &JointChange,
        caller: &mut SubjectCaller,
    ) -> Result<Option<(Option<Trial>, ByPair)>, LabError> {
        let Some(tried) = unless_stopped(trial(self.framed, self.samples, change, caller))? else {
            return Ok(None);
        };
        let of_trial =
            |trial: &Trial| of_trial(self.frames, &self.numbers, self.samples, trial, self.options);
        let mut pairs = tried.as_ref().map_or_else(ByPair::new, of_trial);
        pairs.retain(|_, rows| rows.len() >= LEAST_SAMPLES);
        Ok(Some((tried, pairs)))
    }

    /// The `most` pairs that differ in the fewest categories. They are known only after all changes were tried, so this is a pass of its
    /// own.
    fn nearest(
        &self,
        changes: &[JointChange],
        most: usize,
        caller: &mut SubjectCaller,
    ) -> Result<BTreeSet<PairKey>, LabError> {
        let mut nearest = BTreeSet::new();
        for change in changes {
            let Some((_, pairs)) = self.of_change(change, caller)? else { break };
            nearest.extend(pairs.into_keys());
            while nearest.len() > most {
                nearest.pop_last();
            }
        }
        Ok(nearest)
    }
}

/// A pair: the number of categories in which it differs, and the numbers of its first and second frame.
type PairKey = (usize, u32, u32);

/// The pairs that a change realises, with the rows of each.
type ByPair = BTreeMap<PairKey, Vec<u32>>;

fn of_trial(
    frames: &[IoFrame],
    numbers: &HashMap<&IoFrame, u32>,
    samples: &Samples,
    trial: &Trial,
    options: &IdentifyOptions,
) -> ByPair {
    let mut pairs = ByPair::new();
    for row in (0..trial.sources.len()).filter(|row| !trial.failed[*row]) {
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
