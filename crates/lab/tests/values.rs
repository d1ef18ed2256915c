//! Held against values computed apart: with SciPy 1.17, and by hand.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

use dodona_lab::statistics::*;
use proptest::prelude::*;

const A: [f64; 7] = [0.71, 0.75, 0.68, 0.80, 0.77, 0.73, 0.79];
const B: [f64; 6] = [0.62, 0.66, 0.64, 0.70, 0.59, 0.61];
/// With ties.
const C: [f64; 8] = [1.0, 2.0, 2.0, 3.0, 5.0, 5.0, 5.0, 8.0];
const D: [f64; 7] = [2.0, 4.0, 5.0, 6.0, 9.0, 9.0, 10.0];

/// Thirty numbers each, far apart.
fn far() -> (Vec<f64>, Vec<f64>) {
    (0..30).map(|i| f64::from(i) * 1e-4).map(|x| (0.1 + x, 0.9 + x)).unzip()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    let scale = expected.abs().max(f64::MIN_POSITIVE);
    assert!((found - expected).abs() <= 1e-9 * scale, "{found:e} is not {expected:e}");
}

#[test]
fn welchs_t_test() {
    let cases: [(&[f64], &[f64], [f64; 3]); 3] = [
        (&A, &B, [4.8085612570352145, 10.949508623515786, 0.0005529254936568437]),
        (&C, &D, [-1.8345901948011691, 11.219694793906855, 0.0931995160058809]),
        (&[1.0, 2.0], &[4.0, 8.0], [-2.182820625326997, 1.1245136186770428, 0.2509798190130844]),
    ];
    for (first, second, [t, df, p]) in cases {
        let test = t_test(first, second).expect("defined");
        near(test.t, t);
        near(test.df, df);
        near(test.p, p);
    }
}

#[test]
fn the_pooled_t_test() {
    let test = pooled_t_test(&A, &B).expect("defined");
    near(test.t, 4.768394481248291);
    near(test.p, 0.0005821826111077955);
    assert_eq!(test.df, 11.0);
    near(pooled_t_test(&C, &D).expect("defined").p, 0.08430313661660095);
}

#[test]
fn p_values_far_below_one_are_not_rounded_to_zero() {
    let (low, high) = far();
    let p = t_test(&low, &high).expect("defined").p;
    assert!((p / 2.894620529878464e-156 - 1.0).abs() < 1e-6, "{p:e}");
    near(mann_whitney_u(&low, &high).expect("defined").p, 1.691123389214474e-17);
}

#[test]
fn cohens_d_is_in_pooled_standard_deviations() {
    near(cohens_d(&A, &B).expect("defined"), 2.652889785885739);
    near(cohens_d(&B, &A).expect("defined"), -2.652889785885739);
    near(cohens_d(&C, &D).expect("defined"), -0.9673447276641449);
}

#[test]
fn what_does_not_vary_has_its_limit() {
    let (ones, twos) = ([1.0; 4], [2.0; 3]);
    for test in [t_test, pooled_t_test] {
        assert_eq!(test(&ones, &ones[1..]), Some(TTest { t: 0.0, df: 5.0, p: 1.0 }));
        assert_eq!(test(&ones, &twos), Some(TTest { t: f64::NEG_INFINITY, df: 5.0, p: 0.0 }));
        assert_eq!(test(&ones, &[1.0]), None);
        assert_eq!(test(&[], &ones), None);
    }
    // A mean that floating point would round: 0.1 + 0.1 + 0.1 is not 0.3.
    assert_eq!(cohens_d(&[0.1; 3], &[0.1; 7]), Some(0.0));
    assert_eq!(cohens_d(&twos, &ones), Some(f64::INFINITY));
    assert_eq!(cohens_d(&twos, &[1.0]), None);
    let test = mann_whitney_u(&ones, &ones).expect("defined");
    assert_eq!((test.u, test.p), (8.0, 1.0));
}

#[test]
fn mann_whitney_is_exact_for_small_samples_without_ties() {
    let test = mann_whitney_u(&A, &B).expect("defined");
    assert_eq!((test.u, test.how), (41.0, PValue::Exact));
    near(test.p, 0.002331002331002331);
    let smallest = mann_whitney_u(&[1.0, 2.0], &[4.0, 8.0]).expect("defined");
    near(smallest.p, 1.0 / 3.0);
}

#[test]
fn mann_whitney_corrects_for_ties() {
    let test = mann_whitney_u(&C, &D).expect("defined");
    assert_eq!((test.u, test.how), (13.5, PValue::Normal));
    near(test.p, 0.10052164083340268);
    let first: Vec<f64> = (0..30).map(|i| f64::from(i * 37 % 101) / 100.0).collect();
    let second: Vec<f64> = (0..30).map(|i| 0.9 + f64::from(i * 17 % 7) / 100.0).collect();
    let test = mann_whitney_u(&first, &second).expect("defined");
    assert_eq!(test.u, 50.5);
    near(test.p, 3.4710719739681e-09);
}

#[test]
fn a12_is_the_share_of_pairs() {
    near(vargha_delaney_a12(&A, &B).expect("defined"), 0.9761904761904762);
    near(vargha_delaney_a12(&C, &D).expect("defined"), 0.24107142857142858);
    assert_eq!(vargha_delaney_a12(&[], &C), None);
    assert_eq!(mann_whitney_u(&C, &[]), None);
}

