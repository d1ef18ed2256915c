//! Which relations are proposed: few, each of which catches mutants that no other does, or says what a name promises.

use std::collections::{BTreeMap, BTreeSet};

use dodona_records::MutantId;

use super::candidate::{Candidate, Origin};

/// Chooses from relations that hold. `accepted` are the mutants that the subject's own relations catch, with the functions that these call. Of each
/// function at most `most` are chosen besides those that names promise. The best come first.
pub(super) fn choose(
    candidates: Vec<Candidate>,
    (accepted, has_own): (&BTreeSet<MutantId>, &BTreeSet<usize>),
    most: usize,
) -> Vec<Candidate> {
    let (mut chosen, others): (Vec<Candidate>, Vec<Candidate>) =
        candidates.into_iter().partition(|candidate| candidate.origin == Origin::Name);
    let (mut rest, mut unmeasured): (Vec<Candidate>, Vec<Candidate>) =
        others.into_iter().partition(|candidate| candidate.kills.is_some());
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut caught: BTreeSet<MutantId> = accepted.clone();
    chosen.iter().filter_map(|one| one.kills.as_ref()).for_each(|kills| caught.extend(kills));
    let mut spare = rest.clone();
    while let Some(place) = best(&rest, &caught, &counts, most) {
        let candidate = rest.remove(place);
        *counts.entry(candidate.function()).or_default() += 1;
        caught.extend(candidate.kills.iter().flatten());
        chosen.push(candidate);
    }
    prune(&mut chosen, accepted);
    first_of_each(&mut chosen, &mut spare, has_own);
    // Where nothing is known of mutants, what people ask first is proposed, and what textbooks have.
    unmeasured.sort_by_key(Candidate::rank);
    for candidate in unmeasured {
        let count = counts.entry(candidate.function()).or_default();
        if candidate.origin <= Origin::Law && !candidate.is_example && *count < most {
            *count += 1;
            chosen.push(candidate);
        }
    }
    let caught = |one: &Candidate| one.kills.as_ref().map_or(0, BTreeSet::len);
    chosen.sort_by_key(|one| {
        (one.function(), one.origin != Origin::Name, usize::MAX - caught(one), one.rank())
    });
    chosen
}

/// Adds the most telling relation of each function that none was chosen of, if it catches anything: functions that share code catch the same, and each is to have a
/// relation of its own.
fn first_of_each(chosen: &mut Vec<Candidate>, spare: &mut [Candidate], has_own: &BTreeSet<usize>) {
    spare.sort_by_key(|one| (one.is_example, one.rank()));
    for candidate in spare.iter() {
        let is_telling = candidate.origin <= Origin::Law && gain(candidate, &BTreeSet::new()) > 0;
        let mut functions = candidate.functions.iter();
        let is_new = functions.any(|function| {
            !has_own.contains(function) && chosen.iter().all(|one| !one.functions.contains(function))
        });
        if is_telling && is_new {
            chosen.push(candidate.clone());
        }
    }
}

/// The relation that gains most for what it costs to read, if any gains enough.
fn best(
    rest: &[Candidate],
    caught: &BTreeSet<MutantId>,
    counts: &BTreeMap<usize, usize>,
    most: usize,
) -> Option<usize> {
    let worth = |(place, candidate): (usize, &Candidate)| {
        let gain = gain(candidate, caught);
        let has_room = counts.get(&candidate.function()).is_none_or(|count| *count < most);
        (has_room && gain >= least_gain(candidate)).then(|| (gain as f64 / cost(candidate), place))
    };
    let worths = rest.iter().enumerate().filter_map(worth);
    // Of equal ones the first.
    worths.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, place)| place)
}

fn gain(candidate: &Candidate, caught: &BTreeSet<MutantId>) -> usize {
    candidate.kills.iter().flatten().filter(|mutant| !caught.contains(mutant)).count()
}

/// How many mutants a relation has to add.
fn least_gain(candidate: &Candidate) -> usize {
    match candidate.origin {
        Origin::Name | Origin::Shape | Origin::Law => 1,
        Origin::Other => candidate.price.max(2),
        Origin::Search => candidate.price.max(3),
    }
}

/// What a relation costs to read and to believe.
fn cost(candidate: &Candidate) -> f64 {
    let kind = match candidate.origin {
        Origin::Name | Origin::Shape => 0.7,
        Origin::Law => 1.2,
        Origin::Other => 2.0,
        Origin::Search => 3.0,
    };
    // An example says nothing of any other input.
    let example = if candidate.is_example { 2.0 } else { 1.0 };
    example * kind * (1.0 + candidate.length() as f64 / 80.0)
}

/// Takes out what others that were chosen later make superfluous, the dearest first.
fn prune(chosen: &mut Vec<Candidate>, accepted: &BTreeSet<MutantId>) {
    loop {
        let others = |place: usize| -> BTreeSet<MutantId> {
            let others = chosen.iter().enumerate().filter(|(other, _)| *other != place);
            others.filter_map(|(_, one)| one.kills.as_ref()).flatten().chain(accepted).copied().collect()
        };
        let is_superfluous = |place: &usize| {
            chosen[*place].origin != Origin::Name && gain(&chosen[*place], &others(*place)) == 0
        };
        let superfluous = (0..chosen.len()).filter(is_superfluous);
        let Some(place) = superfluous.max_by(|a, b| cost(&chosen[*a]).total_cmp(&cost(&chosen[*b]))) else {
            return;
        };
        chosen.remove(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A relation of one function that kills these mutants.
    fn candidate(text: &str, origin: Origin, function: usize, kills: &[u32]) -> Candidate {
        let relation = dodona_relations::parse(text).expect("a relation").relations.remove(0);
        let kills = Some(kills.iter().map(|&id| MutantId(id)).collect());
        let (functions, is_example, held, ineligible, price) = (vec![function], false, 100, 0, 0);
        Candidate { relation, origin, price, functions, is_example, held, ineligible, kills }
    }

    fn names(chosen: &[Candidate]) -> Vec<&str> {
        chosen.iter().map(Candidate::name).collect()
    }

    #[test]
    fn a_relation_has_to_add_a_mutant_or_be_the_first_of_its_function() {
        let all = || {
            vec![
                candidate("relation wide: f(x) == f(-x)", Origin::Shape, 0, &[1, 2, 3]),
                candidate("relation narrow: f(x) >= 0", Origin::Law, 0, &[2, 3]),
                candidate("relation of_g: g(x) == g(-x)", Origin::Shape, 1, &[1, 2]),
                candidate("relation silent: h(x) == h(-x)", Origin::Shape, 2, &[]),
            ]
        };
        let chosen = choose(all(), (&BTreeSet::new(), &BTreeSet::new()), 4);
        assert_eq!((names(&chosen), all().len() - chosen.len()), (vec!["wide", "of_g"], 2));
        // What the subject's own relations catch, of functions that have one, is nothing new.
        let caught = [1, 2, 3].map(MutantId).into();
        let chosen = choose(all(), (&caught, &[0, 1].into()), 4);
        assert_eq!((names(&chosen), all().len() - chosen.len()), (vec![], 4));
    }

    #[test]
    fn what_names_promise_is_proposed_whatever_it_catches() {
        let promise = candidate("relation back: g(f(x)) == x", Origin::Name, 0, &[]);
        let chosen = choose(vec![promise], (&BTreeSet::new(), &BTreeSet::new()), 0);
        assert_eq!(names(&chosen), ["back"]);
    }
}
