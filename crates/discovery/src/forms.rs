//! Relations of known forms, which are looked for before the search: laws and patterns.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dodona_inference::discovery::{Candidate, Origin};
use dodona_records::{DiscoveryProof, LawRecord, MutantId, RelationVerdict};
use dodona_relations::ast::{Body, Expression, Relation};
use dodona_relations::parse;
use dodona_sources::Seed;
use dodona_target::splitmix64;
use dodona_workbench::{CheckOptions, LabError, Relations, check::check_until};
use fixedbitset::FixedBitSet;

use crate::chosen::{Chosen, ChosenBy, Form, FormKind};
use crate::collect::Budget;
use crate::distinct::shape;
use crate::filter::SampleSize;
use crate::laws::{LawsOfFunction, laws_of};
use crate::patterns::{TestedOn, patterns};
use crate::relation_of::{self, aside};
use crate::relation_test::Confirmed;
use crate::search::Searches;
use crate::target::DiscoveryTarget;
use crate::tuning::{BATCHES_OF_FORMS, LAWS_SHARE, LEAST_LAWS_SHARE, MOST_LAWS, TEST_END};
use crate::watch::Watch;
use crate::{DiscoverOptions, DiscoverProgress, Stage};

/// The laws of the function that hold. They need no executions of mutants, and are looked for before these are collected: what takes its share of the time
/// first is sure to have it.
///
/// # Errors
/// When the host fails.
pub(super) fn laws(
    target: &DiscoveryTarget<'_>,
    options: &DiscoverOptions,
    budget: &Budget,
    watch: &Watch<'_>,
    progress: &mut dyn FnMut(&DiscoverProgress),
) -> Result<Vec<Chosen>, LabError> {
    if !options.forms.laws || !watch.may_go_on() {
        return Ok(Vec::new());
    }
    progress(&DiscoverProgress::of(Stage::Forms, watch.left()));
    let until = watch.until_or_for(LAWS_SHARE, LEAST_LAWS_SHARE);
    let LawsOfFunction { laws, textbook, time_decided } =
        laws_of(target, options, budget.fresh(options.fresh), &until)?;
    if time_decided {
        watch.clock_decided();
    }
    let as_form = |(place, law): (usize, LawRecord)| {
        let LawRecord { text, name, words, held, ineligible, .. } = law;
        let kind = if place < textbook { FormKind::Law } else { FormKind::Known };
        let form = Form { kind, name, words, held, ineligible };
        chosen(&text, form, FixedBitSet::new())
    };
    let is_told = |(place, _): &(usize, LawRecord)| *place >= textbook || *place < MOST_LAWS;
    Ok(laws.into_iter().enumerate().filter(is_told).filter_map(as_form).collect())
}

/// The relations of known forms that hold: what is true of every single output first, then these laws, then patterns.
///
/// # Errors
/// When the host fails.
pub(super) fn forms(
    searches: &Searches<'_>,
    searched: &[MutantId],
    laws: Vec<Chosen>,
) -> Result<Vec<Chosen>, LabError> {
    let Searches { target, options, watch, budget, sources, .. } = searches;
    let mut found = laws;
    if options.forms.patterns && watch.may_go_on() {
        for pattern in patterns(target, sources, options, searched, budget, watch)? {
            let kind = if pattern.is_invariant { FormKind::Invariant } else { FormKind::Pattern };
            let TestedOn { held, ineligible } = pattern.tested;
            let form = Form { kind, name: pattern.name, words: pattern.words, held, ineligible };
            let pattern = chosen(&pattern.text, form, pattern.killed);
            let functions = target.workbench.functions();
            let said = |one: &Chosen| shape(&one.relation, functions);
            let is_new = |pattern: &Chosen| found.iter().all(|law| said(law) != said(pattern));
            found.extend(pattern.filter(is_new));
        }
    }
    found.sort_by_key(|one| one.form().is_none_or(|form| form.kind != FormKind::Invariant));
    Ok(found)
}

