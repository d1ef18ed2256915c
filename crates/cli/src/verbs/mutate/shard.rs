//! `dodona mutate --shard 3/16`: the mutants of one shard, and the analysis that is put together from all of them.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dodona_mutation::{DivideMutants, MutantsRan, MutateOptions, MutateOutcome, RunMutants, mutate_in_parts};
use dodona_records::MutantId;
use dodona_session::{Key, KeyBuilder, ShardHead, ShardNumber, ShardSet};
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::{MutateArgs, analyse, analyse_all, check_files, options, shown, violated};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::shards::{self, Making, OfSubjects, UnitsOf, verb_key};
use crate::{interrupt, open};

/// How many units each shard has. All tests are run once for each unit, on a version that notes what they infect, so that there are few of them; and a shard that was ended does one of
/// them again.
const EACH: u32 = 4;

fn of_subjects<'a>(
    args: &'a MutateArgs,
    key_of: &'a dyn Fn(&Path) -> Result<Key, Failure>,
) -> OfSubjects<'a> {
    OfSubjects { paths: &args.subjects.paths, key_of, seed: args.seed.number, each: EACH }
}

/// Runs the mutants of one shard and writes its file, unless that is there already.
pub(super) fn run(args: &MutateArgs, shard: ShardNumber) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    // What the merge would refuse is refused before the long run.
    check_files(args)?;
    let options = options(args)?;
    let key_of = |path: &Path| key_of(path, args);
    let of = of_subjects(args, &key_of);
    of.make(shard, &args.shard, |path, key, making| {
        let workbench = Arc::new(open::opened_module(module(path)?, &args.relations.files)?);
        let units = |mutants| of.units(shard.of()).of(shard, mutants);
        let mut part = Part { workbench: &workbench, path, key, failed: None };
        let outcome = part.analyse(&options, interrupted, &mut |part, mutants, run| {
            part.run(mutants, units(mutants.len() as u64), making, run)
        })?;
        match outcome {
            Some(MutateOutcome::BaselineViolated(check)) => Err(violated(*check, args, interrupted)?),
            Some(MutateOutcome::Analysed(_)) | None => Ok(()),
        }
    })
}

/// Puts an analysis together from its shards, and prints it.
///
/// # Errors
/// When the shards are of other code, relations or inputs than what is here, or one cannot be read any more.
pub(in crate::verbs) fn merge(set: &ShardSet, head: &ShardHead, args: &MutateArgs) -> Result<Exit, Failure> {
    let key_of = |path: &Path| key_of(path, args);
    let of = of_subjects(args, &key_of);
    let keys = of.same_keys(head)?;
    let failed = shards::failed_subjects(set, drop)?;
    analyse_all(args, &options(args)?, &|path, workbench, options, interrupted| {
        if failed.contains(path) {
            return analyse(workbench, options, interrupted);
        }
        let units = |mutants| of.units(head.shard.of()).all(mutants);
        let key = keys.get(path).copied().map_or_else(|| key_of(path), Ok)?;
        let mut part = Part { workbench, path, key, failed: None };
        let outcome = part.analyse(options, interrupted, &mut |part, mutants, _| {
            part.merged(mutants, units(mutants.len() as u64), set)
        })?;
        outcome.ok_or_else(|| shards::other_work(&workbench.target.manifest.name, "mutants"))
    })
}

/// The manifest of a module: of what is called in processes there are no mutants.
fn module(path: &Path) -> Result<dodona_subject::Manifest, Failure> {
    let manifest = open::manifest(path)?;
    match dodona::is_outside(&manifest) {
        true => Err(Failure::usage(format!(
            "shards have the mutants of a WebAssembly module, and {} is called in processes",
            manifest.name
        ))),
        false => Ok(manifest),
    }
}

/// Whether shards are of what is here.
///
/// # Errors
/// When they are not.
pub(in crate::verbs) fn are_of_this(head: &ShardHead, args: &MutateArgs) -> Result<(), Failure> {
    let key_of = |path: &Path| key_of(path, args);
    of_subjects(args, &key_of).same_keys(head).map(drop)
}

/// The key of what an analysis of a subject depends on, apart from its options.
fn key_of(path: &Path, args: &MutateArgs) -> Result<Key, Failure> {
    let files = args.relations.files.relation_files.iter().chain(&args.from);
    verb_key("mutate", files, &module(path)?)
}

/// The analysis of a subject, in units.
struct Part<'a> {
    workbench: &'a Arc<Workbench>,
    path: &'a Path,
    key: Key,
    /// Why the results of mutants could not be kept or read.
    failed: Option<Failure>,
}

/// How the results of all mutants are come by.
type Results<'r> =
    dyn FnMut(&mut Part<'_>, &[MutantId], &mut RunMutants<'_>) -> Result<Option<MutantsRan>, Failure> + 'r;

impl Part<'_> {
    /// An analysis whose mutants are run, or known, as `results` says.
    fn analyse(
        &mut self,
        options: &MutateOptions,
        interrupted: &Interruption,
        results: &mut Results<'_>,
    ) -> Result<Option<MutateOutcome>, Failure> {
        let workbench = Arc::clone(self.workbench);
        let divide: &mut DivideMutants<'_> = &mut |mutants, run| {
            let ran = results(self, mutants, run);
            Ok(ran.unwrap_or_else(|why| {
                self.failed = Some(why);
                None
            }))
        };
        let outcome = shown(&workbench, |progress| {
            mutate_in_parts(&workbench, options, interrupted, progress, divide)
        })?;
        self.failed.take().map_or(Ok(outcome), Err)
    }

    /// The units of its mutants.
    fn units_of(&self, mutants: &[MutantId]) -> UnitsOf<'_> {
        let numbers: Vec<u8> = mutants.iter().flat_map(|mutant| mutant.0.to_le_bytes()).collect();
        let key = KeyBuilder::new("part of an analysis").with(self.key.bytes()).with(numbers);
        let subject = self.path.display().to_string();
        let subject_name = &self.workbench.target.manifest.name;
        UnitsOf { kind: "mutants", items: "mutants", subject, subject_name, key }
    }

    /// Runs the mutants of some units.
    fn run(
        &self,
        mutants: &[MutantId],
        units: impl Iterator<Item = Range<u64>>,
        making: &mut Making,
        run: &mut RunMutants<'_>,
    ) -> Result<Option<MutantsRan>, Failure> {
        making.units(&self.units_of(mutants), units, |unit| {
            run(unit.start as usize..unit.end as usize).map_err(open::lab_failure)
        })?;
        Ok(None)
    }

    /// The results of all mutants, as the shards have them; nothing where these are of other mutants.
    fn merged(
        &self,
        mutants: &[MutantId],
        units: impl Iterator<Item = Range<u64>>,
        set: &ShardSet,
    ) -> Result<Option<MutantsRan>, Failure> {
        let of = self.units_of(mutants);
        let places: HashMap<Key, usize> =
            units.enumerate().map(|(place, unit)| (of.key(&unit), place)).collect();
        let mut found: Vec<Option<MutantsRan>> = places.iter().map(|_| None).collect();
        for piece in set.pieces() {
            let piece = piece.map_err(shards::unreadable)?;
            if let Some(&place) = places.get(&piece.key) {
                found[place] = Some(shards::result_of(&piece)?);
            }
        }
        let mut all = MutantsRan::default();
        for ran in found {
            let Some(ran) = ran else { return Ok(None) };
            all.append(ran);
        }
        Ok(Some(all))
    }
}
