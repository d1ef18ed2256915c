//! How computed numbers are moved by a few units in their last place, which shows what rounding can do to a comparison.
//!
//! The sides of `~=` may differ only because of rounding: `sin(x + 2*pi)` beside `sin(x)` where both are almost 0. How much
//! difference that explains is asked of the code itself. The sides are computed again while every number that was rounded on the
//! way to them is moved at random, as stochastic arithmetic does it (La Porte and Vignes 1974), and the largest change of their
//! difference is what rounding is allowed. It is local: where nothing cancels it is as small as the last digits of the values.
//!
//! A function may round inside although its arguments are exact: it adds up the elements of `reverse(xs)` in another order. So arguments
//! that the relation made without rounding are moved as well, but what they explain is looked at once more. Rounding is in proportion: a
//! move that is a thousand times as wide changes much more. Where it does not, the function has a step there, at a limit that one
//! input lies on and another does not, and no rounding has taken it across.
//!
//! Two alternatives were rejected. A constant tolerance beside the relative one hides faults in small numbers, and interval arithmetic
//! cannot look into a function under test. The price of asking the code: rows in which the sides differ by more than the relative
//! tolerance cost two evaluations more.

use std::collections::HashMap;

use dodona_target::{Number, Ragged, Scalar, Sequence, Value};

use crate::apply::register::{Data, Lane, Register, Runs};
use crate::check::{ArgumentNode, CallNode, Element, Ty};
use crate::graph::{Graph, NodeId};
use crate::op::Op;
use crate::word::Gives;

/// How often the sides are computed again, in pairs that move each number in opposite directions, so that a step of the function is met from
/// both sides. More find a larger change where the moves of several numbers cancel each other, and cost a call each.
pub const REPETITIONS: u32 = 8;

/// A computed number is moved by less than this many units in its last place. Functions of the mathematical library err by one, sums
/// of a dozen numbers by six; a larger number lets faults pass that change the last digits only. It is a power of two, so that
/// the moves are exact.
pub const UNITS: f64 = 8.0;

/// The numbers are moved in stages, one after the other, each with this many repetitions: [`Stage`].
const STAGES: u32 = 3;

/// How much wider the moves of [`Stage::Wider`] are. A power of two; three decimal digits leave room below the first ones of a number.
const WIDER: f64 = 1024.0;

/// What the wider moves change has to be so many times the difference of the sides. A smooth function changes about a thousand times as
/// much, and one that has a step as much as before.
pub const GROWTH: f64 = 16.0;

/// Which numbers a repetition moves, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All, by a few units.
    All,
    /// All, and those that were made without rounding a thousand times as far.
    Wider,
    /// Only those that were rounded.
    Rounded,
}

impl Stage {
    /// The stage of a repetition.
    fn of(repetition: u32) -> Stage {
        match repetition / REPETITIONS % STAGES {
            0 => Stage::All,
            1 => Stage::Wider,
            _ => Stage::Rounded,
        }
    }

    /// The repetitions of the stage.
    pub fn repetitions(self) -> std::ops::Range<u32> {
        let first = match self {
            Stage::All => 0,
            Stage::Wider => REPETITIONS,
            Stage::Rounded => 2 * REPETITIONS,
        };
        first..first + REPETITIONS
    }
}

/// Why a number is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It may have been rounded.
    Rounded,
    /// The relation made it without rounding, and a function that takes it may round inside.
    Made,
}

/// The precision of a number that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// That of `f32`.
    Single,
    /// That of `f64`.
    Double,
}

/// A number that is moved: its index among all numbers of a plan, and its precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index, by which the moves of different numbers differ.
    pub index: u32,
    /// The precision.
    pub precision: Precision,
    /// Why it is moved.
    pub cause: Cause,
}

/// The numbers of a metamorphic group that rounding touches.
#[derive(Clone, Debug)]
pub struct Places {
    nodes: Vec<Option<Place>>,
    arguments: Vec<Vec<Option<Place>>>,
    changes: Vec<bool>,
    calls: Vec<bool>,
}

