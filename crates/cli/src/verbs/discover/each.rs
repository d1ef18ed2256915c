//! `dodona discover SUBJECT --each`: a search for each of several functions, here or in shards.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use dodona_discovery::{DiscoverOptions, SoFar};
use dodona_frames::frame_maker;
use dodona_records::{DiscoveryRecord, DiscoveryStop};
use dodona_session::{Key, KeyBuilder, ShardHead, ShardNumber, ShardSet};
use dodona_wasm::Workbench;

use super::found_answer::{Found, FoundAnswer};
use super::{DiscoverArgs, discover, named_or_all, options};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::several::Failed;
use crate::shards::{self, Making, OfSubjects, Piece, verb_key};
use crate::{interrupt, open};

/// The functions that are searched one after the other, if that is what is meant: where it is asked for, and where several are named and no laws between them are.
pub(super) fn functions(args: &DiscoverArgs, workbench: &Workbench) -> Result<Option<Vec<usize>>, Failure> {
    if args.laws || !args.each && args.functions.len() < 2 {
        return Ok(None);
    }
    named_or_all(args, workbench).map(Some)
}

/// A search for each of some functions, which share the time equally.
struct Each<'a> {
    args: &'a DiscoverArgs,
    workbench: &'a Arc<Workbench>,
    functions: Vec<usize>,
    options: DiscoverOptions,
}

impl<'a> Each<'a> {
    fn new(
        args: &'a DiscoverArgs,
        workbench: &'a Arc<Workbench>,
        functions: Vec<usize>,
    ) -> Result<Self, Failure> {
        let usual = options(args)?;
        let share = args.time / functions.len().max(1) as u32;
        let versions = args.data.versions.open(workbench)?;
        let options =
            DiscoverOptions { time: Some(share), frames: Some(frame_maker(workbench)), versions, ..usual };
        Ok(Each { args, workbench, functions, options })
    }

    fn name(&self, function: usize) -> &str {
        &self.workbench.functions()[function].name
    }

    /// Searches for relations of one function.
    fn search(&self, function: usize) -> Result<DiscoveryRecord, Failure> {
        let options = DiscoverOptions { so_far: SoFar::default(), ..self.options.clone() };
        discover(self.workbench, function, &options, interrupt::listen())
    }

    /// Searches for relations of each function in this way, prints them and writes them to one file.
    fn tell(&self, search: impl Fn(usize) -> Result<DiscoveryRecord, Failure>) -> Result<Exit, Failure> {
        let answer = FoundAnswer::new(self.args, &self.workbench.target.manifest, "discovered.mr")?;
        let so_far: SoFar<Vec<DiscoveryRecord>> = SoFar::default();
        answer.knows(&so_far, self.args.time, |found, _| dodona_report::name_apart(found));
        let mut found = Vec::new();
        let shown = |function: &usize| self.name(*function).to_owned();
        let (_, failed) = Failed::run("functions", &self.functions, shown, |function| {
            found.push(search(*function)?);
            so_far.note(found.clone());
            Ok(())
        });
        dodona_report::name_apart(&mut found);
        let exit = answer.tell(&found, interrupt::is_raised())?;
        Ok(failed.or(exit))
    }
}

impl Found for Vec<DiscoveryRecord> {
    fn is_empty(&self) -> bool {
        self.iter().all(|record| record.relations.is_empty())
    }

    fn contradictions(&self) -> Vec<String> {
        self.iter().flat_map(|record| record.contradictions.clone()).collect()
    }

    fn file(&self, command: &str) -> String {
        dodona_report::discoveries_file(self, command)
    }
}

/// Searches for relations of each of these functions.
pub(super) fn run(
    args: &DiscoverArgs,
    workbench: &Arc<Workbench>,
    functions: Vec<usize>,
) -> Result<Exit, Failure> {
    let each = Each::new(args, workbench, functions)?;
    each.tell(|function| each.search(function))
}

/// The key of what a discovery depends on, apart from its options.
fn key_of(path: &Path, args: &DiscoverArgs) -> Result<Key, Failure> {
    verb_key("discover", args.data.from.iter(), &open::manifest(path)?)
}

/// The key of the discovery of a function.
fn key_of_function(key: Key, name: &str) -> Key {
    KeyBuilder::new("discovery").with(key.bytes()).with(name).key()
}

