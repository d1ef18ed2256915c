//! The laws of counting.

use dodona_records::{Ineligible, Tally, Verdict, Violation};
use dodona_target::{Outcome, Trap};
use proptest::prelude::*;

fn verdict() -> impl Strategy<Value = Verdict> {
    prop::sample::select(vec![
        Verdict::Holds,
        Verdict::Violated(Violation::False),
        Verdict::Violated(Violation::FollowUp(Outcome::OutOfFuel)),
        Verdict::Undefined,
        Verdict::Ineligible(Ineligible::Condition),
        Verdict::Ineligible(Ineligible::ConditionUndefined),
        Verdict::Ineligible(Ineligible::OutOfDomain),
        Verdict::Ineligible(Ineligible::Skipped(Outcome::Trapped(Trap::DivisionByZero))),
        Verdict::Ineligible(Ineligible::Skipped(Outcome::OutOfFuel)),
    ])
}

fn tally(verdicts: &[Verdict]) -> Tally {
    let mut tally = Tally::default();
    verdicts.iter().for_each(|v| tally.count(*v));
    tally
}

proptest! {
    #[test]
    fn counting_in_parts_and_merging_in_any_order_is_counting_at_once(
        a in prop::collection::vec(verdict(), 0..40),
        b in prop::collection::vec(verdict(), 0..40),
    ) {
        let whole = tally(&[a.clone(), b.clone()].concat());
        for (first, second) in [(&a, &b), (&b, &a)] {
            let mut merged = tally(first);
            merged.merge(&tally(second));
            prop_assert_eq!(&merged, &whole);
        }
        prop_assert_eq!(whole.groups(), (a.len() + b.len()) as u64);
    }

    #[test]
    fn eligible_are_those_that_hold_or_violate(verdicts in prop::collection::vec(verdict(), 0..40)) {
        let eligible = verdicts.iter().filter(|v| !matches!(v, Verdict::Ineligible(_))).count() as u64;
        let tally = tally(&verdicts);
        prop_assert_eq!(tally.eligible(), eligible);
        prop_assert!(tally.undefined + tally.follow_up_failed <= tally.violated);
    }
}
