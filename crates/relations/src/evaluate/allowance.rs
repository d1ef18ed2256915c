//! Where the sides of `~=` differ by more than the relative tolerance: whether the absolute tolerance permits it, or the rounding of
//! numbers on the way to the sides explains it. The second question makes calls, and is asked of such rows only.

use std::ops::Range;

use dodona_target::Column;
use smallvec::{SmallVec, smallvec};

use super::again::Again;
use super::run::{Run, is_all_true};
use super::verdict::Allowance;
use crate::apply::dispatch::apply;
use crate::apply::logic::bools;
use crate::apply::number::near;
use crate::apply::register::{Data, Lane, Register};
use crate::ast::Bound;
use crate::graph::NodeId;
use crate::op::Op;
use crate::rounding::{GROWTH, REPETITIONS, Stage};
use dodona_target::{CallError, Caller};

/// After so many repetitions, rows are left alone whose difference is large and did not nearly change so much. Most violations cost two
/// repetitions then.
const SCREENING: u32 = 2;

/// The repetitions of a stage that are made together, by their place in it. Each time takes some microseconds however few rows there are, and a row that an
/// earlier repetition would have decided makes calls that nobody needs.
const TOGETHER: [Range<u32>; 3] = [0..SCREENING, SCREENING..4, 4..REPETITIONS];

/// A change is nearly a difference if it is at least this part of it. The largest change of eight is seldom ten times the largest of
/// two, so that a thousandth loses nothing.
const NEAR: f64 = 1.0 / 1024.0;

/// A difference is large if it is more than this part of the largest number that is moved. A small one may by chance not change at all:
/// the numbers that cancel each other leave a few units in their last place.
const LARGE: f64 = 1.0 / (1 << 30) as f64;

/// The share of the relative tolerance from which on an explanation also says how much rounding permits.
const EXPLAINED_SHARE: f64 = 1.0 / 64.0;

/// A row in which some elements of the sides are farther apart than the relative tolerance permits. A number is a side of one element.
struct Gap {
    /// The row among those of the run.
    row: u32,
    elements: ElementGaps,
    /// The largest number that is moved on the way to the sides.
    largest: f64,
}

/// Those of a row. Numbers, which most sides are, have one element, for which nothing is allocated.
type ElementGaps = SmallVec<[ElementGap; 1]>;

/// Two elements that are apart.
struct ElementGap {
    index: usize,
    difference: f64,
    /// The largest change of the difference when rounded numbers are moved.
    change: f64,
}

impl Gap {
    fn is_within(&self, absolute: f64) -> bool {
        self.elements.iter().all(|e| e.difference.abs() <= absolute)
    }

    fn is_explained(&self) -> bool {
        self.elements.iter().all(|e| e.change >= e.difference.abs())
    }

    /// Whether wider moves changed the sides so much more that the function has no step here.
    fn grows(&self) -> bool {
        self.elements.iter().all(|e| e.change >= GROWTH * e.difference.abs())
    }

    /// Forgets what changed.
    fn anew(mut self) -> Gap {
        self.elements.iter_mut().for_each(|element| element.change = 0.0);
        self
    }

    fn may_be_explained(&self) -> bool {
        let small = LARGE * self.largest;
        self.elements.iter().all(|e| e.difference.abs() <= small || e.change >= NEAR * e.difference.abs())
    }
}

