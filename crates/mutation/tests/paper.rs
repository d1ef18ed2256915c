//! The definitions, theorems and worked examples of Kapoor, "Mutant Hierarchies Support Selective Mutation", 2011, with its programs
//! as closures.

use std::convert::Infallible;

use dodona_mutation::orders::{Kill, KillSets, Reason, Runs, Strength, Subsumption, classify};
use proptest::prelude::*;

/// A program, or a mutant of one.
type Program<I, O> = fn(&I) -> O;

/// The numbers of the inputs on which a mutant's outcome is not the original's.
fn kill_sets<I, O: PartialEq>(inputs: &[I], original: Program<I, O>, mutants: &[Program<I, O>]) -> KillSets {
    let rows = mutants.iter().map(|mutant| {
        let killed = inputs.iter().map(|input| mutant(input) != original(input));
        killed.enumerate().filter(|(_, is_killed)| *is_killed).map(|(test, _)| test).collect::<Vec<_>>()
    });
    KillSets::from_tests(inputs.len(), rows).expect("the numbers of inputs")
}

/// Figure 1, with the condition of the `if` left open.
fn fun(&(mut x, mut i): &(i32, i32), condition: fn(i32) -> bool) -> i32 {
    while i <= 2 {
        x += if condition(x) { 1 } else { 2 };
        i += 1;
    }
    x
}

#[test]
fn a_mutant_is_stronger_under_one_test_and_not_under_another() {
    // Table 1: on (3, 1) both mutants differ, on (4, 1) the first alone, although its condition implies the other's.
    let inputs = [(3, 1), (4, 1)];
    let original = |input: &_| fun(input, |x| x <= 4);
    let mutants: [Program<(i32, i32), i32>; 2] =
        [|input| fun(input, |x| x < 4), |input| fun(input, |x| x > 4)];
    assert_eq!(inputs.map(|input| original(&input)), [5, 7]);
    let kills = kill_sets(&inputs, original, &mutants);
    assert!(kills.is_stronger_under(0, 0, 1) && kills.is_stronger_under(0, 1, 0));
    assert!(!kills.is_stronger_under(1, 0, 1));
    assert!(kills.is_stronger_under(1, 1, 0), "the test does not kill it, so nothing is to be shown");
    assert!(!kills.is_stronger(0, 1) && kills.is_stronger(1, 0), "over both tests");
    assert_eq!(kills.class_of(0).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(kills.class_of(1).collect::<Vec<_>>(), [0]);
}

/// Figure 2, with the first assignment left open.
fn comp(changed: i32) -> i32 {
    if changed == 5 || changed == 7 { 9 } else { 6 }
}

#[test]
fn mutants_that_infect_everywhere_need_not_be_related() {
    // Table 2.
    let inputs: Vec<i32> = (0..12).collect();
    let kills = kill_sets(&inputs, |x| comp(x + 1), &[|x| comp(x - 1), |x| comp(x + 2)]);
    assert_eq!(kills.killing(0).collect::<Vec<_>>(), [4, 8]);
    assert_eq!(kills.killing(1).collect::<Vec<_>>(), [3, 4, 5, 6]);
    assert!(!kills.is_stronger(0, 1) && !kills.is_stronger(1, 0));
    assert_eq!(Subsumption::of(&kills).dominators().len(), 2);
}

/// `min` of Figure 4 with mutants at its two places.
fn min(m: i32, b: i32, condition: fn(i32, i32) -> bool) -> i32 {
    if condition(m, b) { b } else { m }
}

type Condition = fn(i32, i32) -> bool;

/// What has to hold at the `if` for `m = b`, `m = abs(a)` and `if (m != b)` to be killed, as the paper states it.
///
/// The paper prints `-abs(a)` for the second one, with which its claim about the input (-6, 2) is wrong: -abs(-6) is -6, and the
/// mutant computes what the program does. With `abs(a)` both of its claims hold.
const CONDITIONS: [Condition; 3] =
    [|a, b| differs_at_the_if(a, b, b), |a, b| differs_at_the_if(a, a.abs(), b), |a, b| (a > b) ^ (a != b)];

/// What was assigned is another number than `a`, or lets the `if` go the other way.
fn differs_at_the_if(a: i32, assigned: i32, b: i32) -> bool {
    a != assigned || ((a > b) ^ (assigned > b))
}

const MUTANTS: [Program<(i32, i32), i32>; 3] = [
    |&(_, b)| min(b, b, |m, b| m > b),
    |&(a, b)| min(a.abs(), b, |m, b| m > b),
    |&(a, b)| min(a, b, |m, b| m != b),
];

fn original(&(a, b): &(i32, i32)) -> i32 {
    min(a, b, |m, b| m > b)
}

/// Kills with one input alone, and observes the conditions at the `if`.
struct OneInput {
    input: (i32, i32),
    asked: Vec<usize>,
}

impl OneInput {
    fn kills(&self, mutant: usize) -> bool {
        MUTANTS[mutant](&self.input) != original(&self.input)
    }
}

impl Runs for OneInput {
    type Error = Infallible;

    fn kill(&mut self, mutant: usize, open: &[usize]) -> Result<Option<Kill>, Infallible> {
        self.asked.push(mutant);
        let (a, b) = self.input;
        let held: Vec<usize> = open.iter().copied().filter(|&other| CONDITIONS[other](a, b)).collect();
        let killed = held.iter().copied().filter(|&other| self.kills(other)).collect();
        Ok(self.kills(mutant).then_some(Kill { test: 0, held, killed }))
    }
}

fn classes_with(input: (i32, i32)) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut runs = OneInput { input, asked: Vec::new() };
    let Ok(found) = classify(&[0, 1, 2], &Strength::new(3), &mut runs);
    assert!(found.misled.is_empty() && found.contradicted.is_empty());
    assert!(found.classes.iter().flat_map(|class| &class.members).all(|m| m.because == Reason::Observed));
    (found.classes.iter().map(|class| class.mutants().collect()).collect(), found.alive)
}