/// What is done in shards: each of them takes some of the functions.
fn of_subject<'a>(
    args: &'a DiscoverArgs,
    key_of: &'a dyn Fn(&Path) -> Result<Key, Failure>,
) -> OfSubjects<'a> {
    OfSubjects { paths: std::slice::from_ref(&args.subject), key_of, seed: args.seed.number, each: 1 }
}

/// The subject and the functions that shards are made of.
fn opened(args: &DiscoverArgs) -> Result<(Arc<Workbench>, Vec<usize>), Failure> {
    let workbench = Arc::new(open::without_relations(&args.subject)?);
    match functions(args, &workbench)? {
        Some(functions) => Ok((workbench, functions)),
        None => Err(Failure::usage(
            "shards have a search for each of several functions: name them, or take all with --each; a search for laws is one piece of work",
        )),
    }
}

/// Searches for relations of the functions of one shard and writes its file, unless that is there already.
pub(super) fn shard(args: &DiscoverArgs, shard: ShardNumber) -> Result<Exit, Failure> {
    interrupt::listen();
    let (workbench, functions) = opened(args)?;
    // What the merge would refuse is refused before the long run.
    FoundAnswer::new(args, &workbench.target.manifest, "discovered.mr")?;
    let key_of = |path: &Path| key_of(path, args);
    of_subject(args, &key_of).make(shard, &args.shard, |path, key, making| {
        let each = Each::new(args, &workbench, functions.clone())?;
        let own = functions.iter().skip(shard.number() as usize - 1).step_by(shard.of() as usize);
        each.keep(own.copied(), (path, key), making)
    })
}

impl Each<'_> {
    /// Searches for relations of some functions, and keeps what is found.
    fn keep(
        &self,
        functions: impl Iterator<Item = usize>,
        (path, key): (&Path, Key),
        making: &mut Making,
    ) -> Result<(), Failure> {
        let subject = path.display().to_string();
        for function in functions {
            let name = self.name(function);
            let piece = Piece {
                key: key_of_function(key, name),
                kind: "discover",
                subject: &subject,
                subject_name: &self.workbench.target.manifest.name,
                about: name,
            };
            let found: Option<Option<DiscoveryRecord>> = making.piece(piece, || {
                Ok(match self.search(function) {
                    Ok(DiscoveryRecord { stop: DiscoveryStop::Interrupted { .. }, .. }) => None,
                    Ok(record) => Some(Some(record)),
                    Err(_) if interrupt::is_raised() => None,
                    // One that fails fails where the shards are merged, too, and is told there.
                    Err(_) => Some(None),
                })
            })?;
            if found.is_none() {
                break;
            }
        }
        Ok(())
    }
}

/// Whether shards are of what is here.
///
/// # Errors
/// When they are not.
pub(in crate::verbs) fn are_of_this(head: &ShardHead, args: &DiscoverArgs) -> Result<(), Failure> {
    let of = |path: &Path| key_of(path, args);
    of_subject(args, &of).same_keys(head).map(drop)
}

/// Puts a discovery together from its shards, prints it and writes the file of its relations.
///
/// # Errors
/// When the shards are of other code than what is here, or one cannot be read any more.
pub(in crate::verbs) fn merge(
    set: &ShardSet,
    head: &ShardHead,
    args: &DiscoverArgs,
) -> Result<Exit, Failure> {
    let of = |path: &Path| key_of(path, args);
    let subject = of_subject(args, &of);
    let keys = subject.same_keys(head)?;
    let (workbench, functions) = opened(args)?;
    let each = Each::new(args, &workbench, functions)?;
    let key = keys.values().next().copied().map_or_else(|| of(&args.subject), Ok)?;
    let mut found: HashMap<Key, Option<DiscoveryRecord>> = HashMap::new();
    for piece in set.pieces() {
        let piece = piece.map_err(shards::unreadable)?;
        found.insert(piece.key, shards::result_of(&piece)?);
    }
    let of_function = |function: usize| key_of_function(key, each.name(function));
    if !each.functions.iter().all(|function| found.contains_key(&of_function(*function))) {
        return Err(shards::other_work(&workbench.target.manifest.name, "functions"));
    }
    each.tell(|function| match found.get(&of_function(function)) {
        Some(Some(record)) => Ok(record.clone()),
        Some(None) | None => each.search(function),
    })
}
