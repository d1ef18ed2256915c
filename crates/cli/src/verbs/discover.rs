//! `dodona discover SUBJECT [FUNCTION]…`

pub(crate) mod discover_args;
pub(crate) mod each;
mod found_answer;
mod laws;

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_discovery::{DiscoverOptions, DiscoverProgress, Faults, Forms, SoFar, Stage};
use dodona_frames::frame_maker;
use dodona_inference::discovery::Settings;
use dodona_records::{DiscoveryRecord, DiscoveryStop};
use dodona_target::{Interruption, Target};
use dodona_wasm::Workbench;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{interrupt, open};
pub(crate) use discover_args::DiscoverArgs;
use found_answer::{ENDED_IN_A_STEP, EndedBy, Found, FoundAnswer};

/// Discovers relations, prints them and writes them to a file.
pub(crate) fn run(args: &DiscoverArgs) -> Result<Exit, Failure> {
    let options = options(args)?;
    if let Some(shard) = args.shard.number {
        return each::shard(args, shard);
    }
    let subject = open::any_without_relations(&args.subject)?;
    // Relations between two calls are searched for by what they catch of the code's mutants; laws need calls alone.
    let module = dodona_wasm::of(&subject.workbench).map(Arc::new);
    let several = module.as_ref().map(|module| each::functions(args, module)).transpose()?.flatten();
    if let (Some(module), Some(functions)) = (&module, several) {
        // Each of them ends after its share of the time.
        interrupt::listen();
        return each::run(args, module, functions);
    }
    let interrupted = interrupt::listen_for(args.time);
    let workbench = match module {
        Some(module) if !laws::are_wanted(args, module.functions().len()) => module,
        None if args.each => {
            return Err(Failure::usage(format!(
                "--each searches for relations between two calls by the mutants of a WebAssembly module, and {} is called in processes; --laws needs calls alone",
                subject.manifest.name
            )));
        }
        _ => return laws::run(args, &subject, interrupted),
    };
    let function = open::function(&workbench, args.functions.first().map(String::as_str))?;
    let answer = FoundAnswer::new(args, &workbench.target.manifest, "discovered.mr")?;
    let versions = args.data.versions.open(&workbench)?;
    let options = DiscoverOptions { frames: Some(frame_maker(&workbench)), versions, ..options };
    answer.knows(&options.so_far, args.time, |record, end| {
        record.stop = match end {
            EndedBy::Interruption => DiscoveryStop::Interrupted { generations: record.work.generations },
            EndedBy::Time(seconds) => DiscoveryStop::TimeSpent { seconds },
        };
        record.warnings.push(ENDED_IN_A_STEP.to_owned());
    });
    let record = discover(&workbench, function, &options, interrupted)?;
    answer.tell(&record, interrupted.is_raised())
}

/// The functions that are named, each once, or all of them.
fn named_or_all<T: Target + ?Sized>(
    args: &DiscoverArgs,
    workbench: &dodona_workbench::Workbench<T>,
) -> Result<Vec<usize>, Failure> {
    if args.functions.is_empty() {
        return Ok((0..workbench.functions().len()).collect());
    }
    let named = args.functions.iter().map(|name| open::function(workbench, Some(name)));
    let mut functions = named.collect::<Result<Vec<usize>, Failure>>()?;
    let mut seen = BTreeSet::new();
    functions.retain(|function| seen.insert(*function));
    Ok(functions)
}

impl Found for DiscoveryRecord {
    fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    fn contradictions(&self) -> Vec<String> {
        self.contradictions.clone()
    }

    fn file(&self, command: &str) -> String {
        dodona_report::discovered_file(self, command)
    }
}

fn options(args: &DiscoverArgs) -> Result<DiscoverOptions, Failure> {
    let forms = if args.data.only.is_empty() { args.search.forms() } else { Forms::default() };
    let settings = Settings { comparing: forms != Forms::default(), ..args.search.settings() };
    settings.check().map_err(Failure::usage)?;
    Ok(DiscoverOptions {
        seed: args.seed.seed(),
        time: Some(args.time),
        work: None,
        relations: args.relations,
        inputs: args.data.inputs,
        techniques: args.data.by.techniques()?,
        frames: None,
        files: args.data.from.clone(),
        transformations: args.data.transformations,
        only: args.data.only.clone(),
        executions: args.data.executions,
        callees: args.data.callees.callees.clone(),
        operators: args.data.operators.set()?,
        hold_out: args.data.hold_out,
        mutants: args.data.mutants,
        versions: Vec::new(),
        faults: if args.data.dominators { Faults::Dominators } else { Faults::All },
        forms,
        settings,
        generations: args.search.generations,
        evolution_share: args.search.evolution_share,
        // Who asks for the search alone wants what it finds.
        everything: args.all || forms == Forms::default(),
        fresh: args.evidence.fresh,
        prove: args.evidence.proof(),
        jobs: args.jobs.threads(),
        so_far: SoFar::default(),
    })
}

fn discover(
    workbench: &Arc<Workbench>,
    function: usize,
    options: &DiscoverOptions,
    interrupted: &Interruption,
) -> Result<DiscoveryRecord, Failure> {
    let name = workbench.functions()[function].name.clone();
    let mut bar = Progress::of_stages();
    let record = dodona_discovery::discover(workbench, function, options, interrupted, &mut |progress| {
        bar.update(&format!("{name}: {}", words(progress)), progress.done, progress.planned);
    });
    bar.finish();
    record.map_err(open::lab_failure)
}

/// `evolution, generation 12, 1 relation, 0.00 false positives, 0.43 false negatives, 17 s left`
fn words(progress: &DiscoverProgress) -> String {
    let mut parts = vec![stage(progress.stage).to_owned()];
    if progress.stage == Stage::Evolution {
        parts.push(format!("generation {}", progress.generation));
    }
    parts.push(match progress.relations {
        1 => "1 relation".to_owned(),
        n => format!("{n} relations"),
    });
    if matches!(progress.stage, Stage::Enumeration | Stage::Evolution) {
        parts.push(format!("{:.2} false positives", progress.best_false_positives));
        parts.push(format!("{:.2} false negatives", progress.best_false_negatives));
    }
    if let Some(left) = progress.left {
        parts.push(format!("{} s left", left.as_secs()));
    }
    parts.join(", ")
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Sources => "source inputs",
        Stage::Executions => "executions",
        Stage::Enumeration => "enumeration",
        Stage::Evolution => "evolution",
        Stage::Forms => "known forms",
        Stage::Filter => "filter",
        Stage::Proof => "proofs",
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::help::Cli;
    use crate::verbs::Verb;

    #[test]
    fn what_nobody_says_is_what_the_library_does() {
        let cli = Cli::try_parse_from(["dodona", "discover", "subjects/gcd"]).expect("it is whole");
        let Verb::Discover(args) = cli.verb else { panic!("another verb") };
        let said = options(&args).expect("valid options");
        // The machine decides on threads, and the command puts to proof where a solver is at hand.
        let usual =
            DiscoverOptions { jobs: said.jobs, prove: said.prove.clone(), ..DiscoverOptions::default() };
        assert_eq!(format!("{said:?}"), format!("{usual:?}"));
    }
}
