//! k-MR coverage: the worked example of Fu, Sun, Zhang and Liu (2024), and laws.

use dodona_generation::adequacy::{Associations, Requirements, adequacy, order, random_suite, select};
use fixedbitset::FixedBitSet;
use proptest::prelude::*;

fn set(members: &[usize]) -> FixedBitSet {
    members.iter().copied().collect()
}

/// The example of section III (tables I to IV): eight statements, four source inputs, five relations of different forms, k = 3. `seven` are
/// the source inputs that cover statement 7, counted from 1.
fn trigonometric(seven: &[usize]) -> (Requirements, Associations) {
    // Table IV: for each statement the source inputs that cover it.
    let covered: [&[usize]; 8] = [&[1, 2], &[1, 3], &[3, 4], &[2], &[1, 3, 4], &[4], seven, &[]];
    let of = |source: usize| {
        let statements = (0..8).filter(|statement| covered[*statement].contains(&source));
        set(&statements.collect::<Vec<_>>())
    };
    let names = (1..=8).map(|statement| format!("s{statement}")).collect();
    let requirements = Requirements { names, satisfied: (1..=4).map(of).collect() };
    // Table III.
    let mut associations = Associations::new(4, &[0, 1, 2, 3, 4]);
    for (source, relation) in [(1, 1), (2, 2), (3, 3), (3, 4), (4, 4), (4, 5)] {
        associations.add(source - 1, relation - 1);
    }
    (requirements, associations)
}

