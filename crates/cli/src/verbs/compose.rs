//! `dodona compose SUBJECT`

use std::sync::Arc;
use std::time::Duration;

use clap::builder::{RangedI64ValueParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use dodona_discovery::{ComposeOptions, ComposeOutcome, ComposeProgress, ComposeStage, compose};
use dodona_inference::composition::{MOST_LAYERS, SearchKind, Settings};
use dodona_records::CompositionRecord;
use dodona_report::ComposedRelations;
use dodona_report::Format;
use dodona_target::Interruption;
use dodona_workbench::Workbench;

use crate::args::{
    CalleesArgs, EvidenceArgs, FormatArgs, JobsArgs, MOST_INPUTS, OperatorsArgs, RelationArgs, SeedArgs,
    SubjectArgs, WrittenArgs, seconds,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::Subject;
use crate::output::report;
use crate::progress::Progress;
use crate::written::{WrittenRelations, tell};
use crate::{baseline, ending, interrupt, mistake, open};

/// Compose relations to ones that do more in fewer runs, and write them down
#[derive(Debug, Args)]
#[command(mut_arg("seed", |arg| arg.help("Where everything random starts; the same seed finds the same relations, unless the time ends the search")))]
#[command(mut_arg("names", |arg| arg.help("Compose only these relations")))]
#[command(mut_arg("output", |arg| arg.help("Where the composite relations are written [default: composed.mr beside the manifest]; a file that exists is kept, and a numbered one written")))]
#[command(mut_arg("fresh", |arg| arg.default_value("100000").help("Fresh inputs that each composite relation has to hold on")))]
#[command(mut_arg("prove", |arg| arg.default_value("off").help("Whether each composite relation is put to proof; what is neither proved nor refuted stays tested")))]
pub(crate) struct ComposeArgs {
    #[command(flatten)]
    subject: SubjectArgs,
    #[command(flatten)]
    relations: RelationArgs,
    /// Only sequences of relations about this function; those of other functions serve where an expectation calls them
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// How many relations are composed to one, separated by commas: 2 to 8
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "2", value_parser = layers())]
    layers: Vec<i64>,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    jobs: JobsArgs,
    /// Seconds for all of it [default: as long as it takes]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    format: FormatArgs<CompositionRecord>,
    #[command(flatten)]
    written: WrittenArgs,
    /// Write all composite relations, also those that no mutant asks for
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    search: SequenceArgs,
    #[command(flatten)]
    evidence: EvidenceArgs,
    #[command(flatten)]
    mutants: MutantArgs,
}

fn layers() -> RangedI64ValueParser<i64> {
    RangedI64ValueParser::new().range(2..=MOST_LAYERS as i64)
}

/// How sequences of relations are searched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
struct SequenceArgs {
    /// How sequences of relations are found
    #[arg(long, value_enum, default_value_t)]
    search: Search,
    /// Source inputs that each sequence is run on
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=MOST_INPUTS))]
    inputs: u64,
    /// The share of these inputs, from 0 to 1, on which a sequence has to hold
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().accepted_share)]
    accept: f64,
    /// How often the genetic algorithm or simulated annealing is repeated; each repeat gives one sequence
    #[arg(long, value_name = "N", default_value_t = Settings::default().repeats)]
    repeats: usize,
    /// Individuals of the genetic algorithm [default: 12, 20 and 30 for 2, 3 and 4 layers]
    #[arg(long, value_name = "N")]
    population: Option<usize>,
    /// Generations of the genetic algorithm
    #[arg(long, value_name = "N", default_value_t = Settings::default().generations)]
    generations: usize,
    /// The share of parents that are crossed over, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().crossover)]
    crossover: f64,
    /// The share of offspring that has one relation replaced, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().mutation)]
    mutation: f64,
    /// The temperature at which annealing starts, in inputs: a step that loses so many is taken with a probability of 1/e
    #[arg(long, value_name = "T", default_value_t = Settings::default().hottest)]
    hottest: f64,
    /// The temperature at which annealing ends
    #[arg(long, value_name = "T", default_value_t = Settings::default().coldest)]
    coldest: f64,
    /// What annealing multiplies the temperature by after each step, above 0 and below 1
    #[arg(long, value_name = "FACTOR", default_value_t = Settings::default().cooling)]
    cooling: f64,
}

