//! Gates as clauses of a SAT solver.

use std::cell::Cell;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::FxHashMap;

/// A truth value of the circuit, or its negation.
pub(super) type Wire = Lit;

/// What the SAT solver found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Possible,
    Impossible,
    OutOfSteps,
}

/// Ends the SAT solver after so many steps.
struct Steps(Cell<u64>);

impl Callbacks for Steps {
    /// The solver asks this before each decision.
    fn stop(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left == 0
    }
}

/// The operands of a gate that was made: the same gate is not made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Wire, Wire),
    Xor(Wire, Wire),
    Choose(Wire, Wire, Wire),
    Majority(Wire, Wire, Wire),
}

/// A circuit of gates. Constant wires are computed as they are met, so that only what depends on a variable becomes a gate.
pub(super) struct Circuit {
    sat: Solver<Steps>,
    truth: Wire,
    gates: FxHashMap<Gate, Wire>,
}

impl Circuit {
    pub(super) fn new() -> Circuit {
        let mut sat = Solver::new(SolverOpts::default(), Steps(Cell::new(0)));
        let truth = Lit::new(sat.new_var_default(), true);
        sat.add_clause_reuse(&mut vec![truth]);
        Circuit { sat, truth, gates: FxHashMap::default() }
    }

    /// The wire that always has this value.
    pub(super) fn constant(&self, value: bool) -> Wire {
        if value { self.truth } else { !self.truth }
    }

    /// How many wires there are.
    pub(super) fn wires(&self) -> usize {
        self.sat.num_vars() as usize
    }

    /// A wire that may have either value.
    pub(super) fn fresh(&mut self) -> Wire {
        Lit::new(self.sat.new_var_default(), true)
    }

    /// The value of a wire, if it is constant or follows from what has been required so far.
    pub(super) fn known(&self, wire: Wire) -> Option<bool> {
        match self.sat.value_lvl_0(wire) {
            value if value == lbool::TRUE => Some(true),
            value if value == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, a: Wire, b: Wire) -> Wire {
        match (self.known(a), self.known(b)) {
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ if a == b => return a,
            _ if a == !b => return self.constant(false),
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.gate(Gate::And(a, b), &[&[(a, true), (b, true)]], &[&[(a, false)], &[(b, false)]])
    }

    pub(super) fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        match (self.known(a), self.known(b)) {
            (Some(a), _) => return if a { !b } else { b },
            (_, Some(b)) => return if b { !a } else { a },
            _ if a == b => return self.constant(false),
            _ if a == !b => return self.constant(true),
            _ => {}
        }
        // Of wires without a negation, so that the four ways to write a difference are one gate.
        let is_negated = a.sign() != b.sign();
        let (a, b) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let (a, b) = (a.min(b), a.max(b));
        let differ = self.gate(
            Gate::Xor(a, b),
            &[&[(a, true), (b, false)], &[(a, false), (b, true)]],
            &[&[(a, true), (b, true)], &[(a, false), (b, false)]],
        );
        if is_negated { !differ } else { differ }
    }

    /// `a` where the condition holds, `b` where it does not.
    pub(super) fn choose(&mut self, condition: Wire, a: Wire, b: Wire) -> Wire {
        match (self.known(condition), self.known(a), self.known(b)) {
            (Some(condition), ..) => return if condition { a } else { b },
            _ if a == b => return a,
            _ if a == !b => return !self.xor(condition, a),
            (_, Some(true), _) => return self.or(condition, b),
            (_, Some(false), _) => return self.and(!condition, b),
            (_, _, Some(true)) => return self.or(!condition, a),
            (_, _, Some(false)) => return self.and(condition, a),
            _ => {}
        }
        self.gate(
            Gate::Choose(condition, a, b),
            &[&[(condition, true), (a, true)], &[(condition, false), (b, true)], &[(a, true), (b, true)]],
            &[&[(condition, true), (a, false)], &[(condition, false), (b, false)], &[(a, false), (b, false)]],
        )
    }

    /// Whether at least two of three hold: what an adder carries.
    pub(super) fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        match (self.known(a), self.known(b), self.known(c)) {
            (Some(true), ..) => return self.or(b, c),
            (Some(false), ..) => return self.and(b, c),
            (_, Some(true), _) => return self.or(a, c),
            (_, Some(false), _) => return self.and(a, c),
            (_, _, Some(true)) => return self.or(a, b),
            (_, _, Some(false)) => return self.and(a, b),
            _ if a == b => return a,
            _ if a == !b => return c,
            _ if a == c || b == c => return c,
            _ if a == !c => return b,
            _ if b == !c => return a,
            _ => {}
        }
        self.gate(
            Gate::Majority(a, b, c),
            &[&[(a, true), (b, true)], &[(a, true), (c, true)], &[(b, true), (c, true)]],
            &[&[(a, false), (b, false)], &[(a, false), (c, false)], &[(b, false), (c, false)]],
        )
    }

    /// The wire of a gate: it holds where all wires of one of `on` have the values beside them, and does not hold where those of one of `off` have them.
    fn gate(&mut self, gate: Gate, on: &[&[(Wire, bool)]], off: &[&[(Wire, bool)]]) -> Wire {
        if let Some(made) = self.gates.get(&gate) {
            return *made;
        }
        let wire = self.fresh();
        for (cases, output) in [(on, wire), (off, !wire)] {
            for case in cases {
                let mut clause: Vec<Lit> =
                    case.iter().map(|(a, value)| if *value { !*a } else { *a }).collect();
                clause.push(output);
                self.sat.add_clause_reuse(&mut clause);
            }
        }
        self.gates.insert(gate, wire);
        wire
    }

    /// Requires that a wire holds.
    pub(super) fn require(&mut self, wire: Wire) {
        self.sat.add_clause_reuse(&mut vec![wire]);
    }

    /// Requires that one of these wires holds.
    pub(super) fn require_any(&mut self, wires: &[Wire]) {
        self.sat.add_clause_reuse(&mut wires.to_vec());
    }

    /// Requires that two wires have the same value.
    pub(super) fn require_equal(&mut self, a: Wire, b: Wire) {
        self.require_any(&[a, !b]);
        self.require_any(&[!a, b]);
    }

    /// Looks for values of the wires, in at most so many steps.
    pub(super) fn solve(&mut self, steps: u64) -> Outcome {
        self.sat.cb_mut().0.set(steps);
        match self.sat.solve_limited(&[]) {
            answer if answer == lbool::TRUE => Outcome::Possible,
            answer if answer == lbool::FALSE => Outcome::Impossible,
            _ => Outcome::OutOfSteps,
        }
    }

    /// The value of a wire in what was found.
    pub(super) fn value(&self, wire: Wire) -> bool {
        self.sat.value_lit(wire) == lbool::TRUE
    }
}
