//! Constraints as a list of steps, for many evaluations with little changed between them.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::distance::{Distances, comparison};
use crate::term::{Assignment, NodeId, Op, Sort, Term, Terms, Variable, evaluate_op};

/// Conditions inside compared values that are looked through: beyond, only the values count.
const DEPTH: u32 = 3;

/// All nodes below constraints, operands first, with their values for one assignment.
#[derive(Debug)]
pub(super) struct Tape {
    steps: Vec<Step>,
    values: Vec<u128>,
    distances: Vec<Distances>,
    roots: Vec<u32>,
    /// Each with its steps: that of its value, then those that depend on it.
    variables: Vec<(Variable, Sort, Vec<u32>)>,
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

impl Tape {
    pub(super) fn new(terms: &Terms, constraints: &[Term]) -> Tape {
        let mut tape = Tape {
            steps: Vec::new(),
            values: Vec::new(),
            distances: Vec::new(),
            roots: Vec::new(),
            variables: Vec::new(),
            before: Vec::new(),
        };
        let mut places = FxHashMap::default();
        for id in nodes_below(terms, constraints) {
            tape.add_node(terms, id, &mut places);
        }
        tape.roots = constraints.iter().map(|&constraint| tape.place(constraint, &mut places)).collect();
        tape
    }

    fn add_node(&mut self, terms: &Terms, id: NodeId, places: &mut FxHashMap<Term, u32>) {
        let node = terms.node(id);
        let operands = node.operands.iter().map(|&operand| self.place(operand, places)).collect();
        let place = self.add(Step { op: Some(node.op), sort: node.sort, operands }, 0);
        let term = Term::Node(node.sort, id);
        places.insert(term, place);
        for &variable in terms.variables_of(term) {
            match self.variables.iter_mut().find(|(known, ..)| *known == variable) {
                Some((.., steps)) => steps.push(place),
                None => self.variables.push((variable, node.sort, vec![place])),
            }
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

    /// Sorts of the variables, in the order of the tape.
    pub(super) fn sorts(&self) -> Vec<Sort> {
        self.variables.iter().map(|&(_, sort, _)| sort).collect()
    }

    /// Variables in the order of the tape.
    pub(super) fn variable(&self, index: usize) -> Variable {
        self.variables[index].0
    }

    /// Steps that a change of a variable computes anew: what it costs.
    pub(super) fn cost(&self, index: usize) -> u64 {
        self.variables[index].2.len() as u64
    }

    /// The value of a variable.
    pub(super) fn value(&self, index: usize) -> u128 {
        self.values[self.variables[index].2[0] as usize]
    }

    /// Constants in the constraints.
    pub(super) fn constants(&self) -> impl Iterator<Item = (Sort, u128)> {
        let constants = self.steps.iter().zip(&self.values).filter(|(step, _)| step.op.is_none());
        constants.map(|(step, &value)| (step.sort, value))
    }

    /// The values of all variables.
    pub(super) fn assignment(&self) -> Assignment {
        let mut assignment = Assignment::default();
        for (index, (variable, ..)) in self.variables.iter().enumerate() {
            assignment.set(*variable, self.value(index));
        }
        assignment
    }

    /// How far the constraints are from holding together; 0 exactly where they do.
    pub(super) fn distance(&self) -> f64 {
        self.roots.iter().map(|&root| self.distances[root as usize].to_true).sum()
    }

    /// Changes one variable, what depends on it with it.
    pub(super) fn set(&mut self, index: usize, value: u128) {
        let (_, sort, steps) = std::mem::take(&mut self.variables[index]);
        self.before.clear();
        self.before.extend(steps.iter().map(|&step| (self.values[step as usize], self.distances[step as usize])));
        self.values[steps[0] as usize] = value & sort.mask();
        self.distances[steps[0] as usize] = Distances::of_truth(value == 1);
        steps[1..].iter().for_each(|&step| self.compute(step as usize));
        self.variables[index].1 = sort;
        self.variables[index].2 = steps;
    }

    /// Takes the last change back, which was of this variable.
    pub(super) fn unset(&mut self, index: usize) {
        for (&step, &(value, distances)) in self.variables[index].2.iter().zip(&self.before) {
            self.values[step as usize] = value;
            self.distances[step as usize] = distances;
        }
    }
}
