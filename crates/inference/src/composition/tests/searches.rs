//! Searches over the eight basic relations of Table 1.

use std::collections::BTreeSet;

use super::world::{COSINE, OnNumbers, SINE, basics, functions};
use crate::composition::{
    Composed, Composer, Counts, Evaluator, Incomposable, SearchError, SearchKind, SearchResult, Sequence,
    Settings, search,
};

fn run(text: &str, settings: &Settings) -> SearchResult {
    let functions = functions();
    let composer = Composer::new(basics(text, &functions), basics(COSINE, &functions), &functions);
    let mut evaluator = OnNumbers { evaluated: 0 };
    let found = search(&composer, settings, &mut evaluator).expect("an evaluator that never fails");
    assert_eq!(
        evaluator.evaluated,
        found.tried - found.refused.values().sum::<usize>(),
        "each sequence once"
    );
    found
}

fn sequences(found: &SearchResult) -> BTreeSet<&Sequence> {
    found.accepted.iter().map(|a| &a.composite.sequence).collect()
}

#[test]
fn the_genetic_algorithm_finds_what_there_is_to_find() {
    for layers in [2, 3] {
        let all = run(SINE, &Settings { layers, search: SearchKind::Enumerate, ..Settings::default() });
        let evolved = run(SINE, &Settings { layers, search: SearchKind::Genetic, ..Settings::default() });
        assert_eq!((all.tried, all.accepted.len()), (8usize.pow(layers as u32), 8usize.pow(layers as u32)));
        assert!(sequences(&evolved).is_subset(&sequences(&all)));
        assert!(evolved.accepted.len() * 100 >= all.accepted.len() * 95, "{}", evolved.accepted.len());
        // Each of the 100 repeats returns one sequence, some of them the same one.
        let best = evolved.accepted.iter().filter(|a| a.is_best).count();
        assert!((30..=100).contains(&best), "{best}");
    }
}

/// Two true relations and six false ones.
const MOSTLY_FALSE: &str = "
relation m1: sin(-x) == -sin(x)
relation m2: sin(x + 2*pi) ~= sin(x) within 1e-9
relation f1: sin(x + 1) ~= sin(x)
relation f2: sin(x + 2) ~= -sin(x)
relation f3: sin(x / 2) ~= sin(x) / 2
relation f4: sin(3*x) ~= 3*sin(x)
relation f5: sin(x + pi) ~= sin(x)
relation f6: sin(x - 1) ~= sin(x) - 1
";

#[test]
fn selection_leads_to_sequences_that_hold() {
    let settings = |search| Settings { layers: 4, repeats: 5, search, ..Settings::default() };
    let all = run(MOSTLY_FALSE, &settings(SearchKind::Enumerate));
    assert!(all.accepted.len() >= 16 && all.accepted.len() < 400, "{}", all.accepted.len());
    assert_eq!(all.rejected + all.accepted.len(), 4096);
    let evolved = run(MOSTLY_FALSE, &settings(SearchKind::Genetic));
    let best = evolved.accepted.iter().filter(|a| a.is_best).count();
    assert!(best >= 1 && sequences(&evolved).is_subset(&sequences(&all)));
    // A search without selection would find as many of all as it tries of all.
    assert!(evolved.accepted.len() * 4096 > all.accepted.len() * evolved.tried, "{}", evolved.accepted.len());
}

#[test]
fn annealing_finds_less_than_the_genetic_algorithm() {
    // Figure 4. One repeat tries 207 sequences, a repeat of the genetic algorithm up to 2,000.
    let settings = |search| Settings { layers: 3, repeats: 2, search, ..Settings::default() };
    let annealed = run(SINE, &settings(SearchKind::Anneal));
    let evolved = run(SINE, &settings(SearchKind::Genetic));
    assert!(!annealed.accepted.is_empty() && annealed.accepted.len() < evolved.accepted.len());
    assert!(annealed.tried <= 2 * 209);
}

#[test]
fn one_seed_gives_one_result() {
    for search in [SearchKind::Genetic, SearchKind::Anneal] {
        let with = |seed| {
            run(
                SINE,
                &Settings { layers: 4, repeats: 1, generations: 5, search, seed, ..Settings::default() },
            )
        };
        assert_eq!(with(3), with(3));
        assert_ne!(sequences(&with(3)), sequences(&with(4)));
    }
}

#[test]
fn follow_ups_that_leave_the_condition_of_the_next_are_counted() {
    let text = "
relation up: when x >= 0: length(x + 1) ~= length(x) + 1
relation down: when x <= -1: length(x - 1) ~= length(x) + 1
";
    let found = run(text, &Settings::default());
    // On inputs in [0, 20] nothing is eligible for `down`, nor behind `up` or before it.
    assert_eq!((found.tried, found.accepted.len(), found.rarely_eligible), (4, 1, 3));
    assert_eq!(found.accepted[0].composite.sequence, Sequence::new(&[0, 0]));
}

