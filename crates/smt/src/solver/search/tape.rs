//! Constraints as a list of steps, for many evaluations that differ in few variables.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::distance::{Distances, comparison};
use crate::term::{Assignment, NodeId, Op, Sort, Term, Terms, Variable, evaluate_op};

/// The depth to which conditions inside compared values are followed. Below it only the values count.
const DEPTH: u32 = 3;

/// All nodes below constraints, operands first, with their values for one assignment.
#[derive(Debug, Default)]
pub(super) struct Tape {
    steps: Vec<Step>,
    values: Vec<u128>,
    distances: Vec<Distances>,
    roots: Vec<u32>,
    inputs: Vec<Input>,
    /// Values and distances before the last change.
    before: Vec<(u128, Distances)>,
}

#[derive(Debug)]
struct Step {
    /// `None` for a constant.
    op: Option<Op>,
    sort: Sort,
    operands: SmallVec<[u32; 3]>,
}

#[derive(Debug)]
struct Input {
    variable: Variable,
    sort: Sort,
    /// The index of the variable's own step, then those of the steps that depend on it.
    steps: Vec<u32>,
}

impl Tape {
    /// A tape on which all variables are 0.
    pub(super) fn new(terms: &Terms, constraints: &[Term]) -> Tape {
        let mut tape = Tape::default();
        let (mut places, mut inputs) = (FxHashMap::default(), FxHashMap::default());
        for id in terms.nodes_below(constraints) {
            tape.add_node(terms, id, &mut places, &mut inputs);
        }
        tape.roots = constraints.iter().map(|&constraint| tape.place(constraint, &mut places)).collect();
        (0..tape.steps.len()).for_each(|step| tape.compute(step));
        tape
    }

    fn add_node(
        &mut self,
        terms: &Terms,
        id: NodeId,
        places: &mut FxHashMap<Term, u32>,
        inputs: &mut FxHashMap<Variable, usize>,
    ) {
        let node = terms.node(id);
        let operands = node.operands.iter().map(|&operand| self.place(operand, places)).collect();
        let place = self.add(Step { op: Some(node.op), sort: node.sort, operands }, 0);
        let term = Term::Node(node.sort, id);
        places.insert(term, place);
        for &variable in terms.variables_of(term) {
            // The variable's own node is the first one that depends on it.
            let index = *inputs.entry(variable).or_insert_with(|| {
                self.inputs.push(Input { variable, sort: node.sort, steps: Vec::new() });
                self.inputs.len() - 1
            });
            self.inputs[index].steps.push(place);
        }
    }

    fn add(&mut self, step: Step, value: u128) -> u32 {
        self.steps.push(step);
        self.values.push(value);
        self.distances.push(Distances::of_truth(value == 1));
        self.steps.len() as u32 - 1
    }

    fn place(&mut self, term: Term, places: &mut FxHashMap<Term, u32>) -> u32 {
        match (places.get(&term), term) {
            (Some(&place), _) => place,
            (None, Term::Constant(sort, value)) => {
                let place = self.add(Step { op: None, sort, operands: SmallVec::new() }, value);
                places.insert(term, place);
                place
            }
            (None, Term::Node(..)) => unreachable!("operands have lower numbers"),
        }
    }

    /// How many variables there are.
    pub(super) fn variables(&self) -> usize {
        self.inputs.len()
    }

    /// How many steps there are.
    pub(super) fn len(&self) -> u64 {
        self.steps.len() as u64
    }

    /// The number of a variable among the variables of the terms.
    pub(super) fn variable(&self, index: usize) -> Variable {
        self.inputs[index].variable
    }

    /// The sort of a variable.
    pub(super) fn sort(&self, index: usize) -> Sort {
        self.inputs[index].sort
    }

    /// The value of a variable.
    pub(super) fn value(&self, index: usize) -> u128 {
        self.values[self.inputs[index].steps[0] as usize]
    }

