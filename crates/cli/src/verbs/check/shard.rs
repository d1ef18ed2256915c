//! `dodona check --shard 3/16`: the part of a check that is one shard's, and the check that is put together from all of them.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use dodona::CheckPlan;
use dodona_records::CheckRecord;
use dodona_session::{Key, KeyBuilder, ShardHead, ShardNumber, ShardPiece, ShardSet};
use dodona_target::{Interruption, Until};
use dodona_workbench::{PartSeen, PreparedCheck};

use super::{CheckArgs, Opened, opened, plan, run_all, subject};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::shards::{self, Making, OfSubjects, Units, UnitsOf, verb_key};
use crate::{interrupt, open};

/// How many units each shard has. With more of them the shares cost more nearly the same, for relations differ in what they cost; with fewer, fewer batches of source inputs are drawn
/// twice, in two units that share one. With 32 a shard that was ended does 3 % of its work again.
const EACH: u32 = 32;

fn of_subjects<'a>(args: &'a CheckArgs, key_of: &'a dyn Fn(&Path) -> Result<Key, Failure>) -> OfSubjects<'a> {
    OfSubjects { paths: &args.subjects.paths, key_of, seed: args.seed.number, each: EACH }
}

/// Runs the source inputs of one shard and writes its file, unless that is there already.
pub(super) fn run(args: &CheckArgs, shard: ShardNumber) -> Result<Exit, Failure> {
    let interrupted = interrupt::listen();
    let plan = plan(args)?;
    let key_of = |path: &Path| key_of(path, args);
    let of = of_subjects(args, &key_of);
    of.make(shard, &args.shard, |path, key, making| {
        let part = Part { args, plan: &plan, path, key, units: of.units(shard.of()) };
        part.run(shard, making, interrupted)
    })
}

/// Puts a check together from its shards, and prints it.
///
/// # Errors
/// When the shards are of other code, relations or inputs than what is here, or one cannot be read any more.
pub(in crate::verbs) fn merge(set: &ShardSet, head: &ShardHead, args: &CheckArgs) -> Result<Exit, Failure> {
    let key_of = |path: &Path| key_of(path, args);
    let of = of_subjects(args, &key_of);
    let keys = of.same_keys(head)?;
    let plan = plan(args)?;
    let mut pieces: HashMap<Key, ShardPiece> = HashMap::new();
    let failed = shards::failed_subjects(set, |piece| _ = pieces.insert(piece.key, piece))?;
    run_all(args, &|path, interrupted| {
        if failed.contains(path) {
            return subject(path, args, &plan, interrupted);
        }
        let key = keys.get(path).copied().map_or_else(|| key_of(path), Ok)?;
        let units = of.units(head.shard.of());
        Part { args, plan: &plan, path, key, units }.merged(&pieces, interrupted)
    })
}

/// Whether shards are of what is here.
///
/// # Errors
/// When they are not.
pub(in crate::verbs) fn are_of_this(head: &ShardHead, args: &CheckArgs) -> Result<(), Failure> {
    let key_of = |path: &Path| key_of(path, args);
    of_subjects(args, &key_of).same_keys(head).map(drop)
}

/// The key of what a check of a subject depends on, apart from its options.
fn key_of(path: &Path, args: &CheckArgs) -> Result<Key, Failure> {
    let files = args.relations.files.relation_files.iter().chain(&args.from);
    verb_key("check", files, &open::manifest(path)?)
}

/// The check of a subject, in units.
struct Part<'a> {
    args: &'a CheckArgs,
    plan: &'a CheckPlan,
    path: &'a Path,
    key: Key,
    units: Units,
}

impl Part<'_> {
    /// The units of its source inputs.
    fn units_of<'n>(&self, prepared: &PreparedCheck<'_>, subject_name: &'n str) -> UnitsOf<'n> {
        let key = KeyBuilder::new("part of a check").with(self.key.bytes()).with(prepared.identity());
        let subject = self.path.display().to_string();
        UnitsOf { kind: "check", items: "source inputs", subject, subject_name, key }
    }

    /// Runs the source inputs of one shard.
    fn run(
        &self,
        shard: ShardNumber,
        making: &mut Making,
        interrupted: &Interruption,
    ) -> Result<(), Failure> {
        let Opened { planned, name, .. } = opened(self.path, self.args, self.plan, interrupted)?;
        let prepared = planned.prepared().map_err(open::lab_failure)?;
        let own: Vec<Range<u64>> = self.units.of(shard, prepared.sources()).collect();
        let all = own.iter().map(|sources| sources.end - sources.start).sum();
        let mut bar = Progress::new("sources");
        let until = Until::interrupted(interrupted);
        making.units(&self.units_of(&prepared, &name), own.iter().cloned(), |sources| {
            let before: u64 =
                own.iter().filter(|one| one.end <= sources.start).map(|one| one.end - one.start).sum();
            let seen = prepared.part(sources, &until, &mut |p| bar.update(&name, before + p.run, all));
            seen.map_err(open::lab_failure)
        })?;
        bar.finish();
        Ok(())
    }

    /// The record, and where Dodona contradicts itself.
    fn merged(
        &self,
        pieces: &HashMap<Key, ShardPiece>,
        interrupted: &Interruption,
    ) -> Result<(CheckRecord, Vec<String>), Failure> {
        let Opened { planned, name, .. } = opened(self.path, self.args, self.plan, interrupted)?;
        let prepared = planned.prepared().map_err(open::lab_failure)?;
        let units = self.units_of(&prepared, &name);
        let mut seen = PartSeen::default();
        for sources in self.units.all(prepared.sources()) {
            let piece = pieces.get(&units.key(&sources));
            let piece = piece.ok_or_else(|| shards::other_work(&name, "source inputs"))?;
            seen.add(shards::result_of(piece)?);
        }
        let record = prepared.merged(seen, &Until::interrupted(interrupted)).map_err(open::lab_failure)?;
        let checked = planned.complete(record);
        Ok((checked.record, checked.contradictions))
    }
}
