//! Finds equivalent and duplicate mutants after the strong tests were run, and compiles fewer mutants for it.
//!
//! Mutants with the same machine code behave the same on every test. So a mutant that is killed in a way in which no other one is killed
//! is neither equivalent nor a duplicate, and does not have to be compiled to know this. Compiling takes most of the time where tests are
//! quick. This is done where compiling the mutants takes longer than running them.

use std::collections::HashMap;
use std::sync::Arc;

use dodona_mutants::{Equivalence, Mutant};
use dodona_records::{KillKind, Mode, MutantId};
use dodona_target::{Outcome, Trap};
use dodona_wasm::execute::Runner;
use dodona_workbench::{LabError, pool::Ended};

use crate::analysis::{Analysis, MOST_INSTRUCTIONS, Part, part_length};
use crate::result::{Kills, MutantResult, Started};
use crate::run::{Tests, Version};
use crate::set::{ComparedMutants, MutantSet};
use crate::strong::Test;
use crate::{KeepMatrix, MutateProgress};

/// How many units of fuel of one run of all tests are as expensive as what is gained for one instruction that is to be compiled. Compiling an
/// instruction takes about a thousand times as long as executing one, and a tenth to a quarter of the mutants of the shipped subjects need not be compiled.
/// What is lost is that the observing run notes equivalent and duplicate mutants too. `elementary` takes 0.86 of the time this way, `parking` 0.7, `math` 0.99.
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
    let of_calls = analysis.baselines.iter().flat_map(|baseline| baseline.costs.iter().flatten());
    let fuel = of_calls.fold(0_u64, |sum, used| sum.saturating_add(*used));
    instructions.saturating_mul(FUEL_OF_COMPILING) > fuel
}

/// The mutants of each module.
fn parts<'m, 's>(set: &MutantSet<'_>, mutants: &'m [&'s Mutant]) -> Vec<&'m [&'s Mutant]> {
    let mut parts = Vec::new();
    let mut rest = mutants;
    while !rest.is_empty() {
        let part;
        (part, rest) = rest.split_at(part_length(&set.all, rest, MOST_INSTRUCTIONS));
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
        match analysis.prepare(set, part)? {
            Some(part) => prepared.push(Arc::new(part)),
            None => return Ok(none_run(mutants)),
        }
    }
    let strong = Arc::new(analysis.strong(&prepared));
    let started = start_all(analysis, &prepared, &strong)?;
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
    let results = finish_all(analysis, (&prepared, &strong), started, &is_distinct)?;
    Ok(Late { compared: ComparedMutants { mutants, found }, results, in_vain })
}

/// Runs all mutants on the strong tests.
fn start_all(
    analysis: &mut Analysis<'_>,
    modules: &[Arc<Part>],
    strong: &Arc<Vec<Test>>,
) -> Result<Vec<Option<Started>>, LabError> {
    let start = |tests: &Tests<'_>, version: &Version<'_>, _: usize, runner: &mut Runner| {
        tests.start_telling(version, runner)
    };
    let mut started = Vec::new();
    for part in modules {
        let every = (0..part.len()).collect();
        started.extend(each(analysis.run_part(part, strong, every, start, &mut |_, _| {})?));
    }
    Ok(started)
}

/// Runs the distinct mutants on the tests that are left.
fn finish_all(
    analysis: &mut Analysis<'_>,
    (modules, strong): (&[Arc<Part>], &Arc<Vec<Test>>),
    started: Vec<Option<Started>>,
    is_distinct: &[bool],
) -> Result<Vec<Option<MutantResult>>, LabError> {
    analysis.done.planned = is_distinct.iter().filter(|distinct| **distinct).count() as u64;
    let mut seen = |progress: &mut MutateProgress, result: &MutantResult| {
        progress.done += 1;
        progress.alive += u64::from(result.is_alive());
    };
    let started = Arc::new(started);
    let mut results = Vec::new();
    let mut first = 0;
    for part in modules {
        let places = (0..part.len()).filter(|place| is_distinct[first + place]).collect();
        let started = Arc::clone(&started);
        let finish =
            move |tests: &Tests<'_>, version: &Version<'_>, place: usize, runner: &mut Runner| match started
                [first + place]
                .clone()
            {
                Some(started) => tests.finish(version, started, runner),
                None => tests.run(version, runner),
            };
        results.extend(each(analysis.run_part(part, strong, places, finish, &mut seen)?));
        first += part.len();
    }
    Ok(results)
}

/// Nothing was run before an interruption.
fn none_run(mutants: Vec<&Mutant>) -> Late<'_> {
    let results = vec![None; mutants.len()];
    Late { compared: ComparedMutants::taken_as_distinct(mutants), results, in_vain: 0 }
}

fn each<T>(ended: Ended<T>) -> Vec<Option<T>> {
    match ended {
        Ended::Done(all) => all.into_iter().map(Some).collect(),
        Ended::Interrupted(some) => some,
    }
}

/// The mutants that may have the code of the original or of another one, as far as the strong tests show, in their order.
fn unclear<'s>(mutants: &[&'s Mutant], started: &[Option<Started>]) -> Vec<&'s Mutant> {
    let seen: Vec<Option<String>> = started.iter().map(|started| started.as_ref().map(behaviour)).collect();
    let mut alike: HashMap<&str, usize> = HashMap::new();
    seen.iter().flatten().for_each(|behaviour| *alike.entry(behaviour).or_default() += 1);
    // Where a mutant runs out of fuel, one with the same machine code nearly does.
    let is_near_limit = started.iter().flatten().any(|started| started.result.is_near_limit);
    let is_unclear = |(started, seen): (&Option<Started>, &Option<String>)| match (started, seen) {
        (Some(started), Some(behaviour)) => {
            alike[behaviour.as_str()] > 1 || started.result.is_alive() || is_inexact(started, is_near_limit)
        }
        _ => true,
    };
    let unclear = mutants.iter().zip(started.iter().zip(&seen)).filter(|(_, of)| is_unclear(*of));
    unclear.map(|(mutant, _)| *mutant).collect()
}

/// Whether a mutant with the same machine code may seem to do something else: fuel is counted in instructions of WebAssembly, which may differ
/// between the two, and the call stack is that of the copy that is run.
fn is_inexact(Started { result, signature, .. }: &Started, is_some_near_limit: bool) -> bool {
    let is_kill_inexact = |kills: &Kills| {
        let overflows = |(outcome, _): &(Outcome, _)| *outcome == Outcome::Trapped(Trap::StackOverflow);
        kills.found.as_ref().is_some_and(overflows) || is_some_near_limit && kills.how == KillKind::OutOfFuel
    };
    let is_signature_inexact = signature.overflows || is_some_near_limit && signature.runs_out_of_fuel;
    result.is_near_limit || is_signature_inexact || result.kills.iter().flatten().any(is_kill_inexact)
}

/// What a mutant does, in words that are the same for mutants of the same machine code: the first strong test of each section
/// that kills it with what it returns there, and its signature on the other strong inputs.
fn behaviour(started: &Started) -> String {
    let kill = |kills: &Kills| format!("{:?} {:?} {:?}", kills.first, kills.how, kills.found);
    let kills = started.result.kills.iter();
    let kills: String = kills.map(|kills| kills.as_ref().map_or_else(String::new, kill) + "\n").collect();
    format!("{kills}{}", started.signature.hash)
}