impl Places {
    /// The numbers of a graph and of the calls that its nodes refer to.
    pub(crate) fn new(graph: &Graph, calls: &[CallNode]) -> Places {
        let nodes: Vec<Option<Place>> = (0..graph.nodes.len()).map(|node| place(graph, node)).collect();
        let mut index = graph.nodes.len() as u32;
        // Where each node is passed first, as the index of the parameter.
        let mut first: HashMap<NodeId, usize> = HashMap::new();
        let mut argument = |(parameter, node): (usize, NodeId)| {
            index += 1;
            let is_exchanged = *first.entry(node).or_insert(parameter) != parameter;
            let moved = nodes[node].is_none() && is_moved_as_argument(graph, node, is_exchanged);
            moved.then(|| Place { index, precision: precision(graph, node), cause: Cause::Made })
        };
        let arguments = calls.iter().map(|call| {
            let passed = call.arguments.iter().map(|argument| argument.passed).enumerate();
            passed.map(&mut argument).collect()
        });
        let arguments: Vec<Vec<Option<Place>>> = arguments.collect();
        let mut places =
            Places { changes: vec![false; nodes.len()], calls: vec![false; calls.len()], nodes, arguments };
        // An output comes before or after the arguments of its call, so the changes are followed until there are no more.
        while places.follow(graph, calls) {}
        places
    }

    /// Marks what changes because an operand or argument does; whether anything was marked.
    fn follow(&mut self, graph: &Graph, calls: &[CallNode]) -> bool {
        let mut marked = false;
        for (id, node) in graph.nodes.iter().enumerate() {
            let changes = self.nodes[id].is_some()
                || node.operands.iter().any(|operand| self.changes[*operand])
                || node.op.call().is_some_and(|call| self.calls[call]);
            marked |= changes && !std::mem::replace(&mut self.changes[id], changes);
        }
        for (call, node) in calls.iter().enumerate() {
            let argument =
                |(i, a): (usize, &ArgumentNode)| self.arguments[call][i].is_some() || self.changes[a.passed];
            let changes = node.arguments.iter().enumerate().any(argument);
            marked |= changes && !std::mem::replace(&mut self.calls[call], changes);
        }
        marked
    }

    /// The place of a node's value, if it is moved.
    pub fn of_node(&self, node: NodeId) -> Option<Place> {
        self.nodes[node]
    }

    /// The place of an argument that is moved although the value is not: a follow-up input that was made without rounding, such as
    /// the reverse of a sequence, over which the function may add up in another order.
    pub fn of_argument(&self, call: usize, argument: usize) -> Option<Place> {
        self.arguments[call][argument]
    }

    /// Whether some arguments are moved that were made without rounding.
    pub fn has_made(&self) -> bool {
        self.arguments.iter().flatten().any(Option::is_some)
    }

    /// Whether a call is made with other arguments when numbers are moved.
    pub fn changes_call(&self, call: usize) -> bool {
        self.calls[call]
    }

    /// Whether a node's value may change when numbers are moved.
    pub fn changes_node(&self, node: NodeId) -> bool {
        self.changes[node]
    }
}

fn precision(graph: &Graph, node: NodeId) -> Precision {
    if graph.nodes[node].single { Precision::Single } else { Precision::Double }
}

/// The place of a node that holds floats that were rounded.
fn place(graph: &Graph, node: NodeId) -> Option<Place> {
    let Op::Constant(index) = graph.nodes[node].op else {
        let floats = matches!(graph.nodes[node].ty, Ty::Float | Ty::Number | Ty::Sequence(Element::Float));
        let op = graph.nodes[node].op;
        let place = Place { index: node as u32, precision: precision(graph, node), cause: Cause::Rounded };
        return (floats && rounds(op) && !is_by_power_of_two(graph, node)).then_some(place);
    };
    let inexact = graph.constants[index].value(0).is_some_and(|value| is_rounded(&value));
    inexact.then_some(Place { index: node as u32, precision: Precision::Double, cause: Cause::Rounded })
}

/// Whether an operation rounds its result, or takes it from a function that does.
fn rounds(op: Op) -> bool {
    match op {
        Op::Output { .. } | Op::Convert(Scalar::F32) => true,
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Power => true,
        op => op
            .word()
            .is_some_and(|word| word.moves == 0 && matches!(word.gives, Gives::Float | Gives::Element)),
    }
}

/// Whether a node multiplies by a power of two, or divides by one, which moves the point and rounds nothing.
fn is_by_power_of_two(graph: &Graph, node: NodeId) -> bool {
    let node = &graph.nodes[node];
    let is_power = |operand: &NodeId| {
        let value = constant(graph, *operand).and_then(|register| register.value(0));
        let x = match value {
            Some(Value::Float(x)) => x,
            Some(Value::Int(x)) => x as f64,
            _ => return false,
        };
        x.is_normal() && x.to_bits() << 12 == 0
    };
    match node.op {
        Op::Multiply => node.operands.iter().any(is_power),
        Op::Divide => node.operands.last().is_some_and(is_power),
        _ => false,
    }
}

