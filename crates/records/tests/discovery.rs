//! The sums of a record of a discovery.

use dodona_records::{
    DiscoveredRelation, DiscoveryPairs, DiscoveryProof, DiscoveryRecord, DiscoverySources, DiscoveryStop,
    DiscoveryVersion, DiscoveryWork, FORMAT_VERSION, FilterStep, FoundBy, LeftOut, MutantId, Share,
};

fn relation(name: &str, caught: &[u32]) -> DiscoveredRelation {
    DiscoveredRelation {
        name: name.into(),
        text: format!("{name}: gcd(q, p) == gcd(p, q)"),
        words: "exchanging p and q leaves the result".into(),
        transformation: "PermuteParameters(p, q)".into(),
        given: "p' = q, q' = p".into(),
        found_by: FoundBy::Evolution { generation: 3 },
        sources_tried: 10,
        held: 9,
        ineligible: 1,
        proof: DiscoveryProof::ProvedWithin { longest: None, loop_bound: 30, random_source: false },
        caught: caught.iter().copied().map(MutantId).collect(),
        only: Vec::new(),
        held_out_caught: 1,
        caught_versions: Vec::new(),
    }
}

fn record(relations: Vec<DiscoveredRelation>) -> DiscoveryRecord {
    DiscoveryRecord {
        format_version: FORMAT_VERSION,
        subject: "math".into(),
        manifest: "math/dodona.toml".into(),
        function: "gcd".into(),
        seed: 7,
        stop: DiscoveryStop::NothingGained { rounds: 2 },
        time_decided: false,
        sources: DiscoverySources { files: 1, paths: 2, adaptive: 3, random: 4, ..Default::default() },
        transformations: 5,
        searched_mutants: (1..=4).map(MutantId).collect(),
        held_out: vec![MutantId(5), MutantId(6), MutantId(7)],
        held_out_caught: vec![MutantId(6)],
        revealed: vec![MutantId(1), MutantId(3), MutantId(4), MutantId(6), MutantId(7)],
        not_run: Vec::new(),
        versions: Vec::new(),
        pairs: DiscoveryPairs { correct: 8, incorrect: 9 },
        work: DiscoveryWork { enumerated: 1, evaluated: 2, generations: 3, seconds: 0.5 },
        searches: Vec::new(),
        filter: vec![FilterStep { name: "fresh inputs".into(), tried: 4, passed: 3 }],
        relations,
        left_out: LeftOut::default(),
        unconfirmed: Vec::new(),
        refuted: Vec::new(),
        warnings: Vec::new(),
        contradictions: Vec::new(),
    }
}

#[test]
fn a_mutant_that_two_relations_catch_counts_once() {
    let record = record(vec![relation("a", &[1, 3]), relation("b", &[3, 4])]);
    assert_eq!(record.caught(), Share { covered: 3, total: 4 });
    assert_eq!(record.held_out_score(), Share { covered: 1, total: 3 });
    assert_eq!(record.caught_of_revealed(), Share { covered: 3, total: 3 });
    assert_eq!(record.held_out_score_of_revealed(), Share { covered: 1, total: 2 });
    assert_eq!(record.sources.total(), 10);
    assert_eq!(record.filter[0].share().percent(), Some(75));
}

#[test]
fn scores_leave_out_mutants_that_were_not_run() {
    let not_run = vec![MutantId(2), MutantId(5)];
    let record = DiscoveryRecord { not_run, ..record(vec![relation("a", &[1, 3])]) };
    assert_eq!(record.caught(), Share { covered: 2, total: 3 });
    assert_eq!(record.held_out_score(), Share { covered: 1, total: 2 });
}

#[test]
fn json_says_each_reason_with_its_number() {
    let json = serde_json::to_value(record(vec![relation("a", &[1])])).expect("a record is JSON");
    assert_eq!(json["stop"], serde_json::json!({"reason": "nothing-gained", "rounds": 2}));
    let found = &json["relations"][0];
    assert_eq!(found["found_by"], serde_json::json!({"by": "evolution", "generation": 3}));
    let proof = serde_json::json!({
        "kind": "proved-within", "longest": null, "loop_bound": 30, "random_source": false
    });
    assert_eq!(found["proof"], proof);
    assert_eq!(found["caught"], serde_json::json!(["M1"]));
}

#[test]
fn versions_are_counted_by_themselves_and_those_that_are_no_faults_not_at_all() {
    let version = |name: &str, is_fault, was_run, is_caught| DiscoveryVersion {
        name: name.into(),
        path: format!("faulty/{name}"),
        is_fault,
        was_run,
        is_revealed: is_caught,
        is_caught,
    };
    let versions = vec![
        version("caught", true, true, true),
        version("missed", true, true, false),
        version("of the subject", false, true, false),
        version("not run", true, false, false),
    ];
    let without = record(vec![relation("a", &[1, 3])]);
    let with = DiscoveryRecord { versions, ..without.clone() };
    assert_eq!(with.versions_caught(), Share { covered: 1, total: 2 });
    assert_eq!((with.caught(), with.held_out_score()), (without.caught(), without.held_out_score()));
    assert_eq!(without.versions_caught(), Share { covered: 0, total: 0 });
}
