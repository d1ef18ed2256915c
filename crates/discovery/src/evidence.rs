//! Which mutants the relations found kill: mutation analysis with these relations on new inputs.

use std::collections::BTreeSet;
use std::sync::Arc;

use dodona_evidence::{
    Against, Binding, CheckRecord, DiscoveredRelation, FoundBy, Mode, MutantId, MutationRecord,
    RelationVerdict, StopReason,
};
use dodona_evolution::discovery::Origin;
use dodona_mutation::mutate::mutate_set;
use dodona_mutation::{ComparedMutants, MutateOptions, MutateOutcome};
use dodona_relations::ast::{File, Name, Relation};
use dodona_sources::Seed;
use dodona_workbench::{LabError, Until, Workbench};

use crate::DiscoverOptions;
use crate::candidate;
use crate::chosen::Chosen;
use crate::collect::{Budget, Mutated};
use crate::confirm::Confirmed;
use crate::search::Tried;
use crate::target::Target;

/// How many source inputs each relation gets if the function is too slow for more.
const FEWEST_INPUTS: u64 = 4;

/// A relation that kills less than 1/`WEAK` as many mutants as the best relation is left out: on new inputs it does not keep what
/// it promised on the recorded ones.
const WEAK: usize = 8;

/// The relations with their evidence.
pub(super) struct Evidence {
    pub(super) relations: Vec<DiscoveredRelation>,
    /// The held-out mutants that the relations kill together.
    pub(super) held_out_caught: Vec<MutantId>,
    /// How many mutants there was no time to run the relations on.
    pub(super) left: u64,
    /// Relations that the analysis found violated on the original, so they are not valid.
    pub(super) violated: Vec<Violation>,
}

/// A relation that does not hold on the original, and where.
pub(super) struct Violation {
    /// Its index among the relations that were run.
    pub(super) place: usize,
    /// The source input.
    pub(super) source: Vec<Binding>,
}

/// Names the relations, and determines which mutants each kills.
pub(super) fn evidence(
    target: &Target<'_>,
    confirmed: &[Confirmed],
    tried: &[Tried],
    (mutated, budget): (&Mutated, &Budget),
    options: &DiscoverOptions,
    until: &Until,
) -> Result<Evidence, LabError> {
    let names = names(target.workbench, target.function, confirmed, tried);
    let text = text(confirmed.iter().map(|one| &one.chosen), &names);
    let outcome = match mutated.searched.is_empty() && mutated.held_out.is_empty() || confirmed.is_empty() {
        true => None,
        false => {
            let known: Vec<MutantId> = mutated.searched.iter().chain(&mutated.held_out).copied().collect();
            let inputs = budget.analysed(known.len(), confirmed.len()).unwrap_or(FEWEST_INPUTS);
            Some(analysed(target, (&text, inputs), &known, options, until)?)
        }
    };
    let record = match outcome {
        Some(MutateOutcome::BaselineViolated(check)) => {
            let violated = violated(&check, &names);
            return Ok(Evidence { relations: Vec::new(), held_out_caught: Vec::new(), violated, left: 0 });
        }
        Some(MutateOutcome::Analysed(analysis)) => Some(analysis.record),
        None => None,
    };
    let left = record.as_ref().map_or(0, |record| match record.stop {
        StopReason::Interrupted { run, planned } => planned - run,
        _ => 0,
    });
    let caught: Vec<BTreeSet<MutantId>> = names.iter().map(|name| catches(record.as_ref(), name)).collect();
    let within = |all: &BTreeSet<MutantId>, some: &[MutantId]| -> Vec<MutantId> {
        some.iter().filter(|id| all.contains(id)).copied().collect()
    };
    // Only mutants that the search saw count: the held-out mutants are for scoring and must not influence the choice.
    let counts: Vec<usize> = caught.iter().map(|set| within(set, &mutated.searched).len()).collect();
    let best = counts.iter().copied().max().unwrap_or(0);
    let kept: Vec<usize> = (0..caught.len()).filter(|&i| counts[i] * WEAK >= best).collect();
    let mut relations = Vec::new();
    for &place in &kept {
        let (one, name) = (&confirmed[place], &names[place]);
        let others = || kept.iter().filter(|i| **i != place).map(|&i| &caught[i]);
        let mine = within(&caught[place], &mutated.searched);
        relations.push(DiscoveredRelation {
            name: name.clone(),
            text: named(&one.chosen, name).to_string(),
            transformation: tried[one.chosen.tried].transformation.name.clone(),
            given: tried[one.chosen.tried].transformation.given(),
            found_by: match one.chosen.candidate.origin {
                Origin::Enumeration => FoundBy::Enumeration,
                Origin::Evolution { generation } => FoundBy::Evolution { generation },
            },
            sources_tried: one.held + one.ineligible,
            held: one.held,
            ineligible: one.ineligible,
            proof: one.proof,
            only: mine.iter().filter(|id| !others().any(|set| set.contains(id))).copied().collect(),
            held_out_caught: within(&caught[place], &mutated.held_out).len() as u64,
            caught: mine,
        });
    }
    let together: BTreeSet<MutantId> = kept.iter().flat_map(|&i| caught[i].iter().copied()).collect();
    Ok(Evidence {
        relations,
        held_out_caught: within(&together, &mutated.held_out),
        violated: Vec::new(),
        left,
    })
}