/// The register of a constant, or of one that is converted.
fn constant(graph: &Graph, node: NodeId) -> Option<&Register<'static>> {
    match (graph.nodes[node].op, &graph.nodes[node].operands[..]) {
        (Op::Convert(_), [converted]) => constant(graph, *converted),
        _ => graph.constant_of(node),
    }
}

/// Whether a constant stands for a number that no float is, as far as its digits tell: it has more than 20 of them, in binary.
/// `0.5` and `1000.0` are exact, `0.1` and `pi` are not.
fn is_rounded(value: &Value) -> bool {
    let rounded = |x: &f64| x.is_finite() && x.to_bits() as u32 != 0 && x.fract() != 0.0;
    match value {
        Value::Float(x) => rounded(x),
        Value::Sequence(Sequence::Float(items)) => items.iter().any(rounded),
        _ => false,
    }
}

/// Whether an argument of floats was made by the relation. A source input is not: it is the same in every call, unless it is passed for
/// another parameter.
fn is_moved_as_argument(graph: &Graph, node: NodeId, is_exchanged: bool) -> bool {
    let is_made = match graph.nodes[node].op {
        Op::Variable(_) => is_exchanged,
        Op::Constant(_) => false,
        _ => true,
    };
    is_made && matches!(graph.nodes[node].ty, Ty::Float | Ty::Sequence(Element::Float))
}

/// A number moved by less than [`UNITS`] units in its last place, in the stage of the repetition.
///
/// By how many depends on the place, on the index of the element in a sequence (0 for a scalar), and on the repetition; it is at least half of
/// them, and an odd repetition moves a number as far as the one before it, in the other direction. Every engine of the language moves a
/// number in the same way.
///
/// ```
/// use dodona_relations::plan::{Cause, Place, Precision, moved};
///
/// let place = Place { index: 3, precision: Precision::Double, cause: Cause::Rounded };
/// let by = moved(place, 0, 5, 1.0) - 1.0;
/// assert!(by != 0.0 && by.abs() <= 8.0 * f64::EPSILON);
/// assert_eq!(moved(place, 0, 5, 0.0), 0.0);
/// assert_eq!(moved(Place { cause: Cause::Made, ..place }, 0, 16, 1.0), 1.0);
/// ```
pub fn moved(place: Place, element: usize, repetition: u32, x: f64) -> f64 {
    let units = match (place.cause, Stage::of(repetition)) {
        (Cause::Made, Stage::Rounded) => return x,
        (Cause::Made, Stage::Wider) => UNITS * WIDER,
        _ => UNITS,
    };
    let pair = u64::from(repetition % REPETITIONS / 2);
    let bits = mixed((u64::from(place.index) << 32) | ((element as u64 & 0xfff_ffff) << 3) | pair);
    let size = 0.5 + (bits >> 12) as f64 / (1_u64 << 53) as f64;
    let share = if (bits ^ u64::from(repetition)) & 1 == 0 { size } else { -size };
    match place.precision {
        Precision::Double => x * (1.0 + share * (units * f64::EPSILON)),
        Precision::Single => f64::from((x * (1.0 + share * (units * f64::from(f32::EPSILON)))) as f32),
    }
}

/// The finalizer of splitmix64 (Steele, Lea and Flood 2014): each bit of the result depends on all bits of the seed.
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A register of so many rows with its floats moved, in each row by its repetition.
pub(crate) fn moved_register<'v>(
    place: Place,
    rows: usize,
    repetition: &dyn Fn(usize) -> u32,
    register: Register<'v>,
) -> Register<'v> {
    let data = match register.data {
        Data::Float(lane) => Data::Float(Lane::many(
            (0..rows).map(|row| moved(place, 0, repetition(row), lane.at(row))).collect(),
        )),
        Data::Number(lane) => Data::Number(Lane::many(
            (0..rows)
                .map(|row| match lane.at(row) {
                    Number::Float(x) => Number::Float(moved(place, 0, repetition(row), x)),
                    exact => exact,
                })
                .collect(),
        )),
        Data::Floats(runs) => {
            let mut all = Ragged::with_capacity(rows, 0);
            for row in 0..rows {
                let items = runs.at(row).iter().enumerate();
                all.push_from(items.map(|(i, x)| moved(place, i, repetition(row), *x)));
            }
            Data::Floats(Runs::many(all))
        }
        exact => exact,
    };
    Register { data, valid: register.valid }
}
