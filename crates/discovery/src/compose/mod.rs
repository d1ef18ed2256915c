//! Composition of basic relations to composite ones (Xiang, Wu, Yu, "A Genetic Algorithm-Based Approach for Composite Metamorphic
//! Relations Construction", 2019). The relations are read and checked. Sequences are searched by running them, and the
//! relations that hold are tested further, measured by mutation analysis, and chosen from.

mod basics;
mod composites;
mod composition_options;
mod composition_record;
mod composition_tuning;
mod evaluate;
mod kills;
mod relation_choice;
mod verdict;

use std::time::Instant;

use dodona_inference::composition::{Composer, SearchError, Settings, search};
use dodona_records::{CheckRecord, CompositionRecord, CompositionStop, LayerRecord};
use dodona_target::{Interruption, Target, Until};
use dodona_workbench::{LabError, Workbench};

use basics::BasicRelations;
use composites::Candidates;
pub use composition_options::{ComposeOptions, ComposeProgress, ComposeStage};
use composition_record::Results;
use composition_tuning::{COMPOSITION_SEARCH_SHARE, COMPOSITION_TESTS_SHARE};
use evaluate::Runs;
use kills::{Analysis, Kills};
use verdict::Verdicts;

/// The outcome of a composition.
#[derive(Clone, Debug, PartialEq)]
pub enum ComposeOutcome {
    /// Basic relations do not hold, so that their compositions would not hold either.
    BasicsViolated(Box<CheckRecord>),
    /// The composite relations.
    Composed(Box<CompositionRecord>),
}

/// Composes the relations of a subject.
///
/// Relations are read as a change of the input and an expectation of the output; those that cannot be read so take no part. A
/// basic relation that a random input violates ends the composition. For each number of layers, sequences of relations are
/// composed and run on inputs. Relations that hold on enough inputs are grouped by what they say, and one of each group has to
/// hold on many fresh inputs. The mutants that relations kill decide which of them are chosen.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::{path::Path, sync::Arc};
/// # use dodona_discovery::{ComposeOptions, ComposeOutcome, compose};
/// # use dodona_subject::Manifest;
/// # use dodona_workbench::{Interruption, Workbench};
/// let workbench = Arc::new(dodona_wasm::open(Manifest::find(Path::new("subjects/trig"))?)?);
/// let options = ComposeOptions { layers: vec![2, 3], ..ComposeOptions::default() };
/// if let ComposeOutcome::Composed(record) = compose(&workbench, &options, &Interruption::default(), &mut |_| {})? {
///     record.relations.iter().for_each(|relation| print!("{}", relation.text));
/// }
/// # Ok(()) }
/// ```
///
/// # Errors
/// When there is no relation of a name, fewer than two relations can be composed, a number of layers is out of bounds, no input
/// can be drawn, or the
/// host fails.
///
/// # Panics
/// When [`ComposeOptions::function`] is not the index of a function of the subject.
pub fn compose<T: Target + ?Sized>(
    workbench: &Workbench<T>,
    options: &ComposeOptions,
    interrupted: &Interruption,
    progress: &mut dyn FnMut(&ComposeProgress),
) -> Result<ComposeOutcome, LabError> {
    let workbench = &*workbench.any();
    // A share of the whole time, counted from the start.
    let share = |share: f64| Until::after(options.time.map(|time| time.mul_f64(share)), interrupted);
    let (searching, tests, until) =
        (share(COMPOSITION_SEARCH_SHARE), share(COMPOSITION_TESTS_SHARE), share(1.0));
    let basics = BasicRelations::read(workbench, options)?;
    let composer = basics.composer(workbench.functions());
    for &layers in &options.layers {
        settings(options, layers).check(composer.basics().len()).map_err(|error| basics.too_few(&error))?;
    }
    progress(&ComposeProgress::of(ComposeStage::Basics));
    let mut warnings = Vec::new();
    if let Some(violated) = basics.violated(workbench, options, &searching, &mut warnings)? {
        return Ok(ComposeOutcome::BasicsViolated(Box::new(violated)));
    }
    let mut candidates = Candidates::of_basics(&composer);
    let mut layers = Vec::new();
    for (place, &count) in options.layers.iter().enumerate() {
        if options.layers[..place].contains(&count) || !searching.goes_on() {
            continue;
        }
        layers.push(searched(workbench, options, &composer, count, &searching, &mut candidates, progress)?);
    }
    let mut is_time_spent = searching.is_up();
    // After an interruption nothing is tested, and a relation that was not tested is not reported.
    let groups = match until.is_interrupted() {
        false => candidates.grouped(workbench.functions(), options.jobs, &tests, &mut layers)?,
        true => Vec::new(),
    };
    let mut verdicts = Verdicts::of(workbench, options, groups, (interrupted, &tests), progress)?;
    is_time_spent |= tests.is_up();
    let mut analysis = Analysis { until: &until, progress };
    let mut kills = Kills::measure(workbench, options, &basics, &candidates, &mut verdicts, &mut analysis)?;
    is_time_spent |= until.is_up();
    warnings.append(&mut kills.warnings);
    verdicts.count(&candidates, &mut layers);
    let results = Results {
        workbench,
        options,
        basics: &basics,
        candidates: &candidates,
        layers,
        verdicts,
        kills,
        warnings,
    };
    let seconds = options.time.unwrap_or_default().as_secs_f64();
    let stop = match (until.is_interrupted(), is_time_spent) {
        (true, _) => CompositionStop::Interrupted,
        (false, true) => CompositionStop::TimeSpent { seconds },
        (false, false) => CompositionStop::Finished,
    };
    Ok(ComposeOutcome::Composed(Box::new(results.record(stop))))
}

/// The settings of a search for sequences of this number of layers.
fn settings(options: &ComposeOptions, layers: usize) -> Settings {
    let inputs = u32::try_from(options.inputs).unwrap_or(u32::MAX);
    Settings { layers, inputs, seed: options.seed.0, ..options.settings.clone() }
}

/// Searches the sequences of this number of layers. Relations that hold on enough inputs join the candidates.
fn searched(
    workbench: &Workbench,
    options: &ComposeOptions,
    composer: &Composer<'_>,
    layers: usize,
    until: &Until,
    candidates: &mut Candidates,
    progress: &mut dyn FnMut(&ComposeProgress),
) -> Result<LayerRecord, LabError> {
    let settings = settings(options, layers);
    let sequences = (composer.basics().len() as u128).pow(layers as u32);
    let planned = u64::try_from(sequences).unwrap_or(u64::MAX);
    let stage = ComposeProgress { planned, layers, ..ComposeProgress::of(ComposeStage::Search) };
    let mut told = |tried| progress(&ComposeProgress { done: tried, ..stage });
    let mut runs = Runs::new(workbench, options, until, &mut told);
    let started = Instant::now();
    let found = search(composer, &settings, &mut runs).map_err(|error| match error {
        SearchError::Evaluator(error) => error,
        other => LabError::Composition(other.to_string()),
    })?;
    let record = composition_record::layer(&found, layers, sequences, started.elapsed());
    candidates.add(found.accepted);
    Ok(record)
}
