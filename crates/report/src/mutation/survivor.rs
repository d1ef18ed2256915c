//! Why a mutant is alive, in words.

use dodona_records::{Against, Fate, MutantRecord, MutationRecord, Revealed, Symbolic, Tally};

use crate::text::{arguments, counted, grouped, short};

/// How far the mutant came and what did not notice it: `infected by 12 of 1,000 inputs, e.g. a = 0; no output differs`.
pub(super) fn why_alive(record: &MutationRecord, mutant: &MutantRecord) -> String {
    if let Some(revealed) = &mutant.revealed_by {
        return revealed_only(record, revealed);
    }
    if let Some(Symbolic::Differs { input, expected, found, .. }) = &mutant.symbolic {
        let (found, expected) = (short(found), short(expected));
        return format!("no test reveals it, but {} gives {found}, not {expected}", arguments(input));
    }
    format!("{}{}", how_far(record, mutant), proof(mutant))
}

/// `every group was skipped: trapped: unreachable`.
pub(super) fn why_untested(verdicts: &Tally) -> String {
    let counts = [
        (verdicts.out_of_domain, "has an input outside of a domain"),
        (verdicts.condition_false, "has a condition that is false"),
        (verdicts.condition_undefined, "has a condition that is undefined"),
    ];
    let all = verdicts.ineligible();
    let share = |n: u64| {
        if n == all {
            "every group".to_owned()
        } else {
            format!("{} of {}", grouped(n), counted(all, "group"))
        }
    };
    let skipped = verdicts
        .skipped
        .iter()
        .map(|(outcome, n)| format!("the source call of {} ended so: {outcome}", share(*n)));
    let others = counts.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{} {why}", share(*n)));
    skipped.chain(others).collect::<Vec<_>>().join(", ")
}

/// What symbolic execution says of one that it could not tell from the original.
fn proof(mutant: &MutantRecord) -> String {
    match &mutant.symbolic {
        Some(Symbolic::EquivalentWithin { longest }) => {
            format!("; the same on every path of inputs up to {longest} long")
        }
        Some(Symbolic::Open { why }) => format!("; not proved equivalent: {}", why.join(", ")),
        Some(Symbolic::Differs { .. }) | None => String::new(),
    }
}

fn how_far(record: &MutationRecord, mutant: &MutantRecord) -> String {
    let unnoticed = match record.against {
        Against::Relations => "no relation kills it",
        Against::Inputs | Against::Both => "no outcome differs",
    };
    match mutant.fate {
        Fate::Unobserved => unnoticed.to_owned(),
        Fate::Unreached => "never reached".to_owned(),
        Fate::Reached => format!("reached{}; the state never differs", by(record, mutant.reached)),
        Fate::Infected | Fate::Killed => {
            let example =
                mutant.survivor.iter().map(|s| format!(", e.g. {}", arguments(s))).collect::<String>();
            format!("infected{}{example}; {unnoticed}", by(record, mutant.infected))
        }
    }
}

/// Who brought the fault so far: so many inputs of the suite, or, where there are none, the groups of relations.
fn by(record: &MutationRecord, inputs: u64) -> String {
    match inputs {
        0 if record.inputs == 0 => String::new(),
        0 => " by metamorphic groups only".to_owned(),
        _ => format!(" by {}", of_all(record, inputs)),
    }
}

/// The suite knows better than the relations do: this is what another relation could find.
fn revealed_only(record: &MutationRecord, revealed: &Revealed) -> String {
    let Revealed { inputs, first, expected, found, .. } = revealed;
    let how_many = match inputs {
        1 => "an input reveals it".to_owned(),
        _ => format!("{} reveal it", of_all(record, *inputs)),
    };
    let (found, expected) = (short(found), short(expected));
    format!("{how_many}, no relation does: {} gives {found}, not {expected}", arguments(first))
}

fn of_all(record: &MutationRecord, part: u64) -> String {
    format!("{} of {}", grouped(part), counted(record.inputs, "input"))
}