/// A relation of a known form as a chosen relation.
fn chosen(text: &str, form: Form, killed: FixedBitSet) -> Option<Chosen> {
    let relation = parse(text).ok()?.relations.pop()?;
    let candidate = Candidate {
        condition: None,
        parts: Vec::new(),
        caught: killed,
        false_negatives: 0,
        size: size(&relation),
        condition_size: relation.condition.as_ref().map_or(0, nodes),
        origin: Origin::Enumeration,
    };
    Some(Chosen { by: ChosenBy::Form(Arc::new(form)), relation, candidate: Arc::new(candidate) })
}

/// The number of nodes of a relation. A call counts as one node, plus the nodes of arguments that are not plain names.
fn size(relation: &Relation) -> usize {
    let condition = relation.condition.as_ref().map_or(0, nodes);
    let body = match &relation.body {
        Body::Calls(expect) => nodes(expect),
        Body::Primed { given, expect } => {
            given.iter().map(|assignment| nodes(&assignment.value)).sum::<usize>() + nodes(expect)
        }
    };
    condition + body
}

fn nodes(expression: &Expression) -> usize {
    1 + expression.children().into_iter().map(nodes).sum::<usize>()
}

/// Runs a relation of a known form on new inputs, drawn for each of its variables, in a slice of the time. `None` if an input
/// refutes it, or if no input is eligible. If there is no time for the fewest inputs, the relation counts with those on which it was
/// found to hold, and is confirmed if these were as many.
///
/// # Errors
/// When the host fails.
pub(super) fn confirmed(
    searches: &Searches<'_>,
    chosen: &Chosen,
    SampleSize { rows, least }: SampleSize,
    slice: Option<Duration>,
) -> Result<Option<Confirmed>, LabError> {
    let Searches { target, options, watch, .. } = searches;
    let relations =
        Relations::of_trees(std::slice::from_ref(&chosen.relation), target.workbench.functions())?;
    let alone = target.workbench.about(relations);
    let started = Instant::now();
    let (mut done, mut held, mut ineligible) = (0, 0, 0);
    for batch in 0..BATCHES_OF_FORMS {
        let sources = (rows - done).min(rows.div_ceil(BATCHES_OF_FORMS).max(least));
        let is_late = slice.is_some_and(|slice| started.elapsed() >= slice);
        if is_late {
            watch.clock_decided();
        }
        if sources == 0 || is_late && done >= least {
            break;
        }
        let check = batch_of(sources, batch, options);
        let record = match check_until(alone.clone(), &check, &watch.until(TEST_END), &mut |_| {}) {
            Ok(record) => record,
            Err(error) if error.is_stopped() => break,
            Err(error) => return Err(error),
        };
        let Some(first) = record.relations.first() else { return Ok(None) };
        match first.verdict() {
            RelationVerdict::Holds | RelationVerdict::OnlyAllowed | RelationVerdict::NeverEligible => {}
            RelationVerdict::Violated => return Ok(None),
            RelationVerdict::NotRun => break,
        }
        // At the end of the time a check may have run some of the inputs only.
        done += first.sources;
        held += first.tally.held;
        ineligible += first.tally.groups() - first.tally.held;
    }
    if done < least {
        watch.clock_decided();
        (held, ineligible) = chosen.form().map_or((0, 0), |form| (form.held, form.ineligible));
    }
    if held == 0 && done >= least {
        return Ok(None);
    }
    Ok(Some(Confirmed {
        chosen: chosen.clone(),
        loaded: Arc::new(relation_of::load(&chosen.relation, target.workbench.functions())?),
        held,
        ineligible,
        is_confirmed: held > 0 && (done >= least || held + ineligible >= least),
        proof: DiscoveryProof::TestedOn { groups: held },
    }))
}

/// This number of inputs; each batch has other ones.
fn batch_of(sources: u64, batch: u64, options: &DiscoverOptions) -> CheckOptions {
    let seed = Seed(splitmix64(options.seed.0 ^ 0x0063_6f6e_6669_726d ^ batch));
    aside(sources, seed, options.jobs, 0)
}
