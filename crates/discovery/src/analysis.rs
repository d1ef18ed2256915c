//! Mutation analysis with the relations of a discovery: which mutants they kill, and which of them do not hold on the original.
//!
//! Relations are scored on mutants that are held out, and on random source inputs of another stream than those of the search. The stream
//! changes whenever the search has learned from a refuting input (`Searches::fresh`). They are scored on the source inputs of techniques
//! as well, because few other inputs reveal the mutants of rare paths; the held-out mutants were not run on these inputs before. The
//! kills of a relation are those of mutation analysis with the relation itself, not those that the recorded executions promise.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use dodona_mutation::{ComparedMutants, Mutant, MutateOptions, MutateOutcome, mutate::mutate_set};
use dodona_records::{Against, Binding, CheckRecord, Mode, MutantId, MutationRecord, RelationVerdict};
use dodona_relations::ast::{Name, Relation};
use dodona_sources::Seed;
use dodona_target::Until;
use dodona_workbench::{LabError, Relations};

use crate::DiscoverOptions;
use crate::chosen::Chosen;
use crate::patterns::near_inputs;
use crate::sources::SourceInputs;
use crate::target::DiscoveryTarget;

/// One source input in so many of a mutation analysis is not random, if that many are as quick as random ones. With one in four, fewer mutants of rare paths are revealed: of
/// those of `charge`, relations that were chosen so caught 0.78, with one in two 0.84.
const NEAR_IN: u64 = 2;

/// The warning that nothing is run on mutants, because these are made of WebAssembly code and the target has none.
pub(super) fn no_mutants(workbench: &dodona_workbench::Workbench) -> String {
    let kind = workbench.target.traits().kind;
    format!("no mutants are run: they are made of WebAssembly modules, and these are {kind}")
}

/// A relation that does not hold on the original, and where.
pub(super) struct BaselineViolation {
    /// Its index among the relations that were run.
    pub(super) place: usize,
    /// The source input.
    pub(super) source: Vec<Binding>,
}

/// A relation with a name.
pub(super) fn named(one: &Chosen, name: &str) -> Relation {
    Relation { name: Name::new(name), ..one.relation.clone() }
}

/// The relations with these names.
pub(super) fn all_named<'c>(all: impl Iterator<Item = &'c Chosen>, names: &[String]) -> Vec<Relation> {
    all.zip(names).map(|(one, name)| named(one, name)).collect()
}

/// Mutation analysis of the wanted mutants with these relations, each on `inputs` source inputs. Most of these are random; the others are the source inputs
/// of the search that are not, and edited ones. Random inputs alone do not reveal the mutants of paths that they hardly ever take.
///
/// # Errors
/// When a relation is not valid, or the host fails.
pub(super) fn analysed(
    target: &DiscoveryTarget<'_>,
    (sources, relations): (&SourceInputs, &[Relation]),
    (against, inputs): (Against, u64),
    wanted: &[MutantId],
    options: &DiscoverOptions,
    until: &Until,
) -> Result<MutateOutcome, LabError> {
    let relations = Relations::of_trees(relations, target.workbench.functions())?;
    let workbench = Arc::new(target.workbench.with(relations));
    // These are other inputs than those of the search.
    let seed = Seed(!options.seed.0);
    let near = near_inputs(target, sources, inputs / NEAR_IN, seed)?;
    let options = MutateOptions {
        against,
        inputs: inputs - near.as_ref().map_or(0, |near| near.columns[0].len() as u64).min(inputs),
        made: near.into_iter().collect(),
        seed,
        mode: Mode::EachRelation,
        ..target.mutate_options(options)
    };
    // They were compared before any of them was run. In this order, what was compiled for the first ones serves again.
    let compare = |_: &mut Vec<String>| {
        let all: HashMap<MutantId, &Mutant> = target.mutants.asked().into_iter().map(|m| (m.id, m)).collect();
        let mutants = wanted.iter().filter_map(|id| all.get(id).copied());
        Ok(ComparedMutants::taken_as_distinct(mutants.collect()))
    };
    mutate_set(&workbench, &target.mutants, compare, &options, until, &mut |_| {})
}

/// The relations that do not hold on the original, by ascending index.
pub(super) fn violated(check: &CheckRecord, names: &[String]) -> Vec<BaselineViolation> {
    let violation = |(place, name): (usize, &String)| {
        let relation = check.relations.iter().find(|r| r.name == *name)?;
        let source = || relation.counterexample.as_ref().map_or_else(Vec::new, |c| c.found.clone());
        let is_violated = relation.verdict() == RelationVerdict::Violated;
        is_violated.then(|| BaselineViolation { place, source: source() })
    };
    names.iter().enumerate().filter_map(violation).collect()
}

/// The mutants that a relation kills.
pub(super) fn killed_by(record: Option<&MutationRecord>, name: &str) -> BTreeSet<MutantId> {
    let mutants = record.iter().flat_map(|record| &record.mutants);
    mutants.filter(|m| m.killed_by.iter().any(|kill| kill.relation == name)).map(|m| m.id).collect()
}

/// The faulty versions that a relation kills, by their places.
pub(super) fn versions_killed_by(record: Option<&MutationRecord>, name: &str) -> BTreeSet<usize> {
    let versions = record.iter().flat_map(|record| record.versions.iter().enumerate());
    let killed = versions.filter(|(_, version)| version.killed_by.iter().any(|kill| kill.relation == name));
    killed.map(|(place, _)| place).collect()
}
