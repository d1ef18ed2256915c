//! One module, every engine: columns, single rows, fresh instances, the module with counters, versions of mutants, symbols that have
//! values, and inputs that symbolic execution finds, all end alike, with the same outputs, trap place, fuel and branch decisions.

use std::rc::Rc;
use std::time::Duration;

use crate::inputs::{inputs_of, rows_of, shown};
use crate::{Case, Choices, Defect, MutantsOfSubject, Seen, must_agree, solver, subject::on_random_module};
use dodona_generation::paths::{PathInput, predicted};
use dodona_generation::{
    Bounds, GenerateOptions, InputCoverage, Instrumented, SearchOptions, StatementScope, Technique,
};
use dodona_smt::solver::{Answer, Solver, Unknown};
use dodona_smt::term::{Assignment, Term, Terms};
use dodona_symbolic::Code;
use dodona_symbolic::explore::{Explorer, Forking, Path, Start};
use dodona_symbolic::input::{Inputs, Shape};
use dodona_target::{Column, Interruption, Outcome, Value};
use dodona_wasm::Workbench;
use dodona_wasm::execute::{Executable, Options, Strategy};

/// Inputs of each kind, random and odd.
const EACH: usize = 10;

/// Rows that are stepped on symbols that have their values.
const STEPPED: usize = 6;

/// Mutants of which both forms are run.
const MUTANTS: usize = 3;

/// Runs one case.
///
/// # Errors
/// When two engines say different things of one input.
pub fn engines_agree(bytes: &[u8]) -> Result<Case, Defect> {
    on_random_module(bytes, |choices, workbench| agree(choices, workbench))
}

fn agree(choices: &mut Choices<'_>, workbench: &Workbench) -> Result<Case, Defect> {
    let inputs = inputs_of(choices, workbench, 0, EACH);
    let rows = rows_of(std::slice::from_ref(&inputs));
    if rows.is_empty() {
        return Ok(Case::Dropped("no input is eligible"));
    }
    let seen = strategies(workbench, &inputs, &rows)?;
    let counted = with_counters(workbench, &inputs, &rows, &seen)?;
    for row in 0..rows.len().min(STEPPED) {
        stepped(workbench, &rows[row], (&seen, row), &counted[row])?;
    }
    versions(choices, workbench, &inputs, &rows)?;
    searched(choices, workbench)?;
    Ok(Case::Checked("every engine agrees"))
}

fn strategies(workbench: &Workbench, inputs: &[Column], rows: &[Vec<Value>]) -> Result<Seen, Defect> {
    let run = |strategy| -> Result<Seen, Defect> {
        let mut runner = workbench.target.executable.runner();
        let calls = runner.call_with(strategy, 0, inputs).map_err(|e| Defect::new(e.to_string()))?;
        let places = (0..rows.len()).map(|row| runner.locate_trap(row)).collect();
        Ok(Seen::of(&calls, runner.fuel_used(), places))
    };
    let columns = run(Strategy::Columns)?;
    for (name, strategy) in [("single rows", Strategy::RowByRow), ("fresh instances", Strategy::Fresh)] {
        must_agree(workbench, rows, ("columns", &columns), (name, &run(strategy)?))?;
    }
    Ok(columns)
}

/// The module with a counter at each block and branch ends each call as the original does.
fn with_counters(
    workbench: &Workbench,
    inputs: &[Column],
    rows: &[Vec<Value>],
    seen: &Seen,
) -> Result<Vec<InputCoverage>, Defect> {
    let fails = |error: dodona_workbench::LabError| Defect::new(format!("with counters: {error}"));
    let instrumented = Instrumented::new(workbench, 0, StatementScope::All).map_err(fails)?;
    let covered = instrumented.inputs(&mut instrumented.executable().runner(), inputs).map_err(fails)?;
    let differs = |row: &usize| covered[*row].outcome != seen.outcomes[*row];
    match (0..rows.len()).find(differs) {
        Some(row) => Err(Defect::new(format!(
            "at {}: with counters the call {}, and without {}",
            shown(&workbench.target.manifest.functions[0], &rows[row]),
            covered[row].outcome,
            seen.outcomes[row]
        ))),
        None => Ok(covered),
    }
}

/// Says nothing: symbols that have values need no solver.
struct NoSolver;

impl Solver for NoSolver {
    fn check(&mut self, _: &Terms, _: &[Term]) -> Answer {
        Answer::Unknown(Unknown::Budget)
    }
}