#[test]
fn the_classes_of_min_depend_on_the_test() {
    assert_eq!(classes_with((-6, 2)), (vec![vec![0, 1, 2]], vec![]));
    assert_eq!(classes_with((0, 1)), (vec![vec![0, 2]], vec![1]));
}

#[test]
fn the_minus_of_the_paper_lets_the_second_mutant_live() {
    for (a, b) in [(-6_i32, 2), (0, 1)] {
        let printed = -a.abs();
        assert!(!differs_at_the_if(a, printed, b), "its condition does not hold on ({a}, {b})");
        assert_eq!(min(printed, b, |m, b| m > b), original(&(a, b)));
    }
}

#[test]
fn conditions_of_min_are_necessary() {
    for a in -8..=8 {
        for b in -8..=8 {
            for mutant in 0..3 {
                let is_killed = MUTANTS[mutant](&(a, b)) != original(&(a, b));
                assert!(!is_killed || CONDITIONS[mutant](a, b), "min{} on ({a}, {b})", mutant + 1);
            }
        }
    }
}

proptest! {
    /// Theorem 2: what is killed is infected (fact 2), so mutants without a common infecting test are not related, unless one of them
    /// is killed by nothing.
    #[test]
    fn disjoint_infection_sets_are_unrelated(
        infected in prop::collection::vec(0..3_u8, 1..40),
        propagates in prop::collection::vec(any::<bool>(), 40),
    ) {
        // Each test infects the first mutant, the second or neither.
        let of = |mutant: u8| -> Vec<usize> {
            (0..infected.len()).filter(|&test| infected[test] == mutant && propagates[test]).collect()
        };
        let kills = KillSets::from_tests(infected.len(), [of(0), of(1)]).expect("the numbers of tests");
        let is_alive = kills.alive().count() > 0;
        let is_related = kills.is_stronger(0, 1) || kills.is_stronger(1, 0);
        prop_assert_eq!(is_related, is_alive);
    }
}
