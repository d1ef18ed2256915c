//! A run divided into shards: what its subjects cost, who does what, and what all shards have in common.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use dodona_run::{Division, RunOptions, SubjectCost, SubjectCounts};
use dodona_session::{Key, KeyBuilder, ShardError, ShardHead, ShardNumber, ShardReader};
use dodona_subject::Manifest;
use dodona_wasm::Workbench;

use super::{WorkArgs, command, key_of, manifest, options};
use crate::args::JobsArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::complain;
use crate::shards::{SHARDS, are_text, shard_files, shard_subject, version};

/// Where shards are written, and what divides the work between them.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShardsArgs {
    /// The folder that the files of shards are written to
    #[arg(long, value_name = "FOLDER", default_value = SHARDS)]
    pub(crate) to: PathBuf,
    /// Divide the work of shards by what it took in an earlier run, whose shards are in this folder, and not by estimates alone; all shards of a run need the same
    #[arg(long, value_name = "FOLDER")]
    pub(crate) costs: Option<PathBuf>,
}

/// A subject of a shard.
pub(super) struct Prepared {
    pub(super) manifest: Manifest,
    pub(super) key: Key,
    /// `None` of one that is no module.
    pub(super) workbench: Option<Arc<Workbench>>,
    cost: SubjectCost,
}

/// Opens a subject and estimates what it costs.
fn prepared(path: &Path, options: &RunOptions, recorded: &Recorded) -> Result<Prepared, Failure> {
    let manifest = manifest(path)?;
    let key = key_of(&manifest, options)?;
    if dodona::is_outside(&manifest) {
        let cost = SubjectCost::outside(&manifest, options);
        return Ok(Prepared { manifest, key, workbench: None, cost });
    }
    let workbench = Arc::new(dodona_wasm::open(manifest.clone()).map_err(open::lab_failure)?);
    let cost = SubjectCounts::of(&workbench, options).map_err(open::lab_failure)?.cost();
    let shown = manifest.path.display().to_string();
    let took =
        |kind: &str, about: &str| recorded.get(&(shown.clone(), kind.to_owned(), about.to_owned())).copied();
    let cost = cost.as_recorded(&workbench, &took);
    Ok(Prepared { manifest, key, workbench: Some(workbench), cost })
}

/// A run that is divided into shards.
pub(crate) struct Planned {
    pub(super) subjects: Vec<Result<Prepared, Failure>>,
    pub(crate) division: Division,
    pub(super) options: RunOptions,
    /// What the first shard is a part of.
    pub(crate) head: ShardHead,
}

impl Planned {
    /// Tells which subjects cannot be run, and why; the worst of their exit codes, and success if there is none.
    pub(crate) fn complain(&self) -> Exit {
        self.subjects.iter().filter_map(|one| one.as_ref().err()).fold(Exit::Success, |worst, why| {
            complain(&why.render());
            worst.or_worse(why.exit)
        })
    }
}

/// How much work a shard has where nobody says how many there are: so that starting one does not matter, and losing one does not either.
const USUAL: f64 = 600.0;

/// Divides a run into so many shards.
///
/// # Errors
/// When there can be no such number of shards, and when what an earlier run took cannot be read.
pub(crate) fn planned(
    work: &WorkArgs,
    shards: &ShardsArgs,
    jobs: JobsArgs,
    of: Option<u32>,
) -> Result<Planned, Failure> {
    are_text(&work.paths)?;
    if shards.costs.as_ref() == Some(&shards.to) {
        return Err(Failure::usage(format!(
            "--costs is the folder of an earlier run, and these shards would be written into it: name another one with --to, {} is taken",
            shards.to.display()
        )));
    }
    let options = options(work, jobs);
    let recorded = shards.costs.as_deref().map(recorded).transpose()?.unwrap_or_default();
    let subjects: Vec<Result<Prepared, Failure>> =
        work.paths.iter().map(|path| prepared(path, &options, &recorded)).collect();
    let costs: Vec<SubjectCost> =
        subjects.iter().map(|one| one.as_ref().map(|one| one.cost.clone()).unwrap_or_default()).collect();
    let all = costs.iter().map(SubjectCost::total).sum::<f64>();
    let of = of.unwrap_or((all / USUAL).ceil().clamp(2.0, 1000.0) as u32);
    let division = Division::of(&costs, of as usize);
    let first = ShardNumber::new(1, of).ok_or_else(|| Failure::usage(format!("there are no {of} shards")))?;
    let head = head(work, shards, first, &subjects, &division);
    Ok(Planned { subjects, division, options, head })
}

/// Seconds of the pieces of work of an earlier run, by the subject's manifest, the kind, and what they are about.
type Recorded = BTreeMap<(String, String, String), f64>;

/// What the pieces of all shards in a folder took.
fn recorded(folder: &Path) -> Result<Recorded, Failure> {
    let mut recorded = Recorded::new();
    // Several shards may have done the same piece.
    let mut seen = BTreeSet::new();
    for file in shard_files(folder)? {
        let mut read = || -> Result<(), ShardError> {
            let mut reader = ShardReader::open(&file)?;
            while let Some(piece) = reader.piece()? {
                if seen.insert(piece.key) {
                    *recorded.entry((piece.subject, piece.kind, piece.about)).or_default() += piece.seconds;
                }
            }
            Ok(())
        };
        read().map_err(|why| Failure::usage(format!("{}: {why}", file.display())))?;
    }
    Ok(recorded)
}

/// What the shard is a part of.
fn head(
    work: &WorkArgs,
    shards: &ShardsArgs,
    shard: ShardNumber,
    subjects: &[Result<Prepared, Failure>],
    division: &Division,
) -> ShardHead {
    let of = |(path, one): (&PathBuf, &Result<Prepared, Failure>)| match one {
        Ok(one) => shard_subject(&one.manifest.path, Some(one.key)),
        Err(_) => shard_subject(path, None),
    };
    ShardHead {
        shard,
        version: version(),
        command: command(work),
        seed: work.seed.seed().0,
        subjects: work.paths.iter().zip(subjects).map(of).collect(),
        costs: shards.costs.as_ref().map(|folder| folder.display().to_string()),
        plan: KeyBuilder::new("division").with(division.words()).key().to_string(),
    }
}