/// The path of one input on symbols, against its run.
fn stepped(
    workbench: &Workbench,
    values: &[Value],
    (seen, row): (&Seen, usize),
    covered: &InputCoverage,
) -> Result<(), Defect> {
    let Some(said) = on_symbols(workbench, values)? else { return Ok(()) };
    let Some(outcome) = said.outcome else { return Ok(()) };
    let outputs =
        said.outputs.map(|outputs| outputs.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
    let differs = outcome != seen.outcomes[row]
        || said.path != covered.path
        || (said.at.is_some() && seen.places[row].is_some() && said.at != seen.places[row])
        || outputs.as_ref().is_some_and(|outputs| *outputs != seen.outputs[row]);
    if !differs || seen.outcomes[row] == Outcome::OutOfFuel {
        return Ok(());
    }
    let input = shown(&workbench.target.manifest.functions[0], values);
    Err(Defect::new(format!(
        "at {input}: symbols say that it {} at {:?} ({outputs:?}) by {:?}, the runtime {} by {:?}",
        outcome,
        said.at,
        said.path,
        seen.row(row),
        covered.path
    )))
}

/// What symbolic execution says of one input; nothing where it leaves the path at a bound.
fn on_symbols(workbench: &Workbench, values: &[Value]) -> Result<Option<PathInput>, Defect> {
    let function = &workbench.target.manifest.functions[0];
    let Some(shape) = Shape::of(values) else { return Ok(None) };
    let code = Rc::new(Code::new(&workbench.target.module));
    let mut solver = NoSolver;
    let bounds = Bounds { queries: 0, ..Bounds::default() };
    let mut explorer = Explorer::new(&code, &mut solver, bounds).with_forking(Forking::Later);
    let inputs = Inputs::new(explorer.terms(), function, &shape);
    let mut model = Assignment::default();
    if inputs.assign(explorer.terms(), values, &mut model).is_none() {
        return Err(Defect::new(format!("{} has no symbols", shown(function, values))));
    }
    let start = Start { symbols: inputs.symbols.clone(), assumptions: vec![], model };
    let mut found = None;
    let mut first = |explorer: &mut Explorer<'_>, path: Path| {
        let model = path.model.clone();
        found = Some(predicted(explorer.terms(), function, &inputs, &path, &model, Vec::new()));
        false
    };
    explorer
        .explore(function, vec![start], &mut || true, &mut first)
        .map_err(|error| Defect::new(format!("symbols: {error}")))?;
    Ok(found)
}

/// A few mutants, each as a version in one module and as a module of its own.
fn versions(
    choices: &mut Choices<'_>,
    workbench: &Workbench,
    inputs: &[Column],
    rows: &[Vec<Value>],
) -> Result<(), Defect> {
    let mutated = MutantsOfSubject::of(workbench);
    let count = mutated.all.mutants.len();
    if count == 0 {
        return Ok(());
    }
    let chosen: Vec<_> = (0..MUTANTS).map(|_| &mutated.all.mutants[choices.below(count)]).collect();
    let plan = mutated.plan(&chosen);
    let options = Options { limits: workbench.target.manifest.limits, ..Options::default() };
    let functions = &workbench.target.manifest.functions;
    let fails = |what: &dyn std::fmt::Display| Defect::new(format!("mutants: {what}"));
    let together =
        Executable::load_with_variants(&workbench.target.module, functions, &options, &plan.variants)
            .map_err(|error| fails(&error))?;
    let mut runner = together.runner();
    for (mutant, choice) in chosen.iter().zip(&plan.choices) {
        runner.choose(*choice);
        let calls = runner.call(0, inputs).map_err(|error| fails(&error))?;
        let version = Seen::of(&calls, &vec![0; rows.len()], vec![None; rows.len()]);
        let alone = mutated.seen_alone(mutant, inputs)?;
        let name = format!("{} as a version", mutated.name(mutant));
        // What runs out of fuel does so by the instructions that it has, and those of the two forms differ.
        let stops = |seen: &Seen| seen.outcomes.contains(&Outcome::OutOfFuel);
        if !stops(&version) && !stops(&alone) {
            must_agree(workbench, rows, (&name, &version), ("as a module of its own", &alone))?;
        }
    }
    Ok(())
}

/// Inputs that symbolic execution finds are run and do what was predicted.
fn searched(choices: &mut Choices<'_>, workbench: &Workbench) -> Result<(), Defect> {
    let technique = choices.one_of(&[Technique::Path, Technique::Concolic]);
    let search = SearchOptions {
        longest: 2,
        bounds: Bounds { queries: 12, ..Bounds::default() },
        time: Some(Duration::from_secs(30)),
        query_time: Some(Duration::from_millis(100)),
        solver: solver(choices.below(2)),
        ..SearchOptions::default()
    };
    let options = GenerateOptions { technique, search, count: Some(8), ..GenerateOptions::default() };
    let generated = dodona_generation::generate(workbench, 0, &options, &Interruption::default())
        .map_err(|error| Defect::new(format!("generate ends with an error: {error}")))?;
    match generated.record.mismatches.as_slice() {
        [] => Ok(()),
        [first, ..] => {
            let row = first.input as usize;
            let values: Vec<Value> = generated.columns.iter().map(|column| column.value(row)).collect();
            let input = shown(&workbench.target.manifest.functions[0], &values);
            Err(Defect::new(format!("{technique:?} at {input}: {}", first.what)))
        }
    }
}