#[test]
fn relations_of_functions_that_never_meet_are_counted() {
    let text = "relation a: sin(-x) == -sin(x)\nrelation b: gcd(q, p) == gcd(p, q)\nrelation c: length(-x) == length(x)";
    let found = run(text, &Settings { least_eligible: 0, ..Settings::default() });
    assert_eq!(found.refused[&Incomposable::DifferentInputs], 4);
    assert_eq!(found.refused[&Incomposable::NeverMeet], 2);
    assert_eq!(found.tried, 9);
}

#[test]
fn too_few_relations_or_layers_are_an_error() {
    let functions = functions();
    let one = Composer::new(basics("relation a: sin(-x) == -sin(x)", &functions), Vec::new(), &functions);
    let mut evaluator = OnNumbers { evaluated: 0 };
    for composer in [&one, &Composer::new(Vec::new(), Vec::new(), &functions)] {
        let result = search(composer, &Settings::default(), &mut evaluator);
        assert!(matches!(result, Err(SearchError::Settings(_))));
    }
    let eight = Composer::new(basics(SINE, &functions), Vec::new(), &functions);
    for layers in [0, 1, 20] {
        let result = search(&eight, &Settings { layers, ..Settings::default() }, &mut evaluator);
        assert!(matches!(result, Err(SearchError::Settings(_))));
    }
}

/// Answers for the first relations only, or ends the search.
struct Short {
    answers: usize,
    left: usize,
}

impl Evaluator for Short {
    type Error = std::convert::Infallible;

    fn evaluate(&mut self, _: &[Composed]) -> Result<Vec<Counts>, Self::Error> {
        Ok(vec![Counts { eligible: 100, holds: 100, failing: 0 }; self.answers])
    }

    fn is_over(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }
}

#[test]
fn an_evaluator_that_answers_too_little_is_an_error_and_one_that_ends_is_none() {
    let functions = functions();
    let composer = Composer::new(basics(SINE, &functions), Vec::new(), &functions);
    let short = search(&composer, &Settings::default(), &mut Short { answers: 3, left: 10 });
    assert!(matches!(short, Err(SearchError::Answers { asked: 64, answered: 3 })));
    let four = Settings { layers: 4, ..Settings::default() };
    let ended = search(&composer, &four, &mut Short { answers: 64, left: 3 }).expect("two parts of many");
    assert!(!ended.is_complete);
    assert_eq!((ended.tried, ended.accepted.len()), (128, 128));
}

/// Answers at once, and ends the search when it is asked for the hundredth time.
struct Hundred {
    asked: usize,
}

impl Evaluator for Hundred {
    type Error = std::convert::Infallible;

    fn evaluate(&mut self, relations: &[Composed]) -> Result<Vec<Counts>, Self::Error> {
        Ok(vec![Counts { eligible: 100, holds: 100, failing: 0 }; relations.len()])
    }

    fn is_over(&mut self) -> bool {
        self.asked += 1;
        self.asked >= 100
    }
}

#[test]
fn a_search_that_has_tried_everything_can_still_be_ended() {
    let functions = functions();
    let composer = Composer::new(basics(SINE, &functions), Vec::new(), &functions);
    for search_kind in [SearchKind::Genetic, SearchKind::Anneal] {
        // Far more steps than there are sequences, which are known after some of them.
        let endless =
            Settings { search: search_kind, repeats: 1_000_000, cooling: 0.9999, ..Settings::default() };
        let mut evaluator = Hundred { asked: 0 };
        let found = search(&composer, &endless, &mut evaluator).expect("an evaluator that never fails");
        assert!(!found.is_complete && evaluator.asked == 100, "{search_kind:?}: asked {}", evaluator.asked);
    }
}

#[test]
fn hotter_annealing_takes_more_steps_down() {
    // From a sequence that holds, a hot search wanders through ones that do not; a cold one stays among those that do.
    let with = |hottest| {
        let settings =
            Settings { layers: 4, repeats: 20, search: SearchKind::Anneal, hottest, ..Settings::default() };
        run(MOSTLY_FALSE, &Settings { coldest: hottest / 40_000.0, ..settings })
    };
    let (hot, cold) = (with(1e6), with(1e-3));
    let share = |found: &SearchResult| found.accepted.len() as f64 / found.tried as f64;
    assert!(share(&cold) > share(&hot), "{} {}", share(&cold), share(&hot));
}