#[test]
fn summaries_and_confidence() {
    let summary = Summary::of(&C).expect("numbers");
    near(summary.mean, 3.875);
    near(summary.sd.expect("many"), 2.295181287579947);
    assert_eq!((summary.median, summary.min, summary.max, summary.count), (4.0, 1.0, 8.0, 8));
    assert_eq!(Summary::of(&[]), None);
    assert_eq!(Summary::of(&[3.0]).expect("one").sd, None);
    for (level, low, high) in
        [(0.95, 1.9561804246501457, 5.793819575349854), (0.99, 1.0352773463720863, 6.714722653627914)]
    {
        let found = confidence_interval(&C, level).expect("defined");
        near(found.0, low);
        near(found.1, high);
    }
    assert_eq!(confidence_interval(&[1.0], 0.95), None);
    assert_eq!(confidence_interval(&C, 1.0), None);
    assert_eq!(confidence_interval(&[2.0; 5], 0.95), Some((2.0, 2.0)));
}

/// The example of Rothermel et al. (2001): ten faults, five tests A to E.
#[test]
fn apfd_of_the_textbook_example() {
    // A detects 1 and 5, B 6 and 7, C 1 to 7, D 5, E 8 to 10.
    let detects: [&[u32]; 5] = [&[1, 5], &[6, 7], &[1, 2, 3, 4, 5, 6, 7], &[5], &[8, 9, 10]];
    let of = |order: [usize; 5]| {
        let first =
            |fault: u32| order.iter().position(|&t| detects[t].contains(&fault)).map(|p| p as u64 + 1);
        apfd(5, &(1..=10).map(first).collect::<Vec<_>>(), Undetected::Last).expect("defined")
    };
    near(of([0, 1, 2, 3, 4]), 0.50);
    near(of([4, 3, 2, 1, 0]), 0.64);
    near(of([2, 4, 1, 0, 3]), 0.84);
}

#[test]
fn apfd_of_faults_that_are_not_detected() {
    let first = [Some(1), None];
    near(apfd(4, &first, Undetected::Last).expect("defined"), 1.0 - 6.0 / 8.0 + 0.125);
    near(apfd(4, &first, Undetected::LeftOut).expect("defined"), 0.875);
    assert_eq!(apfd(4, &[None], Undetected::LeftOut), None);
    near(apfd(4, &[None], Undetected::Last).expect("defined"), -0.125);
    assert_eq!(apfd(0, &[None], Undetected::Last), None);
}

#[test]
fn rates_grow_to_the_mutation_score() {
    let first = [Some(2), Some(5), None, Some(7)];
    let rates: Vec<f64> =
        (0..=10).map(|tenth| fault_detection_rate(7, &first, tenth * 10).expect("faults")).collect();
    assert_eq!(rates, [0.0, 0.0, 0.25, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75]);
    assert_eq!(rates.last().copied(), mutation_score(3, 4));
    assert_eq!(fault_detection_rate(7, &[], 50), None);
}

fn sample() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-20..20i32).prop_map(f64::from), 2..12)
}

/// Every way to deal the numbers into samples of these sizes, by brute force.
fn counted(first: &[f64], second: &[f64]) -> f64 {
    let all: Vec<f64> = first.iter().chain(second).copied().collect();
    let u = |mask: u32| {
        let (own, others): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|i| mask >> i & 1 == 1);
        own.iter()
            .flat_map(|&i| others.iter().map(move |&j| (i, j)))
            .filter(|&(i, j)| all[i] > all[j])
            .count()
    };
    let pairs = first.len() * second.len();
    let uneven = |mask| u(mask).max(pairs - u(mask));
    let mine = uneven((1 << first.len()) - 1);
    let masks = || (0..1u32 << all.len()).filter(|mask| mask.count_ones() as usize == first.len());
    masks().filter(|&mask| uneven(mask) >= mine).count() as f64 / masks().count() as f64
}

proptest! {
    #[test]
    fn exchanging_the_samples_only_turns_the_sign(a in sample(), b in sample()) {
        let (there, back) = (t_test(&a, &b).unwrap(), t_test(&b, &a).unwrap());
        prop_assert!((there.t == -back.t) && (there.p - back.p).abs() < 1e-12);
        let a12 = vargha_delaney_a12(&a, &b).unwrap() + vargha_delaney_a12(&b, &a).unwrap();
        prop_assert!((a12 - 1.0).abs() < 1e-12);
        let (there, back) = (mann_whitney_u(&a, &b).unwrap(), mann_whitney_u(&b, &a).unwrap());
        prop_assert!((there.p - back.p).abs() < 1e-12);
        prop_assert!((0.0..=1.0).contains(&there.p));
    }

    #[test]
    fn exact_p_values_are_those_counted(
        numbers in prop::collection::hash_set(-1000..1000i32, 2..11),
        cut in any::<prop::sample::Index>(),
    ) {
        let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
        let (a, b) = numbers.split_at(1 + cut.index(numbers.len() - 1));
        let p = mann_whitney_u(a, b).unwrap().p;
        // Twice one tail, where both tails meet in the middle at most 1.
        prop_assert!((p - counted(a, b)).abs() < 1e-9, "{} {}", p, counted(a, b));
    }

    #[test]
    fn earlier_detection_is_a_greater_apfd(first in prop::collection::vec(prop::option::of(2..20u64), 1..9), at in any::<prop::sample::Index>()) {
        let before = apfd(20, &first, Undetected::Last).unwrap();
        let mut sooner = first.clone();
        let at = at.index(first.len());
        sooner[at] = Some(first[at].unwrap_or(21) - 1);
        prop_assert!(apfd(20, &sooner, Undetected::Last).unwrap() > before);
    }
}