fn names(workbench: &Workbench, function: usize, confirmed: &[Confirmed], tried: &[Tried]) -> Vec<String> {
    let declared = &workbench.manifest.functions[function];
    let mut names: Vec<String> = Vec::new();
    for one in confirmed {
        let name = candidate::name(declared, &tried[one.chosen.tried].transformation, &names);
        names.push(name);
    }
    names
}

fn named(one: &Chosen, name: &str) -> Relation {
    Relation { name: Name::new(name), ..one.relation.clone() }
}

/// A file of relations with these names.
pub(super) fn text<'c>(all: impl Iterator<Item = &'c Chosen>, names: &[String]) -> String {
    File { relations: all.zip(names).map(|(one, name)| named(one, name)).collect() }.to_string()
}

/// Mutation analysis of some mutants with the relations of a text, each on `inputs` source inputs.
pub(super) fn analysed(
    target: &Target<'_>,
    (text, inputs): (&str, u64),
    wanted: &[MutantId],
    options: &DiscoverOptions,
    until: &Until,
) -> Result<MutateOutcome, LabError> {
    let workbench = Arc::new(target.workbench.with_relations(text)?);
    let options = MutateOptions {
        against: Against::Relations,
        inputs,
        // These are other inputs than those of the search.
        seed: Seed(!options.seed.0),
        mode: Mode::EachRelation,
        ..target.mutate_options(options)
    };
    let wanted: BTreeSet<MutantId> = wanted.iter().copied().collect();
    // They were compared before any of them was run.
    let compare = |_: &mut Vec<String>| {
        let mutants = target.mutants.asked().into_iter();
        Ok(ComparedMutants::taken_as_distinct(mutants.filter(|mutant| wanted.contains(&mutant.id)).collect()))
    };
    mutate_set(&workbench, &target.mutants, compare, &options, until, &mut |_| {})
}

/// The relations that do not hold on the original, by ascending index.
pub(super) fn violated(check: &CheckRecord, names: &[String]) -> Vec<Violation> {
    let violation = |(place, name): (usize, &String)| {
        let relation = check.relations.iter().find(|r| r.name == *name)?;
        let source = || relation.counterexample.as_ref().map_or_else(Vec::new, |c| c.found.clone());
        (relation.verdict() == RelationVerdict::Violated).then(|| Violation { place, source: source() })
    };
    names.iter().enumerate().filter_map(violation).collect()
}

/// The mutants that a relation kills.
pub(super) fn catches(record: Option<&MutationRecord>, name: &str) -> BTreeSet<MutantId> {
    let mutants = record.iter().flat_map(|record| &record.mutants);
    mutants.filter(|m| m.killed_by.iter().any(|kill| kill.relation == name)).map(|m| m.id).collect()
}