impl Run<'_> {
    /// Asks, for a `~=` that has been computed, about the rows whose sides are farther apart than the relative tolerance permits.
    pub(super) fn allow(&mut self, id: NodeId, caller: &mut dyn Caller) -> Result<(), CallError> {
        let graph = &self.plan.group.graph;
        let Op::Approximate { .. } = graph.nodes[id].op else { return Ok(()) };
        let (relative, absolute) = match graph.bound {
            Bound::Relative(relative) => (relative, None),
            Bound::Either { relative, absolute } => (relative, Some(absolute)),
            Bound::Ulps(_) => return Ok(()),
        };
        let asked = match self.record.is_some() && id == self.plan.group.expect {
            true => relative * EXPLAINED_SHARE,
            false => relative,
        };
        // Nearly all batches end here: without an absolute tolerance, what was computed says already that no side is apart.
        if absolute.is_none() && self.record.is_none() && is_all_true(bools(&self.register(id).data)) {
            return Ok(());
        }
        let mut gaps = self.gaps(id, asked);
        let is_expected = !gaps.is_empty() && self.plan.is_expected(id);
        if let Some(absolute) = absolute {
            for gap in gaps.extract_if(.., |gap| gap.is_within(absolute)) {
                if is_expected && self.is_apart(id, gap.row as usize, relative) {
                    self.note(gap.row as usize, Allowance::Absolute);
                }
            }
        }
        if gaps.is_empty() || !self.plan.places.changes_node(id) {
            return Ok(());
        }
        let explained = self.explained(id, gaps, caller)?;
        let mut truth: Vec<bool> = {
            let truth = bools(&self.register(id).data);
            (0..self.rows).map(|row| truth.at(row)).collect()
        };
        for row in explained {
            truth[row as usize] = true;
            if is_expected && self.is_apart(id, row as usize, relative) {
                self.note(row as usize, Allowance::Rounding);
            }
        }
        let valid = self.register(id).valid.clone();
        self.registers[id] = Some(Register { data: Data::Bool(Lane::many(truth)), valid });
        Ok(())
    }

    /// The rows in which the sides are apart, unless one of them is undefined, or they differ in length or by no finite number.
    fn gaps(&self, id: NodeId, relative: f64) -> Vec<Gap> {
        let graph = &self.plan.group.graph;
        let sides = &graph.nodes[id].operands;
        let (a, b) = (self.register(sides[0]), self.register(sides[1]));
        if matches!(a.data, Data::Bool(_) | Data::Text(_) | Data::Bools(_)) {
            return Vec::new();
        }
        let near = apply(graph.nodes[id].op, &[a, b], Bound::Relative(relative));
        let near = bools(&near.data);
        let row_gap = |row: usize| {
            let is_apart = !near.at(row) && a.valid.at(row) && b.valid.at(row);
            let elements = is_apart.then(|| apart(&a.data, &b.data, row, relative)).flatten()?;
            Some(Gap { row: row as u32, elements, largest: 0.0 })
        };
        match near {
            Lane::One(true) => Vec::new(),
            _ => (0..self.rows).filter_map(row_gap).collect(),
        }
    }

    fn is_apart(&self, id: NodeId, row: usize, relative: f64) -> bool {
        let sides = &self.plan.group.graph.nodes[id].operands;
        let (a, b) = (&self.register(sides[0]).data, &self.register(sides[1]).data);
        apart(a, b, row, relative).is_none_or(|elements| !elements.is_empty())
    }

    /// The rows whose gaps are explained by rounding.
    fn explained(
        &mut self,
        id: NodeId,
        mut gaps: Vec<Gap>,
        caller: &mut dyn Caller,
    ) -> Result<Vec<u32>, CallError> {
        let mut found = self.until(id, Stage::All, &mut gaps, &Gap::is_explained, caller)?;
        if self.record.is_some() {
            self.record_allowance(id, found.first().or(gaps.first()), caller)?;
        }
        let mut explained = Vec::new();
        if self.plan.places.has_made() && !found.is_empty() {
            let mut doubtful = found.into_iter().map(Gap::anew).collect();
            explained = self.until(id, Stage::Wider, &mut doubtful, &Gap::grows, caller)?;
            // What does not grow may still be explained by what was rounded.
            let mut stepped = doubtful.into_iter().map(Gap::anew).collect();
            found = self.until(id, Stage::Rounded, &mut stepped, &Gap::is_explained, caller)?;
        }
        explained.append(&mut found);
        Ok(explained.iter().map(|gap| gap.row).collect())
    }

    /// Makes the repetitions of a stage, and takes out the gaps that meet a condition as soon as they do.
    fn until(
        &self,
        id: NodeId,
        stage: Stage,
        gaps: &mut Vec<Gap>,
        condition: &dyn Fn(&Gap) -> bool,
        caller: &mut dyn Caller,
    ) -> Result<Vec<Gap>, CallError> {
        let mut found = Vec::new();
        for together in TOGETHER {
            if gaps.is_empty() {
                break;
            }
            let first = stage.repetitions().start;
            self.change(id, first + together.start..first + together.end, gaps, caller)?;
            found.extend(gaps.extract_if(.., |gap| condition(gap)));
            if stage == Stage::All && together.end == SCREENING {
                gaps.retain(Gap::may_be_explained);
            }
        }
        Ok(found)
    }

    /// Records how much difference rounding explains in the only row, which all repetitions tell together.
    fn record_allowance(
        &mut self,
        id: NodeId,
        gap: Option<&Gap>,
        caller: &mut dyn Caller,
    ) -> Result<(), CallError> {
        let Some(Gap { row, elements, largest }) = gap else { return Ok(()) };
        let [ElementGap { index, difference, .. }] = elements[..] else { return Ok(()) };
        let elements = smallvec![ElementGap { index, difference, change: 0.0 }];
        let mut gaps = vec![Gap { row: *row, elements, largest: *largest }];
        self.change(id, Stage::All.repetitions(), &mut gaps, caller)?;
        let change = gaps[0].elements[0].change;
        self.record.iter_mut().for_each(|record| record.allowance = change);
        Ok(())
    }

    /// Computes the sides again with moved numbers, once for each gap and repetition, and notes how much the gaps change.
    fn change(
        &self,
        id: NodeId,
        repetitions: Range<u32>,
        gaps: &mut [Gap],
        caller: &mut dyn Caller,
    ) -> Result<(), CallError> {
        let each =
            || repetitions.clone().flat_map(|repetition| gaps.iter().map(move |gap| (gap.row, repetition)));
        let rows: Vec<u32> = each().map(|(row, _)| row).collect();
        let made: Vec<u32> = each().map(|(_, repetition)| repetition).collect();
        let columns = self.columns_of(&rows);
        let mut again = Run::new(self.plan, self.sites, &columns, rows.len());
        again.again = Some(Again::moved(self, &rows, made));
        again.steps_to(id, caller)?;
        let (count, sides) = (gaps.len(), &self.plan.group.graph.nodes[id].operands);
        for row in 0..again.rows {
            let (a, b) = (again.register(sides[0]), again.register(sides[1]));
            if !a.valid.at(row) || !b.valid.at(row) {
                continue;
            }
            let original = again.original(row);
            let gap = &mut gaps[original % count];
            if repetitions.start == 0 && original < count {
                gap.largest = again.largest_moved(row);
            }
            for element in &mut gap.elements {
                let (a, b) = (number_at(&a.data, row, element.index), number_at(&b.data, row, element.index));
                let change = a.zip(b).map(|(a, b)| ((a - b) - element.difference).abs());
                element.change =
                    element.change.max(change.filter(|change| change.is_finite()).unwrap_or(0.0));
            }
        }
        Ok(())
    }

    /// The largest magnitude among the numbers that a run moves in a row.
    fn largest_moved(&self, row: usize) -> f64 {
        let places = &self.plan.places;
        let nodes = (0..self.registers.len()).filter(|id| places.of_node(*id).is_some());
        let calls = self.plan.group.calls.iter().enumerate();
        let arguments = calls.flat_map(|(call, node)| {
            let is_moved = move |place: &usize| places.of_argument(call, *place).is_some();
            (0..node.arguments.len()).filter(is_moved).map(|place| node.arguments[place].passed)
        });
        let of_node = |id: NodeId| {
            let data = &self.register(id).data;
            (0..count_at(data, row))
                .filter_map(|i| number_at(data, row, i))
                .fold(0.0, |most: f64, x| most.max(x.abs()))
        };
        nodes.chain(arguments).filter(|id| self.is_computed(*id)).map(of_node).fold(0.0, f64::max)
    }

    /// The source inputs of some of the remaining rows.
    pub(super) fn columns_of(&self, rows: &[u32]) -> Vec<Column> {
        let rows: Vec<u32> = rows.iter().map(|row| self.original(*row as usize) as u32).collect();
        self.columns.iter().map(|column| column.select(&rows)).collect()
    }

    fn note(&mut self, row: usize, allowance: Allowance) {
        if self.allowed.is_empty() {
            self.allowed = vec![None; self.verdicts.len()];
        }
        let original = self.original(row);
        self.allowed[original] = self.allowed[original].max(Some(allowance));
    }
}

