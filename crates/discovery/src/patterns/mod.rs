//! Finds relations of known forms ([`dodona_inference::patterns`]), before the search over expressions. Recorded executions show which
//! patterns hold, mutants show which of these detect faults, and fresh inputs show which of these are true.

mod fresh_inputs;
mod fresh_test;
mod inputs;
mod mutants;
mod pattern_candidates;
mod pattern_choice;
mod pattern_tuning;
mod run;

use dodona_inference::discovery::outputs;
use dodona_inference::patterns::{Described, Vocabulary};
use dodona_mutation::Mutant;
use dodona_records::MutantId;
use dodona_relations::ast::Expression;
use dodona_sources::Seed;
use dodona_target::{CallError, Column, Kind, Outcome, Signature, Type, Until, splitmix64};
use dodona_workbench::{LabError, MadeInputs};

use crate::DiscoverOptions;
use crate::collect::Budget;
use crate::sources::SourceInputs;
use crate::target::DiscoveryTarget;
use crate::tuning::{FORMS_SHARE, LEAST_FORMS_SHARE, LEAST_PATTERN_MUTANTS_SHARE, PATTERN_MUTANTS_SHARE};
use crate::watch::Watch;
use fresh_inputs::FreshInputs;
use inputs::{InputMaker, PatternInputs, returned};
use pattern_candidates::Recorded;
use pattern_choice::Choice;
pub(super) use pattern_choice::{FoundPattern, TestedOn};
use pattern_tuning::{DRAWN, FRESH_TIMES, QUICK_SHARE};

/// Patterns of a function that hold. Together they kill nearly all of the mutants that any pattern kills.
///
/// # Errors
/// When the host fails.
pub(super) fn patterns(
    target: &DiscoveryTarget<'_>,
    sources: &SourceInputs,
    options: &DiscoverOptions,
    searched: &[MutantId],
    budget: &Budget,
    watch: &Watch<'_>,
) -> Result<Vec<FoundPattern>, LabError> {
    let function = &target.workbench.functions()[target.function];
    let Some((output, written)) = output(function) else { return Ok(Vec::new()) };
    let (_, sample) = returned(&sources.calls, output);
    let vocabulary = Vocabulary::new(function, &target.constants, &sample);
    let faults = searched.len() + options.versions.len();
    let Some(size) = budget.patterns(vocabulary.changes.len(), faults) else { return Ok(Vec::new()) };
    // Without time for mutants no pattern can be chosen, and the search needs what is left.
    let mutants_until = watch.until_or_for(PATTERN_MUTANTS_SHARE, LEAST_PATTERN_MUTANTS_SHARE);
    let until = &watch.until_or_for(FORMS_SHARE, LEAST_PATTERN_MUTANTS_SHARE + LEAST_FORMS_SHARE);
    if vocabulary.changes.is_empty() || faults == 0 || is_late(watch, &mutants_until) {
        return Ok(Vec::new());
    }
    let maker = InputMaker::new(function, sources, output, &vocabulary);
    let seed = Seed(splitmix64(options.seed.0 ^ 0x7061_7474_6572_6e73));
    let inputs = run(target, output, maker.make(size.inputs, seed)?)?;
    let recorded = Recorded {
        function,
        output,
        vocabulary: &vocabulary,
        inputs: &inputs.inputs,
        outputs: &inputs.outputs,
    };
    let held = recorded.held(target, options.jobs.get(), watch, &mutants_until)?;
    if is_late(watch, &mutants_until) {
        return Ok(Vec::new());
    }
    let mutants = mutants_of(target, searched);
    let how = target.mutate_options(options);
    let revealed =
        mutants::revealed(target, &recorded, &held, &mutants, (size.of_mutant, &how), &mutants_until)?;
    let fresh = run(target, output, maker.make(size.inputs * FRESH_TIMES, Seed(seed.0 ^ 1))?)?;
    let described = Described { function, output: &written, kind: kind(function, output) };
    let size = budget.fresh(options.fresh);
    let choice = Choice { target, options, until, recorded: &recorded, held: &held, described, fresh: size };
    let drawn = run(target, output, maker.draw(DRAWN, Seed(seed.0 ^ 2))?)?;
    let found = choice.choose(&revealed, fresh, &drawn)?;
    is_late(watch, until);
    Ok(found)
}