    /// The number of steps that are computed if a variable changes.
    pub(super) fn cost(&self, index: usize) -> u64 {
        self.inputs[index].steps.len() as u64
    }

    /// Constants in the constraints.
    pub(super) fn constants(&self) -> impl Iterator<Item = (Sort, u128)> {
        let constants = self.steps.iter().zip(&self.values).filter(|(step, _)| step.op.is_none());
        constants.map(|(step, &value)| (step.sort, value))
    }

    /// The values of all variables.
    pub(super) fn assignment(&self) -> Assignment {
        let mut assignment = Assignment::default();
        for (index, input) in self.inputs.iter().enumerate() {
            assignment.set(input.variable, self.value(index));
        }
        assignment
    }

    /// How far the constraints are from being true together; 0 exactly if they are.
    pub(super) fn distance(&self) -> f64 {
        self.roots.iter().map(|&root| self.distances[root as usize].to_true).sum()
    }

    /// Changes one variable and computes what depends on it.
    pub(super) fn set(&mut self, index: usize, value: u128) {
        let steps = std::mem::take(&mut self.inputs[index].steps);
        self.before.clear();
        self.before
            .extend(steps.iter().map(|&step| (self.values[step as usize], self.distances[step as usize])));
        let own = steps[0] as usize;
        self.values[own] = value & self.inputs[index].sort.mask();
        self.distances[own] = Distances::of_truth(self.values[own] == 1);
        steps[1..].iter().for_each(|&step| self.compute(step as usize));
        self.inputs[index].steps = steps;
    }

    /// Undoes the last change, which was one of this variable.
    pub(super) fn unset(&mut self, index: usize) {
        for (&step, &(value, distances)) in self.inputs[index].steps.iter().zip(&self.before) {
            self.values[step as usize] = value;
            self.distances[step as usize] = distances;
        }
    }

    fn compute(&mut self, at: usize) {
        let step = &self.steps[at];
        if step.operands.is_empty() {
            return;
        }
        let operand = |&place: &u32| (self.steps[place as usize].sort, self.values[place as usize]);
        let operands: SmallVec<[(Sort, u128); 3]> = step.operands.iter().map(operand).collect();
        let value = step.op.map_or(0, |op| evaluate_op(op, step.sort, &operands));
        self.values[at] = value;
        if step.sort == Sort::Bool {
            self.distances[at] = self.distances_of(step);
        }
    }

    fn distances_of(&self, step: &Step) -> Distances {
        let of = |index: usize| self.distances[step.operands[index] as usize];
        match (step.op, step.operands.as_slice()) {
            (Some(Op::Not), _) => of(0).not(),
            (Some(Op::And), _) => of(0).and(of(1)),
            (Some(Op::Or), _) => of(0).or(of(1)),
            (Some(Op::Ite), _) => of(0).choose(of(1), of(2)),
            (Some(Op::Equal), &[a, _]) if self.steps[a as usize].sort == Sort::Bool => of(0).equal(of(1)),
            (Some(op), &[a, b]) => self.compared(op, a, b, DEPTH),
            _ => Distances::of_truth(false),
        }
    }

    /// The distance of a comparison. If a condition chooses a compared value, the other choice may be nearer.
    fn compared(&self, op: Op, a: u32, b: u32, depth: u32) -> Distances {
        let (left, right) = (&self.steps[a as usize], &self.steps[b as usize]);
        if depth > 0 && left.op == Some(Op::Ite) {
            let then = self.compared(op, left.operands[1], b, depth - 1);
            return self.distances[left.operands[0] as usize]
                .choose(then, self.compared(op, left.operands[2], b, depth - 1));
        }
        if depth > 0 && right.op == Some(Op::Ite) {
            let then = self.compared(op, a, right.operands[1], depth - 1);
            return self.distances[right.operands[0] as usize]
                .choose(then, self.compared(op, a, right.operands[2], depth - 1));
        }
        comparison(op, left.sort, self.values[a as usize], self.values[b as usize])
    }
}
