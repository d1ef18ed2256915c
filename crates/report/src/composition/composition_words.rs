//! What the report of a composition for people and the comments of its file of relations say alike.

use dodona_records::{CompositeRelation, CompositionRecord, CompositionStop, LayerRecord, Share};

use crate::discovery::discovery_words::{score, time_over};
use crate::text::{counted, grouped};

/// Why it ended early; `None` where it did not.
pub(super) fn stop(stop: CompositionStop) -> Option<String> {
    match stop {
        CompositionStop::Finished => None,
        CompositionStop::TimeSpent { seconds } => Some(time_over(seconds)),
        CompositionStop::Interrupted => Some("it was interrupted".to_owned()),
    }
}

/// `8 basic relations, which kill 30 of 57 mutants (0.52)`
pub(super) fn basics(record: &CompositionRecord) -> String {
    let all = counted(record.basics.len() as u64, "basic relation");
    match record.mutants.is_empty() {
        true => all,
        false => format!("{all}, which kill {}", score(record.killed_by_basics(), "mutant")),
    }
}

/// `all 12 relations that are given kill 35 of 57 mutants (0.61) in 27 runs a group`; `None` where these are the basic ones, or there are
/// no mutants.
pub(super) fn given(record: &CompositionRecord) -> Option<String> {
    let all = record.given.relations;
    let is_more =
        !record.left_out.is_empty() || record.given.killed.len() as u64 > record.killed_by_basics().covered;
    (is_more && !record.mutants.is_empty()).then(|| {
        let killed = score(record.killed_by_given(), "mutant");
        let runs = counted(record.given.runs, "run");
        format!("all {} that are given kill {killed} in {runs} a group", counted(all, "relation"))
    })
}

/// `2 relations take no part: divides, absorbs`; `None` where all do.
pub(super) fn left_out(record: &CompositionRecord) -> Option<String> {
    let names: Vec<&str> = record.left_out.iter().map(|relation| relation.name.as_str()).collect();
    let verb = if names.len() == 1 { "takes" } else { "take" };
    let relations = counted(names.len() as u64, "relation");
    (!names.is_empty()).then(|| format!("{relations} {verb} no part: {}", names.join(", ")))
}

/// `2 layers: all 64 sequences tried, 50 hold on 95 % of 100 inputs; of these 8 say nothing, …`
pub(super) fn layer(layer: &LayerRecord, inputs: u64) -> String {
    let tried = match u128::from(layer.tried) == layer.sequences {
        true => format!("all {} sequences tried", grouped(layer.tried)),
        false if layer.search == "exhaustive" => {
            format!("{} of {} sequences tried", grouped(layer.tried), layer.sequences)
        }
        false => {
            format!("{} of {} sequences tried by {}", grouped(layer.tried), layer.sequences, layer.search)
        }
    };
    let refused: u64 = layer.refused.iter().map(|refused| refused.sequences).sum();
    let others = [
        (refused, "cannot be composed"),
        (layer.rarely_eligible, "apply to too few inputs"),
        (layer.rejected, "do not hold"),
    ];
    let of_accepted = [
        (layer.trivial, "say nothing"),
        (layer.said_before, "say what was said before"),
        (layer.instances, "say no more than one of them at another input"),
        (layer.distinct, "are different relations"),
        (layer.refuted, "of them refuted later"),
        (layer.untested, "without an eligible fresh input"),
        (layer.unfinished, "not tested to the end"),
    ];
    let list = |parts: &[(u64, &str)]| {
        let some = parts.iter().filter(|(n, _)| *n > 0);
        some.map(|(n, words)| format!(", {} {words}", grouped(*n))).collect::<String>()
    };
    format!(
        "{} layers: {tried}{}; {} hold on {} inputs{}",
        layer.layers,
        list(&others),
        grouped(layer.accepted),
        grouped(inputs),
        list(&of_accepted),
    )
}

/// `2 runs a group; held on 100 of 100 inputs of the search and on 100,000 fresh groups, 12 ineligible`
pub(super) fn held(relation: &CompositeRelation) -> String {
    let fitness =
        format!("{} of {} inputs of the search", grouped(relation.fitness), grouped(relation.eligible));
    let ineligible = match relation.ineligible {
        0 => String::new(),
        n => format!(", {} ineligible", grouped(n)),
    };
    let runs = counted(relation.runs, "run");
    format!("{runs} a group; held on {fitness} and on {}{ineligible}", counted(relation.held, "fresh group"))
}

/// The composite relations that are chosen, in the order of the choice; all of them where no mutant tells them apart.
pub(super) fn chosen(record: &CompositionRecord) -> Vec<&CompositeRelation> {
    let named = |name: &String| record.relations.iter().find(|relation| relation.name == *name);
    match record.killed_by_all().covered {
        0 => record.relations.iter().collect(),
        _ => record.chosen.iter().filter_map(named).collect(),
    }
}

/// How many mutants the chosen relations kill, and in how many runs, beside all relations and the basic ones.
pub(super) fn together(record: &CompositionRecord) -> String {
    let runs = |name: &String| {
        let basic = record.basics.iter().find(|basic| basic.name == *name).map(|basic| basic.runs);
        basic.or_else(|| record.relations.iter().find(|relation| relation.name == *name).map(|r| r.runs))
    };
    let chosen: u64 = record.chosen.iter().filter_map(runs).sum();
    let basics: u64 = record.basics.iter().map(|basic| basic.runs).sum();
    let Share { covered, .. } = record.killed_by_basics();
    let all = record.killed_by_all().covered;
    let of_all = match all > record.killed_by_chosen().covered {
        true => format!("all kill {}, ", grouped(all)),
        false => String::new(),
    };
    let verb = if record.chosen.len() == 1 { "kills" } else { "kill" };
    format!(
        "{} of {} {verb} {} in {} a group; {of_all}the basic ones alone kill {} in {}",
        record.chosen.len(),
        counted((record.basics.len() + record.relations.len()) as u64, "relation"),
        score(record.killed_by_chosen(), "mutant"),
        counted(chosen, "run"),
        grouped(covered),
        grouped(basics),
    )
}

/// Whether fewer relations might do.
pub(super) fn smallest(record: &CompositionRecord) -> &'static str {
    match record.is_smallest {
        true => "no fewer relations kill as many",
        false => "chosen greedily: fewer relations may kill as many",
    }
}
