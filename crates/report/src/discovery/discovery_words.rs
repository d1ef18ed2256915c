//! What the report of a discovery for people and the comments of its file of relations say alike.

use dodona_records::{
    DiscoveredRelation, DiscoveryProof, DiscoveryRecord, DiscoverySources, DiscoveryStop, FoundBy, Share,
};

use crate::proof::RANDOM_SOURCE;
use crate::text::{counted, grouped};

/// `1,103 source inputs (3 from files, 100 along paths, 1,000 at random)`
pub(super) fn sources(sources: &DiscoverySources) -> String {
    let usual = [
        (sources.files, "from files"),
        (sources.paths, "along paths"),
        (sources.adaptive, "far from each other"),
        (sources.random, "at random"),
    ];
    let usual = usual.map(|(n, words)| (n, words.to_owned()));
    let others = sources.others.iter().map(|(technique, &n)| (n, format!("by {technique}")));
    let parts = usual.into_iter().chain(others).filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, words)| format!("{} {words}", grouped(n))).collect();
    let all = counted(sources.total(), "source input");
    if parts.is_empty() { all } else { format!("{all} ({})", parts.join(", ")) }
}

/// `12 transformations, 9,000 correct and 8,120 incorrect executions, 120 mutants, 20 more held out`
pub(super) fn data(record: &DiscoveryRecord) -> String {
    let transformations = counted(record.transformations, "transformation");
    let (correct, incorrect) = (grouped(record.pairs.correct), grouped(record.pairs.incorrect));
    let mutants = counted(record.searched_mutants.len() as u64, "mutant");
    let held_out = match record.held_out.len() as u64 {
        0 => String::new(),
        n => format!(", {} more held out", grouped(n)),
    };
    let versions = match record.versions.len() as u64 {
        0 => String::new(),
        n => format!(", {}", counted(n, "faulty version")),
    };
    format!(
        "{transformations}, {correct} correct and {incorrect} incorrect executions, {mutants}{held_out}{versions}"
    )
}

/// What is said in place of a score where no mutant was run on the relations: of nothing there is no score.
pub(super) const NOT_MEASURED: &str = "what they catch was not measured, because no mutant was run on them";

/// `165 of 300 mutants (0.55); 53 of 96 mutants (0.55) that were held out`; `None` where no mutant was run.
pub(super) fn caught(record: &DiscoveryRecord) -> Option<String> {
    of_both(record.caught(), record.held_out_score())
}

/// [`caught`] of the mutants that inputs reveal; `None` if it is not known which these are.
pub(super) fn caught_of_revealed(record: &DiscoveryRecord) -> Option<String> {
    of_both(record.caught_of_revealed(), record.held_out_score_of_revealed())
}

/// The scores of those that there are.
fn of_both(searched: Share, held_out: Share) -> Option<String> {
    let of = |share: Share| (share.total > 0).then(|| score(share, "mutant"));
    let held_out = of(held_out).map(|score| format!("{score} that were held out"));
    let parts: Vec<String> = of(searched).into_iter().chain(held_out).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `proved`; `proved up to 4 long`; `proved for the seeded random bytes only`; `tested`.
pub(crate) fn proof(proof: DiscoveryProof) -> String {
    let DiscoveryProof::ProvedWithin { longest, random_source, .. } = proof else {
        return "tested".to_owned();
    };
    let within = longest.map_or(String::new(), |longest| format!(" up to {longest} long"));
    let bytes = if random_source { format!(" {RANDOM_SOURCE}") } else { String::new() };
    format!("proved{within}{bytes}")
}

/// `enumeration`; `evolution, generation 12`.
pub(super) fn found_by(found_by: FoundBy) -> String {
    match found_by {
        FoundBy::Enumeration => "enumeration".to_owned(),
        FoundBy::Form => "form".to_owned(),
        FoundBy::Evolution { generation } => format!("evolution, generation {generation}"),
    }
}

/// `held on 9,000 groups, 12 ineligible`
pub(super) fn held(relation: &DiscoveredRelation) -> String {
    let held = format!("held on {}", counted(relation.held, "group"));
    match relation.ineligible {
        0 => held,
        n => format!("{held}, {} ineligible", grouped(n)),
    }
}

/// `the time is over (30 seconds)`
pub(crate) fn time_over(seconds: f64) -> String {
    match seconds.fract() == 0.0 {
        true => format!("the time is over ({})", counted(seconds as u64, "second")),
        false => format!("the time is over ({seconds} seconds)"),
    }
}

/// Why it ended, with the number.
pub(super) fn stop(record: &DiscoveryRecord) -> String {
    match record.stop {
        DiscoveryStop::EverythingCaught { mutants } if !record.versions.is_empty() => {
            let faults = counted(mutants, "fault");
            format!("{faults}, of mutants or versions, that recorded executions reveal: caught")
        }
        DiscoveryStop::TimeSpent { seconds } => time_over(seconds),
        DiscoveryStop::GenerationsRun { generations } => {
            format!("{} were run", counted(generations, "generation"))
        }
        DiscoveryStop::EverythingCaught { mutants } => match mutants {
            1 => "the one mutant that recorded executions reveal is caught".to_owned(),
            n => format!("all {} mutants that recorded executions reveal are caught", grouped(n)),
        },
        DiscoveryStop::NothingGained { rounds } => {
            format!("{} found nothing that catches more", counted(rounds, "round"))
        }
        DiscoveryStop::Interrupted { generations } => {
            format!("interrupted after {}", counted(generations, "generation"))
        }
    }
}

/// `80 of 120 mutants (0.66)`; the score is rounded down, so that only what is complete is 1.00.
pub(crate) fn score(share: Share, noun: &str) -> String {
    let of = format!("{} of {}", grouped(share.covered), counted(share.total, noun));
    match (u128::from(share.covered) * 100).checked_div(u128::from(share.total)) {
        Some(hundredths) => format!("{of} ({}.{:02})", hundredths / 100, hundredths % 100),
        None => of,
    }
}
