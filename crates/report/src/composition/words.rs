//! What the report for people and the comments of a file of relations say alike.

use dodona_evidence::{CompositeRelation, CompositionRecord, LayerRecord, Share};

use crate::discovery::words::score;
use crate::text::{counted, grouped};

/// `8 basic relations, which kill 30 of 57 mutants (0.52)`
pub(super) fn basics(record: &CompositionRecord) -> String {
    let all = counted(record.basics.len() as u64, "basic relation");
    match record.mutants.is_empty() {
        true => all,
        false => format!("{all}, which kill {}", score(record.killed_by_basics(), "mutant")),
    }
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

/// How many mutants the chosen relations kill, and in how many runs: the last point of the front.
pub(super) fn together(record: &CompositionRecord) -> String {
    let runs = |name: &String| {
        let basic = record.basics.iter().find(|basic| basic.name == *name).map(|basic| basic.runs);
        basic.or_else(|| record.relations.iter().find(|relation| relation.name == *name).map(|r| r.runs))
    };
    let chosen: u64 = record.chosen.iter().filter_map(runs).sum();
    let basics: u64 = record.basics.iter().map(|basic| basic.runs).sum();
    let Share { covered, .. } = record.killed_by_basics();
    let verb = if record.chosen.len() == 1 { "kills" } else { "kill" };
    format!(
        "{} of {} {verb} {} in {} a group; the basic ones alone kill {} in {}",
        record.chosen.len(),
        counted((record.basics.len() + record.relations.len()) as u64, "relation"),
        score(record.killed_by_all(), "mutant"),
        counted(chosen, "run"),
        grouped(covered),
        grouped(basics),
    )
}
