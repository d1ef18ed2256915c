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

/// Figure 3: `b = -y; if (x + y == a + b) …`, with the assignment and the condition left open. Both branches do something else, and neither
/// reads `b`.
fn fragment(
    &(x, y, a): &(i32, i32, i32),
    b: fn(i32) -> i32,
    condition: fn(i32, i32, i32, i32) -> bool,
) -> bool {
    condition(x, y, a, b(y))
}

/// The original, and its mutants R1, R2 and R3.
const FRAGMENT: Program<(i32, i32, i32), bool> = |input| fragment(input, |y| -y, |x, y, a, b| x + y == a + b);
const FRAGMENTS: [Program<(i32, i32, i32), bool>; 3] = [
    |input| fragment(input, |y| y, |x, y, a, b| x + y == a + b),
    |input| fragment(input, |y| -y, |x, y, a, b| x - y == a + b),
    |input| fragment(input, |y| -y, |x, y, a, b| x + y == a - b),
];

/// Every state of three small numbers.
fn states() -> Vec<(i32, i32, i32)> {
    let numbers = || -4..=4;
    numbers().flat_map(|x| numbers().flat_map(move |y| numbers().map(move |a| (x, y, a)))).collect()
}

#[test]
fn the_implications_of_the_fragment_hold_and_so_do_their_converses() {
    // The paper shows `b == -y => ((orig ^ r2) => (orig ^ r3))`, and `(orig' ^ r2') => (orig' ^ r1)` with the assignment propagated. Each of
    // the three conditions says x == a then, so that the converses hold too.
    for (x, y, a) in states() {
        let b = -y;
        let original = x + y == a + b;
        let [r1, r2, r3] = [x + y == a + y, x - y == a + b, x + y == a - b];
        assert_eq!(original ^ r2, original ^ r3, "R2 and R3 in ({x}, {y}, {a})");
        assert_eq!(original ^ r2, original ^ r1, "R2 and R1 in ({x}, {y}, {a})");
        assert_eq!(r2, x == a);
    }
    // Without what is known of b, R2 implies R3 no more: 1 - 1 == 0 + 0 alone is another value than the original's.
    let (x, y, a, b) = (1, 1, 0, 0);
    let [original, r2, r3] = [x + y == a + b, x - y == a + b, x + y == a - b];
    assert!((original ^ r2) && !(original ^ r3));
}

#[test]
fn one_mutant_of_the_fragment_stands_for_all_three() {
    // The paper keeps R2 alone. Any of the three would do: they are equally strong.
    let kills = kill_sets(&states(), FRAGMENT, &FRAGMENTS);
    for (one, other) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
        assert!(kills.is_stronger(one, other), "R{} over R{}", one + 1, other + 1);
    }
    assert_eq!(kills.alive().count(), 0);
    let groups = Subsumption::of(&kills);
    assert_eq!(groups.dominators().map(|group| group.mutants.clone()).collect::<Vec<_>>(), [vec![0, 1, 2]]);
}

#[test]
fn where_b_is_read_later_the_first_mutant_of_the_fragment_is_another() {
    // R1 changes b itself. If a branch reads b, the two runs behind the condition are not the same: the paper's hierarchy needs that none does.
    let with_b = |assigned: fn(i32) -> i32, condition: fn(i32, i32, i32, i32) -> bool| {
        move |&(x, y, a): &(i32, i32, i32)| (condition(x, y, a, assigned(y)), assigned(y))
    };
    let original = with_b(|y| -y, |x, y, a, b| x + y == a + b);
    let r1 = with_b(|y| y, |x, y, a, b| x + y == a + b);
    let r2 = with_b(|y| -y, |x, y, a, b| x - y == a + b);
    let alone =
        states().into_iter().find(|state| r1(state) != original(state) && r2(state) == original(state));
    assert!(alone.is_some(), "a state reveals R1 and not R2");
}

/// `min` of Figure 4 with mutants at its two places.
fn min(m: i32, b: i32, condition: fn(i32, i32) -> bool) -> i32 {
    if condition(m, b) { b } else { m }
}

type Condition = fn(i32, i32) -> bool;

/// What has to hold at the `if` for `m = b`, `m = abs(a)` and `if (m != b)` to be killed, as the paper states it.
///
/// The paper prints `-abs(a)` for the second one. It claims that (-6, 2) kills all three, and with what is printed this is false: -abs(-6)
/// is -6, so that the mutant computes what the program does. With `abs(a)` the claim is true. Of (0, 1) it says that "only min3" is killed
/// besides min1, and in the next sentence that min1 and min2 are one class; the first is true, and the class is that of min1 and min3.
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

/// The second mutant as the figure prints it.
fn printed(&(a, b): &(i32, i32)) -> i32 {
    min(-a.abs(), b, |m, b| m > b)
}

#[test]
fn the_minus_of_the_paper_lets_the_second_mutant_live() {
    for (a, b) in [(-6_i32, 2), (0, 1)] {
        assert!(!differs_at_the_if(a, -a.abs(), b), "its condition does not hold on ({a}, {b})");
        assert_eq!(printed(&(a, b)), original(&(a, b)));
    }
    // It is no equivalent mutant: what kills it are the inputs with a > 0 and b > -a.
    for a in -8..=8 {
        for b in -8..=8 {
            assert_eq!(printed(&(a, b)) != original(&(a, b)), a > 0 && b > -a, "({a}, {b})");
        }
    }
}

#[test]
fn over_all_inputs_the_mutants_of_min_are_ordered() {
    // What the figure is about is one test at a time. Over all inputs the assignment of b is killed where a < b, the comparison too, and abs(a)
    // where a < 0 and a < b: so either of the first two is weaker than the third.
    let inputs: Vec<(i32, i32)> = (-8..=8).flat_map(|a| (-8..=8).map(move |b| (a, b))).collect();
    let kills = kill_sets(&inputs, original, &MUTANTS);
    assert!(kills.is_stronger(0, 2) && kills.is_stronger(2, 0));
    assert!(kills.is_stronger(1, 0) && !kills.is_stronger(0, 1));
    let dominators: Vec<_> =
        Subsumption::of(&kills).dominators().map(|group| group.mutants.clone()).collect();
    assert_eq!(dominators, [vec![1]]);
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