/// The elements that are farther apart than the relative tolerance permits; `None` if no allowance can bring them together.
fn apart(a: &Data<'_>, b: &Data<'_>, row: usize, relative: f64) -> Option<ElementGaps> {
    let count = count_at(a, row);
    if count != count_at(b, row) {
        return None;
    }
    let mut elements = ElementGaps::new();
    for index in 0..count {
        let (x, y) = (number_at(a, row, index)?, number_at(b, row, index)?);
        if near(x, y, relative) {
            continue;
        }
        let difference = x - y;
        if !difference.is_finite() {
            return None;
        }
        elements.push(ElementGap { index, difference, change: 0.0 });
    }
    Some(elements)
}

fn count_at(data: &Data<'_>, row: usize) -> usize {
    match data {
        Data::Ints(runs) => runs.at(row).len(),
        Data::Floats(runs) => runs.at(row).len(),
        _ => 1,
    }
}

fn number_at(data: &Data<'_>, row: usize, index: usize) -> Option<f64> {
    Some(match data {
        Data::Int(lane) => lane.at(row) as f64,
        Data::Float(lane) => lane.at(row),
        Data::Number(lane) => lane.at(row).as_f64(),
        Data::Ints(runs) => *runs.at(row).get(index)? as f64,
        Data::Floats(runs) => *runs.at(row).get(index)?,
        _ => return None,
    })
}