/// The mutants that show what relations are worth.
#[derive(Debug, Args)]
#[command(next_help_heading = "Mutants")]
struct MutantArgs {
    /// The most mutants that relations are run on, chosen by the seed; with 0 none is
    #[arg(long, value_name = "N", default_value = "300", value_parser = RangedU64ValueParser::<usize>::new().range(0..=MOST_INPUTS))]
    mutants: usize,
    #[command(flatten)]
    operators: OperatorsArgs,
    #[command(flatten)]
    callees: CalleesArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Search {
    /// All sequences where there are at most 4,096, else by the genetic algorithm
    #[default]
    Auto,
    /// All sequences
    Exhaustive,
    /// The genetic algorithm
    Ga,
    /// Simulated annealing
    Annealing,
}

impl From<Search> for SearchKind {
    fn from(search: Search) -> Self {
        match search {
            Search::Auto => SearchKind::Auto,
            Search::Exhaustive => SearchKind::Enumerate,
            Search::Ga => SearchKind::Genetic,
            Search::Annealing => SearchKind::Anneal,
        }
    }
}

impl SequenceArgs {
    fn settings(&self) -> Settings {
        Settings {
            search: self.search.into(),
            repeats: self.repeats,
            population: self.population,
            generations: self.generations,
            crossover: self.crossover,
            mutation: self.mutation,
            hottest: self.hottest,
            coldest: self.coldest,
            cooling: self.cooling,
            accepted_share: self.accept,
            // Of fewer inputs than that, all have to be eligible.
            least_eligible: Settings::default().least_eligible.min(self.inputs as u32),
            ..Settings::default()
        }
    }
}

/// Composes relations, prints what came of it and writes the composite ones to a file.
pub(crate) fn run(args: &ComposeArgs) -> Result<Exit, Failure> {
    let interrupted = args.time.map_or_else(interrupt::listen, interrupt::listen_for);
    let Subject { manifest, workbench, .. } =
        open::any(&args.subject.path, &args.relations.files, &open::Calling::default())?;
    let options = options(args, &workbench)?;
    let files = WrittenRelations::new(&args.written, &manifest, "composed.mr", args.seed.number)?;
    let record = match composed(&workbench, &options, interrupted)? {
        ComposeOutcome::BasicsViolated(check) => {
            let needs = "anything is composed of them; composition";
            return Err(baseline::violated(
                *check,
                needs,
                Exit::Violated,
                args.format.chosen == Format::Terminal,
            )?);
        }
        ComposeOutcome::Composed(record) => record,
    };
    ending::answer();
    let mut told = Vec::new();
    let which = if args.all { ComposedRelations::All } else { ComposedRelations::Chosen };
    let written = match dodona_report::composed_file(&record, which, &mistake::command()) {
        Some(text) => files.write(&text, &mut told),
        None => {
            told.extend(nothing_written(&record));
            Ok(())
        }
    };
    // Printed after what was found is safe on the disk.
    report(&*record, args.format.chosen)?;
    tell(&told, args.format.chosen)?;
    written?;
    Ok(mistake::or(&record.contradictions, exit(&record, interrupted.is_raised())))
}

fn options(args: &ComposeArgs, workbench: &Workbench) -> Result<ComposeOptions, Failure> {
    let function = args.function.as_deref().map(|name| workbench.function(name)).transpose();
    Ok(ComposeOptions {
        seed: args.seed.seed(),
        relations: args.relations.names.clone(),
        function: function.map_err(open::lab_failure)?,
        layers: args.layers.iter().map(|&layers| layers as usize).collect(),
        settings: args.search.settings(),
        inputs: args.search.inputs,
        fresh: args.evidence.fresh,
        mutants: args.mutants.mutants,
        callees: args.mutants.callees.callees.clone(),
        operators: args.mutants.operators.set()?,
        prove: args.evidence.proof(),
        time: args.time,
        jobs: args.jobs.threads(),
    })
}

fn composed(
    workbench: &Arc<Workbench>,
    options: &ComposeOptions,
    interrupted: &Interruption,
) -> Result<ComposeOutcome, Failure> {
    let name = workbench.target.name();
    let mut bar = Progress::of_stages();
    let outcome = compose(workbench, options, interrupted, &mut |progress| {
        bar.update(&format!("{name}: {}", words(progress)), progress.done, progress.planned);
    });
    bar.finish();
    outcome.map_err(open::lab_failure)
}

fn words(progress: &ComposeProgress) -> String {
    match progress.stage {
        ComposeStage::Basics => "basic relations".to_owned(),
        ComposeStage::Search => format!("sequences of {} relations", progress.layers),
        ComposeStage::FreshInputs => "fresh inputs".to_owned(),
        ComposeStage::Counterexamples => "search for counterexamples".to_owned(),
        ComposeStage::Proofs => "proofs".to_owned(),
        ComposeStage::Mutants => "mutants".to_owned(),
    }
}

/// Why no file is written, where there are composite relations.
fn nothing_written(record: &CompositionRecord) -> Option<String> {
    let is_needless = !record.relations.is_empty();
    is_needless.then(|| {
        "no composite relation is chosen, and no file is written (--all writes all of them)".to_owned()
    })
}

fn exit(record: &CompositionRecord, interrupted: bool) -> Exit {
    if interrupted {
        Exit::Interrupted
    } else if record.relations.is_empty() {
        Exit::Budget
    } else {
        Exit::Success
    }
}
