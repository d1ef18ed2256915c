//! Compares the code of mutants after the strong tests were run. Mutants with the same machine code behave the same on every test. So a
//! mutant that behaves on the strong tests as no other one has a code of its own, and a mutant that a test kills has not the code of the
//! original: neither has to be compiled to know this. Compiling the mutants takes most of the time of an analysis whose tests are quick.

use std::collections::HashMap;
use std::sync::Arc;

use dodona_evidence::{KillKind, Mode, MutantId};
use dodona_execute::Runner;
use dodona_mutants::{Equivalence, Mutant};
use dodona_subject::{Outcome, Trap};
use dodona_workbench::LabError;
use dodona_workbench::pool::Ended;

use crate::mutate::{Analysis, is_alive, part_length};
use crate::run::{Kills, MutantResult, Started, Tests, Version};
use crate::set::{ComparedMutants, MutantSet};
use crate::{KeepMatrix, MutateProgress};

/// How many units of fuel of one run of all tests are as expensive as what is gained for one instruction that is to be compiled. Compiling an
/// instruction takes about a thousand times as long as executing one. About a third of the mutants need not be compiled; a fifth of them are
/// equivalent or duplicates, and the observing run, some eight times as slow as the original, has to note these too.
const FUEL_OF_COMPILING: u64 = 190;

/// The most modules of mutants that are held at once: each has up to some hundred megabytes of code.
const MOST_PARTS: usize = 2;

/// Whether the code of mutants should be compared after the strong tests. The answer depends on instructions and fuel and not on the time, so that it
/// is the same each time.
pub(crate) fn pays(analysis: &Analysis<'_>, set: &MutantSet<'_>, mutants: &[&Mutant]) -> bool {
    let only_first_kills =
        analysis.options.mode == Mode::Classes && analysis.options.keep_matrix == KeepMatrix::No;
    if !only_first_kills || parts(set, mutants).len() > MOST_PARTS {
        return false;
    }
    let changes = mutants.iter().flat_map(|mutant| &mutant.changes);
    let instructions: u64 = changes.map(|change| set.all.function(change).instructions.len() as u64).sum();
    let of_calls = analysis.baselines.iter().flat_map(|baseline| baseline.fuel.iter().flatten());
    let fuel = of_calls.fold(0_u64, |sum, used| sum.saturating_add(*used));
    instructions.saturating_mul(FUEL_OF_COMPILING) > fuel
}

/// The mutants of each module.
fn parts<'m, 's>(set: &MutantSet<'_>, mutants: &'m [&'s Mutant]) -> Vec<&'m [&'s Mutant]> {
    let mut parts = Vec::new();
    let mut rest = mutants;
    while !rest.is_empty() {
        let part;
        (part, rest) = rest.split_at(part_length(&set.all, rest));
        parts.push(part);
    }
    parts
}

/// The result of an analysis.
pub(crate) struct Late<'s> {
    pub(crate) compared: ComparedMutants<'s>,
    /// The results of the distinct mutants.
    pub(crate) results: Vec<Option<MutantResult>>,
    /// The number of tests that equivalent and duplicate mutants were run on.
    pub(crate) in_vain: u64,
}

/// Runs all mutants on the strong tests, compares the code of those that may have the code of others, and runs on the other tests those that have not.
/// `compare` compares mutants.
pub(crate) fn run<'s>(
    analysis: &mut Analysis<'_>,
    set: &'s MutantSet<'_>,
    mutants: Vec<&'s Mutant>,
    compare: impl FnOnce(Vec<&'s Mutant>) -> Result<ComparedMutants<'s>, LabError>,
) -> Result<Late<'s>, LabError> {
    let mut prepared = Vec::new();
    for part in parts(set, &mutants) {
        match analysis.prepare(&set.all, part)? {
            Some(part) => prepared.push(Arc::new(part)),
            None => return Ok(none_run(mutants)),
        }
    }
    let strong = Arc::new(analysis.strong(&prepared));
    let start = |tests: &Tests<'_>, version: &Version<'_>, _: usize, runner: &mut Runner| {
        tests.start(version, runner)
    };
    let mut started: Vec<Option<Started>> = Vec::new();
    for part in &prepared {
        let every = (0..part.len()).collect();
        started.extend(options(analysis.run_part(part, &strong, every, start, &mut |_, _| {})?));
    }
    let unclear = unclear(&mutants, &started);
    let shown: HashMap<MutantId, Equivalence> =
        compare(unclear)?.iter().map(|(mutant, found)| (mutant.id, found)).collect();
    let found: Vec<Equivalence> = mutants
        .iter()
        .map(|mutant| shown.get(&mutant.id).copied().unwrap_or(Equivalence::Distinct))
        .collect();
    let in_vain = started.iter().zip(&found).filter(|(_, found)| **found != Equivalence::Distinct);
    let in_vain = in_vain.filter_map(|(started, _)| Some(started.as_ref()?.result.executed)).sum();
    let is_distinct: Vec<bool> = found.iter().map(|found| *found == Equivalence::Distinct).collect();
    analysis.done.planned = is_distinct.iter().filter(|distinct| **distinct).count() as u64;
    let mut results = Vec::new();
    let mut first = 0;
    let started = Arc::new(started);
    for part in &prepared {
        let places: Vec<usize> = (0..part.len()).filter(|place| is_distinct[first + place]).collect();
        let started = Arc::clone(&started);
        let finish =
            move |tests: &Tests<'_>, version: &Version<'_>, place: usize, runner: &mut Runner| match started
                [first + place]
                .clone()
            {
                Some(started) => tests.finish(version, started, runner),
                None => tests.run(version, runner),
            };
        let mut seen = |progress: &mut MutateProgress, result: &MutantResult| {
            progress.done += 1;
            progress.alive += u64::from(is_alive(result));
        };
        results.extend(options(analysis.run_part(part, &strong, places, finish, &mut seen)?));
        first += part.len();
    }
    Ok(Late { compared: ComparedMutants { mutants, found }, results, in_vain })
}

