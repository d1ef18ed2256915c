//! Generation of source inputs: by a technique, then run on the instrumented function, so that each input says what it covers and
//! what symbolic execution predicted is what happens.

mod directed;
pub mod drawn;
mod for_relations;
mod frames;
mod generation_record;
mod provenance;
mod replay;
mod select;
mod technique;
mod ways;

use crate::paths::PathInput;
use dodona_records::GenerationRecord;
use dodona_sources::Seed;
use dodona_target::{Column, Interruption, Until};
use dodona_wasm::execute::{Statement, StatementScope};

use dodona_wasm::Workbench;
use dodona_workbench::{LabError, Worker, pool};
pub use drawn::far_apart;
pub use for_relations::{ForRelations, for_relations};
pub use frames::FrameMaker;
pub use provenance::provenance;
pub use technique::Technique;

use crate::{InputCoverage, Instrumented, SearchOptions};

/// What a generation is given.
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    /// The technique.
    pub technique: Technique,
    /// How many inputs. `None` is one a path, or 100 where paths are not known. Of more inputs, a technique that
    /// [chooses](Technique::chooses) keeps those that cover most.
    pub count: Option<usize>,
    /// Where everything random starts.
    pub seed: Seed,
    /// How symbolic execution searches.
    pub search: SearchOptions,
    /// What makes inputs of frames, for [`Technique::Frames`].
    pub frames: Option<FrameMaker>,
    /// The relations, by their indices, for [`Technique::Ways`]; those that take no input of the function are left out. `None` is all.
    pub relations: Option<Vec<usize>>,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        GenerateOptions {
            technique: Technique::Path,
            count: None,
            seed: Seed(0),
            search: SearchOptions::default(),
            frames: None,
            relations: None,
        }
    }
}

/// Source inputs that were generated.
#[derive(Clone, Debug)]
pub struct Generated {
    /// A column a parameter.
    pub columns: Vec<Column>,
    /// What each input covers.
    pub coverage: Vec<InputCoverage>,
    /// For each input the path that it was generated for; empty for techniques that do not know.
    pub paths: Vec<PathInput>,
    /// The statements that coverage counts.
    pub statements: Vec<Statement>,
    /// How it went.
    pub record: GenerationRecord,
    /// Whether a search ended because its time was up: it may find other inputs another time.
    pub out_of_time: bool,
}

/// Inputs that were not run.
#[derive(Clone, Debug, Default)]
pub struct InputColumns {
    /// A column a parameter.
    pub columns: Vec<Column>,
    /// What is to be known of how they were made.
    pub warnings: Vec<String>,
}

/// Inputs before they are run.
struct Made {
    columns: Vec<Column>,
    paths: Vec<PathInput>,
    search: Option<directed::Search>,
    warnings: Vec<String>,
}

/// Generates source inputs for a function under test, by its index, and runs them.
///
/// # Errors
/// When no solver is found, nothing can be generated, the module cannot be run, or Dodona panics.
///
/// # Panics
/// When there is no such function.
pub fn generate(
    workbench: &Workbench,
    function: usize,
    options: &GenerateOptions,
    interrupted: &Interruption,
) -> Result<Generated, LabError> {
    generate_until(workbench, function, options, &options.search.until(interrupted))
}

/// [`generate`] with another end.
pub fn generate_until(
    workbench: &Workbench,
    function: usize,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Generated, LabError> {
    let instrumented = Instrumented::new(workbench, function, StatementScope::AtHand)?;
    pool::alone(Worker::Generation, || generated(workbench, &instrumented, options, until))
}

/// [`generate`] for a function that was instrumented before.
///
/// # Errors
/// As for [`generate`].
pub fn generate_with(
    workbench: &Workbench,
    instrumented: &Instrumented,
    options: &GenerateOptions,
    interrupted: &Interruption,
) -> Result<Generated, LabError> {
    let until = options.search.until(interrupted);
    pool::alone(Worker::Generation, || generated(workbench, instrumented, options, &until))
}

/// The inputs that [`generate_until`] would run.
///
/// # Errors
/// When no solver is found, or nothing can be generated.
///
/// # Panics
/// When there is no such function.
pub fn not_run(
    workbench: &Workbench,
    function: usize,
    options: &GenerateOptions,
    until: &Until,
) -> Result<InputColumns, LabError> {
    let function = &workbench.target.manifest.functions[function];
    let Made { columns, warnings, .. } = options.technique.make(workbench, function, options, until)?;
    Ok(InputColumns { columns, warnings })
}

/// Inputs along the paths of a function, of those that satisfy a condition over its parameters, a column a parameter. They are not run.
///
/// # Errors
/// When no solver is found, no input satisfies the condition, or the solver does not find one.
///
/// # Panics
/// When there is no such function, or the condition is none over its parameters.
pub fn along_paths_where(
    workbench: &Workbench,
    function: usize,
    condition: &str,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Vec<Column>, LabError> {
    let mut function = workbench.target.manifest.functions[function].clone();
    function.signature.requires = crate::possible::restricted(&function, condition);
    Ok(directed::path(workbench, &function, options, until)?.columns)
}

fn generated(
    workbench: &Workbench,
    instrumented: &Instrumented,
    options: &GenerateOptions,
    until: &Until,
) -> Result<Generated, LabError> {
    let function = &workbench.target.manifest.functions[instrumented.function()];
    let mut made = options.technique.make(workbench, function, options, until)?;
    let mut replayed = replay::replay(instrumented, function, &mut made, until)?;
    let groups = ways::groups(workbench, instrumented, options, &made, &mut replayed, until)?;
    select::select(options, &mut made, &mut replayed, groups);
    let record = generation_record::record(workbench, instrumented, options, &made, &replayed);
    let statements = instrumented.statements().to_vec();
    let Made { columns, paths, search, .. } = made;
    let out_of_time = search.is_some_and(|search| search.out_of_time);
    Ok(Generated { columns, coverage: replayed.coverage, paths, statements, record, out_of_time })
}