/// Whether a step is over. Unless the user interrupted it, the clock decided that.
fn is_late(watch: &Watch<'_>, until: &Until) -> bool {
    let is_late = !until.goes_on();
    if is_late && !watch.is_interrupted() {
        watch.clock_decided();
    }
    is_late
}

/// At most `count` inputs for a function: its source inputs that are not random, and source inputs that are edited, mostly to constants of the code. Inputs whose calls take
/// longer than those of most random inputs are left out. `None` if the function has no output that patterns are about, or if there is no such input.
///
/// # Errors
/// When the host fails.
pub(super) fn near_inputs(
    target: &DiscoveryTarget<'_>,
    sources: &SourceInputs,
    count: u64,
    seed: Seed,
) -> Result<Option<MadeInputs>, LabError> {
    let function = &target.workbench.functions()[target.function];
    let Some((output, _)) = output(function) else { return Ok(None) };
    let (_, sample) = returned(&sources.calls, output);
    let vocabulary = Vocabulary::new(function, &target.constants, &sample);
    let columns = InputMaker::new(function, sources, output, &vocabulary)
        .near(usize::try_from(count).unwrap_or(usize::MAX), seed);
    let columns = quick(target, sources, columns)?;
    let is_any = columns.first().is_some_and(|column| !column.is_empty());
    let technique = "edits".to_owned();
    Ok(is_any.then_some(MadeInputs { function: target.function, technique, columns }))
}

/// The inputs whose calls take no more fuel than those of [`QUICK_SHARE`] of the random source inputs.
fn quick(
    target: &DiscoveryTarget<'_>,
    sources: &SourceInputs,
    inputs: Vec<Column>,
) -> Result<Vec<Column>, LabError> {
    let random = |(row, _): &(usize, &u64)| sources.random.contains(row);
    let mut usual: Vec<u64> = sources.fuel.iter().enumerate().filter(random).map(|(_, &fuel)| fuel).collect();
    usual.sort_unstable();
    let Some(&most) = usual.get((usual.len() as f64 * QUICK_SHARE) as usize) else { return Ok(inputs) };
    let rows = inputs.first().map_or(0, Column::len);
    let calls = target
        .workbench
        .target
        .executable
        .runner()
        .call_within(target.function, &inputs, &vec![most; rows])
        .map_err(|error| LabError::from(CallError::from(error)))?;
    let is_quick = |row: &u32| !matches!(calls.outcomes[*row as usize], Outcome::OutOfFuel);
    let kept: Vec<u32> = (0..rows as u32).filter(is_quick).collect();
    Ok(inputs.iter().map(|column| column.select(&kept)).collect())
}

/// The first output that is a number or a Boolean, by its index, and how relations write it.
fn output(function: &Signature) -> Option<(usize, String)> {
    let place = function.outputs.iter().position(|output| matches!(output.ty, Type::Scalar(_)))?;
    let written = outputs(function, &Expression::name("out"));
    written.get(place).map(|(_, expression)| (place, expression.to_string()))
}

fn kind(function: &Signature, output: usize) -> Kind {
    match function.outputs[output].ty {
        Type::Scalar(scalar) => scalar.kind(),
        _ => Kind::Int,
    }
}

fn mutants_of<'t>(target: &'t DiscoveryTarget<'_>, wanted: &[MutantId]) -> Vec<&'t Mutant> {
    let all = target.mutants.asked();
    let of = |id: &MutantId| all.iter().copied().find(|mutant| mutant.id == *id);
    wanted.iter().filter_map(of).collect()
}

/// Runs the original on inputs, and leaves out those on which it does not return.
fn run(target: &DiscoveryTarget<'_>, output: usize, inputs: PatternInputs) -> Result<FreshInputs, LabError> {
    let mut runner = target.workbench.target.executable.runner();
    let calls = runner
        .call(target.function, &inputs.sources)
        .map_err(|error| LabError::from(CallError::from(error)))?;
    let (rows, outputs): (Vec<u32>, Column) = returned(&calls, output);
    Ok(FreshInputs { inputs: inputs.select(&rows), outputs })
}
