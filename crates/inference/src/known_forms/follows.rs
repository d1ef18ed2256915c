//! Which known forms follow from others that hold.

use std::collections::HashSet;

use super::form::{AGREES, EXCHANGED, STEPS};
use super::guess::{KnownForm, Place};

/// Leaves out what follows from others that hold.
pub fn without_what_follows(held: &mut Vec<KnownForm>) {
    let known: HashSet<(&'static str, Vec<Place>)> =
        held.iter().map(|one| (one.form.name, one.about.clone())).collect();
    // What is said completely: of one function, its parameters.
    let complete: Vec<Place> = held
        .iter()
        .filter(|one| one.form.is_complete)
        .filter_map(|one| match one.about.as_slice() {
            [place] => Some(place.clone()),
            _ => None,
        })
        .collect();
    held.retain(|one| !follows(one, &known) && (one.form.is_complete || !is_settled(one, &complete)));
}

/// Whether all that a relation is about is said by complete ones.
fn is_settled(one: &KnownForm, complete: &[Place]) -> bool {
    one.about.iter().any(|place| {
        complete.iter().any(|whole| {
            whole.function == place.function
                && whole.output == place.output
                && (place.parameters.is_empty()
                    || place.parameters.iter().any(|p| whole.parameters.contains(p)))
        })
    })
}

/// Whether a relation follows from others that hold.
fn follows(one: &KnownForm, known: &HashSet<(&'static str, Vec<Place>)>) -> bool {
    let holds = |name: &'static str, about: &[Place]| known.contains(&(name, about.to_vec()));
    if let Some((size, _)) = STEPS.iter().find(|(_, form)| form.name == one.form.name)
        && STEPS.iter().any(|(less, form)| less < size && size % less == 0 && holds(form.name, &one.about))
    {
        return true;
    }
    if one.form.follows_from.iter().any(|&name| holds(name, &one.about)) {
        return true;
    }
    // What is said of two functions that agree is said of one.
    if let [first, second] = one.about.as_slice() {
        let of_one = |place: &Place| Place { parameters: vec![0], ..place.clone() };
        let (first, second) = (of_one(first), of_one(second));
        let agree = [[first.clone(), second.clone()], [second, first]].iter().any(|both| holds(AGREES, both));
        if agree && one.form.name != AGREES {
            return true;
        }
    }
    // The same of two parameters that may be exchanged, in the other order.
    let [place] = one.about.as_slice() else { return false };
    let [first, second] = place.parameters[..] else { return false };
    let exchanged = [Place { parameters: vec![second, first], ..place.clone() }];
    first > second && holds(EXCHANGED, &exchanged) && holds(one.form.name, &exchanged)
}