/// Each of three source inputs satisfies the one requirement and has three relations of different forms. One group is enough for k = 1, and every
/// group is as good as another then: the order goes from source input to source input, not through the relations of the first.
#[test]
fn the_order_goes_on_with_what_was_taken_least() {
    let requirements = Requirements { names: vec!["s1".into()], satisfied: vec![set(&[0]); 3] };
    let mut associations = Associations::new(3, &[0, 1, 2]);
    (0..9).for_each(|group| associations.add(group / 3, group % 3));
    let ordered = order(&requirements, &associations, 1, usize::MAX);
    assert_eq!((ordered.groups.len(), ordered.enough), (9, 1));
    let sources: Vec<usize> = ordered.groups.iter().map(|(source, _)| *source).collect();
    assert_eq!(sources, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    // Nor does it begin with one relation of all.
    let relations: Vec<usize> = ordered.groups.iter().map(|(_, relation)| *relation).collect();
    assert_eq!(relations[..3], [0, 1, 2]);
}

/// The text gives 11/24, with 1/3 for statement 7. It is what definition 5 gives if t2 alone covers statement 7. But tables I and IV both say that t4
/// covers it too (table I has four check marks for t4), and table IV then computes max{1, 2}/3 as 1/3 where it is 2/3.
#[test]
fn the_worked_example_gives_eleven_of_twenty_four() {
    let (requirements, associations) = trigonometric(&[2]);
    let measured = adequacy(&requirements, &associations, 3);
    let thirds: Vec<usize> = measured.requirements.iter().map(|requirement| requirement.relations).collect();
    assert_eq!(thirds, [1, 2, 2, 1, 2, 2, 1, 0]);
    assert_eq!((measured.reached(), measured.whole()), (11, 24));
    assert!((measured.degree() - 11.0 / 24.0).abs() < 1e-15);
    assert_eq!(measured.reachable, 0, "statement 8 is covered by nothing");
}

/// With t2 and t4 for statement 7, as the tables have it, definition 5 gives 2/3 there and 12/24 in all.
#[test]
fn the_table_as_printed_gives_a_half() {
    let (requirements, associations) = trigonometric(&[2, 4]);
    let measured = adequacy(&requirements, &associations, 3);
    assert_eq!(measured.requirements[6].relations, 2);
    assert_eq!((measured.reached(), measured.whole()), (12, 24));
}

#[test]
fn relations_of_one_form_count_once() {
    let requirements = Requirements { names: vec!["r".into()], satisfied: vec![set(&[0])] };
    let mut associations = Associations::new(1, &[7, 2, 7]);
    (0..3).for_each(|relation| associations.add(0, relation));
    assert_eq!(associations.different(0), 2);
    assert_eq!(adequacy(&requirements, &associations, 2).reached(), 2);
    assert_eq!(associations.of_source(0).collect::<Vec<_>>(), [1, 0, 2]);
    assert_eq!((associations.len(), associations.relations(), associations.forms()), (3, 3, 2));
}

#[test]
fn what_no_source_input_satisfies_stays_open() {
    let requirements = Requirements { names: vec!["r".into()], satisfied: vec![set(&[])] };
    let measured = adequacy(&requirements, &Associations::new(1, &[0]), 2);
    assert_eq!((measured.requirements[0].best, measured.requirements[0].missing(2)), (None, 2));
    assert!(Associations::new(1, &[0]).is_empty());
}

/// One source input satisfies both requirements and has both relations: two groups are as few as possible, and the bound says so.
#[test]
fn the_selection_of_the_example_is_the_least() {
    let requirements = Requirements {
        names: vec!["a".into(), "b".into()],
        satisfied: vec![set(&[0]), set(&[0, 1]), set(&[1])],
    };
    let mut associations = Associations::new(3, &[0, 1]);
    for source in 0..3 {
        associations.add(source, 0);
        associations.add(source, 1);
    }
    let selection = select(&requirements, &associations, 2, 1.0);
    assert_eq!(selection.groups, [(1, 0), (1, 1)]);
    assert_eq!((selection.degree, selection.least), (1.0, 2));
}

prop_compose! {
    /// Up to eight source inputs, six relations of up to six forms, and six requirements.
    fn tested()(
        forms in prop::collection::vec(0u32..6, 1..7),
        satisfied in prop::collection::vec(prop::collection::vec(0usize..6, 0..6), 1..9),
        pairs in prop::collection::vec((0usize..8, 0usize..6), 0..30),
    ) -> (Requirements, Associations) {
        let names = (0..6).map(|r| format!("r{r}")).collect();
        let mut associations = Associations::new(satisfied.len(), &forms);
        for (source, relation) in pairs {
            if source < satisfied.len() && relation < forms.len() {
                associations.add(source, relation);
            }
        }
        (Requirements { names, satisfied: satisfied.iter().map(|of| set(of)).collect() }, associations)
    }
}

/// The associations of a suite alone.
fn only(groups: &[(usize, usize)], all: &Associations) -> Associations {
    let forms: Vec<u32> = (0..all.relations()).map(|relation| all.form(relation)).collect();
    let mut few = Associations::new(all.sources(), &forms);
    groups.iter().for_each(|(source, relation)| few.add(*source, *relation));
    few
}

proptest! {
    #[test]
    fn degrees_lie_between_0_and_1_and_fall_with_k((requirements, associations) in tested()) {
        let degrees: Vec<f64> = (1..6).map(|k| adequacy(&requirements, &associations, k).degree()).collect();
        prop_assert!(degrees.iter().all(|degree| (0.0..=1.0).contains(degree)));
        prop_assert!(degrees.windows(2).all(|pair| pair[0] >= pair[1]), "{degrees:?}");
    }

    #[test]
    fn a_further_group_never_costs_adequacy((requirements, associations) in tested(), source in 0usize..8, relation in 0usize..6, k in 1usize..5) {
        let before = adequacy(&requirements, &associations, k).reached();
        let mut more = associations.clone();
        more.add(source % associations.sources(), relation % associations.relations());
        prop_assert!(adequacy(&requirements, &more, k).reached() >= before);
    }

    #[test]
    fn a_selection_reaches_what_it_says((requirements, associations) in tested(), k in 1usize..5, level in 0.0f64..=1.0) {
        let all = adequacy(&requirements, &associations, k).degree();
        let selection = select(&requirements, &associations, k, level);
        prop_assert!(selection.least <= selection.groups.len(), "also where the level is not reached");
        prop_assert!(selection.groups.iter().all(|(s, r)| associations.contains(*s, *r)));
        let again = adequacy(&requirements, &only(&selection.groups, &associations), k).degree();
        prop_assert_eq!(again, selection.degree);
        prop_assert!(selection.degree >= level.min(all) - 1e-12);
    }

    #[test]
    fn the_order_reaches_all_that_can_be_reached((requirements, associations) in tested(), k in 1usize..5) {
        let all = adequacy(&requirements, &associations, k);
        let ordered = order(&requirements, &associations, k, usize::MAX);
        let distinct: std::collections::HashSet<_> = ordered.groups.iter().collect();
        prop_assert_eq!(distinct.len(), ordered.groups.len());
        prop_assert_eq!(adequacy(&requirements, &only(&ordered.groups[..ordered.enough], &associations), k).reached(), all.reached());
        prop_assert_eq!(ordered.degree, all.degree());
        // Every group of a source input that satisfies something.
        let useful = |source: &usize| !requirements.satisfied[*source].is_clear();
        let count: usize = (0..associations.sources()).filter(useful).map(|s| associations.of_source(s).count()).sum();
        prop_assert_eq!(ordered.groups.len(), count);
        let short = order(&requirements, &associations, k, 2);
        prop_assert_eq!(&short.groups[..], &ordered.groups[..count.min(2)]);
    }

    #[test]
    fn random_suites_lie_in_their_interval((requirements, associations) in tested(), k in 1usize..5, seed: u64) {
        if let Some(suite) = random_suite(&requirements, &associations, k, (0.3, 0.6), seed) {
            let degree = adequacy(&requirements, &only(&suite.groups, &associations), k).degree();
            prop_assert_eq!(degree, suite.degree);
            prop_assert!(degree > 0.3 && degree <= 0.6);
            prop_assert_eq!(random_suite(&requirements, &associations, k, (0.3, 0.6), seed), Some(suite));
        }
    }
}
