//! `dodona discover SUBJECT --laws`

use dodona_discovery::{LawsOptions, LawsProgress, LawsStage, SoFar};
use dodona_records::{LawsRecord, LawsStop};
use dodona_target::Interruption;

use super::found_answer::{ENDED_IN_A_STEP, EndedBy, Found, FoundAnswer};
use super::{DiscoverArgs, named_or_all};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::open::Subject;
use crate::progress::Progress;

/// Whether laws are searched: where they are asked for, and where nobody says which of several functions is meant.
pub(super) fn are_wanted(args: &DiscoverArgs, functions: usize) -> bool {
    args.laws || args.functions.is_empty() && !args.each && functions > 1
}

/// Searches for laws, prints them and writes them to a file.
pub(super) fn run(
    args: &DiscoverArgs,
    subject: &Subject,
    interrupted: &Interruption,
) -> Result<Exit, Failure> {
    let Subject { manifest, workbench, .. } = subject;
    let functions = named_or_all(args, workbench)?;
    let answer = FoundAnswer::new(args, manifest, "laws.mr")?;
    let options = LawsOptions {
        seed: args.seed.seed(),
        time: Some(args.time),
        fresh: args.evidence.fresh,
        everything: args.all,
        relations: args.relations,
        callees: args.data.callees.callees.clone(),
        operators: args.data.operators.set()?,
        mutants: args.data.mutants,
        versions: match dodona::is_outside(manifest) {
            true => args.data.versions.outside(subject)?,
            false => Vec::new(),
        },
        prove: args.evidence.proof(),
        jobs: args.jobs.threads(),
        so_far: SoFar::default(),
    };
    answer.knows(&options.so_far, args.time, |record, end| {
        record.stop = match end {
            EndedBy::Interruption => LawsStop::Interrupted,
            EndedBy::Time(_) => LawsStop::TimeSpent,
        };
        record.warnings.push(ENDED_IN_A_STEP.to_owned());
    });
    let mut bar = Progress::of_stages();
    let name = manifest.name.clone();
    let record = dodona_discovery::laws(workbench, &functions, &options, interrupted, &mut |progress| {
        bar.update(&format!("{name}: {}", words(progress)), progress.laws, progress.laws);
    });
    bar.finish();
    let mut record = record.map_err(open::lab_failure)?;
    // Versions of functions outside of WebAssembly are what their laws are run on.
    let is_used = |option: &String| option == "--versions" && dodona::is_outside(manifest);
    let without: Vec<String> =
        args.without_use_for_laws.iter().filter(|option| !is_used(option)).cloned().collect();
    record.warnings.extend(without_use(&without));
    answer.tell(&record, record.stop == LawsStop::Interrupted)
}

/// What is said of options that a search for laws has no use for.
fn without_use(options: &[String]) -> Option<String> {
    (!options.is_empty()).then(|| {
        format!(
            "a search for laws has no use for {}; without --laws, and with one function named, relations between two calls are searched for",
            options.join(", ")
        )
    })
}

impl Found for LawsRecord {
    fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    fn contradictions(&self) -> Vec<String> {
        self.contradictions.clone()
    }

    fn file(&self, command: &str) -> String {
        dodona_report::laws_file(self, command)
    }
}

fn words(progress: LawsProgress) -> &'static str {
    match progress.stage {
        LawsStage::Executions => "calls",
        LawsStage::Columns => "laws of recorded calls",
        LawsStage::Filter => "fresh inputs",
        LawsStage::Mutants => "mutants",
        LawsStage::Proofs => "proofs",
    }
}