/// Nothing was run before an interruption.
fn none_run(mutants: Vec<&Mutant>) -> Late<'_> {
    let results = vec![None; mutants.len()];
    Late { compared: ComparedMutants::taken_as_distinct(mutants), results, in_vain: 0 }
}

fn options<T>(ended: Ended<T>) -> Vec<Option<T>> {
    match ended {
        Ended::Done(all) => all.into_iter().map(Some).collect(),
        Ended::Interrupted(some) => some,
    }
}

/// The mutants that may have the code of the original or of another one, as far as the strong tests show, in their order.
fn unclear<'s>(mutants: &[&'s Mutant], started: &[Option<Started>]) -> Vec<&'s Mutant> {
    let seen: Vec<Option<String>> =
        started.iter().map(|s| s.as_ref().map(|s| behaviour(&s.result))).collect();
    let mut alike: HashMap<&str, usize> = HashMap::new();
    seen.iter().flatten().for_each(|behaviour| *alike.entry(behaviour).or_default() += 1);
    let is_unclear = |(started, seen): (&Option<Started>, &Option<String>)| match (started, seen) {
        (Some(Started { result, .. }), Some(behaviour)) => {
            alike[behaviour.as_str()] > 1 || is_alive(result) || is_inexact(result)
        }
        _ => true,
    };
    let unclear = mutants.iter().zip(started.iter().zip(&seen)).filter(|(_, of)| is_unclear(*of));
    unclear.map(|(mutant, _)| *mutant).collect()
}

/// Whether a mutant with the same machine code may seem to do something else: fuel is counted in instructions of WebAssembly, which may differ
/// between the two, and the call stack is that of the copy that is run.
fn is_inexact(result: &MutantResult) -> bool {
    let overflows = |kills: &Kills| {
        kills.found.as_ref().is_some_and(|(outcome, _)| *outcome == Outcome::Trapped(Trap::StackOverflow))
    };
    result.is_near_limit
        || result.kills.iter().flatten().any(|kills| kills.how == KillKind::OutOfFuel || overflows(kills))
}

/// What a mutant does, in words that are the same for mutants of the same machine code: the first strong test of each section that kills it, and what it
/// returns there.
fn behaviour(result: &MutantResult) -> String {
    let kill = |kills: &Kills| format!("{:?} {:?} {:?}", kills.first, kills.how, kills.found);
    result.kills.iter().map(|kills| kills.as_ref().map_or_else(String::new, kill) + "\n").collect()
}
