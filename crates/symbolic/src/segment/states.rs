//! States in which a segment can begin, drawn at random such that they tell versions of the segment apart.
//!
//! States refute before a solver is asked: most pairs of versions differ in the first few random states. A counterexample of the solver
//! becomes a state for all other pairs.

use dodona_smt::term::{Assignment, Sort, Term, Terms, Variable};
use dodona_target::next_splitmix64;

use super::effect::all_hold;
use super::questions::{Claim, Questions};

/// The number of states that are drawn before a solver is asked. Each state refutes many claims at the cost of an evaluation.
/// Most versions differ in the first few states. States that a solver finds are added, so that a greater number saves little.
const DRAWN: usize = 48;

/// The number of draws for states in which the facts have to be true.
const DRAWS: usize = 20 * DRAWN;

/// If fewer draws satisfy the facts than this, a solver is asked for further states, up to this number. Too few states refute
/// little, and each claim that they could have refuted costs a question.
const FEW: usize = 12;

/// Values at which the results of comparisons and arithmetic change.
const SPECIAL: [u128; 8] = [0, 1, 2, 3, 10, u128::MAX, u128::MAX - 1, 1 << 31];

/// States in which the facts are true.
pub(super) fn draw(questions: &mut Questions<'_, '_>) -> Vec<Assignment> {
    let mut seed = 0x5eed;
    let mut states = Vec::new();
    for _ in 0..DRAWS {
        let state = drawn(questions.terms, &mut seed);
        if all_hold(questions.terms, questions.facts, &state) {
            states.push(state);
        }
        if states.len() == DRAWN {
            break;
        }
    }
    if states.len() < FEW {
        find(questions, &mut states, &mut seed);
    }
    states
}

/// Asks the solver for states in which one variable of the facts has a value that was drawn. For the fact `x + y == 0` nearly
/// every value of `x` has such a state, which drawing both variables would not find.
fn find(questions: &mut Questions<'_, '_>, states: &mut Vec<Assignment>, seed: &mut u64) {
    let facts = questions.facts;
    let mut known: Vec<Variable> =
        facts.iter().flat_map(|fact| questions.terms.variables_of(*fact)).copied().collect();
    known.sort_unstable();
    known.dedup();
    for at in 0..if known.is_empty() { 0 } else { 2 * FEW } {
        let mut state = drawn(questions.terms, seed);
        let fixed = known[at % known.len()];
        let value = Term::Constant(questions.terms.sort_of(fixed), state.get(fixed));
        let variable = questions.terms.variable_term(fixed);
        let is_drawn = questions.terms.equal(variable, value);
        match questions.claim(&[is_drawn]) {
            Claim::Proved => {}
            Claim::Unknown => return,
            Claim::Refuted(found) => {
                known.iter().for_each(|variable| state.set(*variable, found.get(*variable)));
                states.push(state);
            }
        }
        if states.len() >= FEW {
            return;
        }
    }
}

/// Values for all variables: small, special, equal or arbitrary ones.
fn drawn(terms: &Terms, seed: &mut u64) -> Assignment {
    let mut state = Assignment::default();
    let shared = u128::from(next_splitmix64(seed) % 20);
    let near = next_splitmix64(seed).is_multiple_of(2);
    for variable in terms.variable_numbers() {
        let any = next_splitmix64(seed);
        let value = match (near, next_splitmix64(seed) % 4) {
            (_, 0) => shared,
            (true, 1) => shared.wrapping_add(u128::from(any % 5)).wrapping_sub(2),
            (true, _) => u128::from(any % 24).wrapping_sub(4),
            (false, 1) => SPECIAL[(any % SPECIAL.len() as u64) as usize],
            (false, 2) => float(terms.sort_of(variable), any),
            (false, _) => u128::from(any) << 64 | u128::from(next_splitmix64(seed)),
        };
        state.set(variable, value & terms.sort_of(variable).mask());
    }
    state
}

/// The bits of a small float of a width. Floats at the ends of their range were tried, and left more claims open than these.
fn float(sort: Sort, any: u64) -> u128 {
    let value = (any % 41) as f64 / 4.0 - 5.0;
    match sort.width() {
        32 => u128::from((value as f32).to_bits()),
        64 => u128::from(value.to_bits()),
        _ => u128::from(any),
    }
}
