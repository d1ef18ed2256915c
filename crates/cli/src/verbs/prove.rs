//! `dodona prove SUBJECT RELATION…`

use clap::Args;
use dodona_generation::prove;
use dodona_records::{ProofRecord, ProofVerdict};

use crate::args::{FormatArgs, RelationFiles, SearchArgs, SubjectArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::first_or_whole;
use crate::progress::Progress;
use crate::{interrupt, mistake, open};

/// Prove relations on every path, or find an input that violates them
#[derive(Debug, Args)]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// The relations, by name [default: all of them]
    #[arg(value_name = "RELATION")]
    pub(crate) relations: Vec<String>,
    #[command(flatten)]
    pub(crate) files: RelationFiles,
    /// List every relation and counterexample
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs<ProofRecord>,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
}

/// Puts relations to proof and prints what came of it.
pub(crate) fn run(args: &ProveArgs) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen_for(args.search.time());
    let workbench = open::for_relations(&args.subject.path, &args.files, &args.relations)?;
    let relations = workbench.select(&args.relations).map_err(open::lab_failure)?;
    let mut bar = Progress::new("relations");
    let mut done = 0;
    let planned = relations.len() as u64;
    let record = prove(&workbench, &relations, &args.search.proof(), interrupted, &mut |proof| {
        done += 1;
        bar.update(&proof.name, done, planned);
    });
    bar.finish();
    let record = record.map_err(open::lab_failure)?;
    first_or_whole(&record, args.format.chosen, args.all)?;
    let exit = if interrupted.is_raised() { Exit::Interrupted } else { exit(&record) };
    Ok(mistake::or(&record.contradictions, exit))
}

/// A refuted relation is violated; one that is neither proved nor refuted spent its budget; one without eligible inputs is an
/// error, as it is where it is checked.
fn exit(record: &ProofRecord) -> Exit {
    let any = |wanted: fn(&ProofVerdict) -> bool| record.relations.iter().any(|r| wanted(&r.verdict));
    if any(|verdict| matches!(verdict, ProofVerdict::Refuted { .. })) {
        Exit::Violated
    } else if any(|verdict| matches!(verdict, ProofVerdict::Vacuous)) {
        Exit::Usage
    } else if any(|verdict| matches!(verdict, ProofVerdict::Unknown { .. })) {
        Exit::Budget
    } else {
        Exit::Success
    }
}
