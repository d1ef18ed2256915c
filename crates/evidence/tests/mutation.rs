//! Counting mutants.

use dodona_evidence::{
    Against, ExecutionCounts, FORMAT_VERSION, Fate, Judgement, KillKind, Mode, MutantId, MutantRecord,
    MutationRecord, Proof, Pruning, RelationKill, Revealed, StopReason,
};
use dodona_subject::{Malformed, Outcome, Trap};
use proptest::prelude::*;

fn mutant(number: u32, operator: &str, judgement: Judgement, revealed: bool) -> MutantRecord {
    let revealed = revealed.then(|| Revealed {
        inputs: 1,
        first: Vec::new(),
        expected: "1".into(),
        found: "2".into(),
        how: KillKind::Output,
    });
    MutantRecord {
        id: MutantId(number),
        key: format!("{number:016x}"),
        operator: operator.into(),
        places: Vec::new(),
        before: "a + b".into(),
        after: "a - b".into(),
        source_line: None,
        judgement,
        fate: Fate::Reached,
        reached: 1,
        infected: 0,
        revealed_by: revealed,
        killed_by: Vec::new(),
        killed_with: None,
        survivor: None,
        untested: None,
        symbolic: None,
    }
}

fn record(mutants: Vec<MutantRecord>) -> MutationRecord {
    MutationRecord {
        format_version: FORMAT_VERSION,
        subject: "s".into(),
        manifest: "s.toml".into(),
        seed: 0,
        functions: vec!["f".into()],
        mutated: Vec::new(),
        operators: vec!["ROR".into(), "AOR".into()],
        against: Against::Both,
        inputs: 10,
        relations: Vec::new(),
        stop: StopReason::MutantsJudged { mutants: mutants.len() as u64 },
        mutants,
        survivors: None,
        skipped: Vec::new(),
        stale: Vec::new(),
        work: ExecutionCounts::default(),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        warnings: Vec::new(),
        contradictions: Vec::new(),
    }
}

fn judgement() -> impl Strategy<Value = Judgement> {
    prop::sample::select(vec![
        Judgement::Killed,
        Judgement::Alive,
        Judgement::Equivalent { proof: Proof::SameCode },
        Judgement::Duplicate { of: MutantId(1) },
        Judgement::Accepted { reason: "never negative".into() },
        Judgement::NotRun,
    ])
}

#[test]
fn a_score_is_over_the_killed_and_the_alive() {
    use Judgement::{Accepted, Alive, Duplicate, Equivalent, Killed, NotRun};
    let kinds = [
        (Killed, true),
        (Killed, true),
        (Killed, true),
        (Alive, true),
        (Equivalent { proof: Proof::SameCode }, false),
        (Duplicate { of: MutantId(1) }, true),
        (Accepted { reason: "equivalent".into() }, false),
        (NotRun, false),
    ];
    let mutants = (1..).zip(kinds).map(|(n, (judgement, revealed))| mutant(n, "AOR", judgement, revealed));
    let mut record = record(mutants.collect());
    assert_eq!((record.score(), record.suite_score()), (Some(0.75), Some(1.0)));
    record.against = Against::Relations;
    assert_eq!(record.suite_score(), None, "no suite was run");
    record.mutants.truncate(0);
    assert_eq!(record.score(), None, "nothing to kill is not a score of 0 or 1");
}

#[test]
fn rows_are_in_the_order_of_the_operators() {
    let operators = ["AOR", "XYZ", "ROR", "AOR", "ABC"];
    let mutants = (1..).zip(operators).map(|(n, operator)| mutant(n, operator, Judgement::Alive, false));
    let rows = record(mutants.collect()).by_operator();
    let rows: Vec<_> = rows.iter().map(|row| (row.operator.as_str(), row.mutants)).collect();
    assert_eq!(rows, [("ROR", 1), ("AOR", 2), ("ABC", 1), ("XYZ", 1)]);
}

#[test]
fn what_kills_depends_on_the_tests_that_were_run() {
    let mut mutant = mutant(1, "AOR", Judgement::NotRun, true);
    let judged = |mutant: &MutantRecord| {
        [Against::Relations, Against::Inputs, Against::Both].map(|against| mutant.judged_by(against))
    };
    assert_eq!(judged(&mutant), [Judgement::Alive, Judgement::Killed, Judgement::Alive]);
    mutant.revealed_by = None;
    mutant.killed_by.push(RelationKill {
        relation: "symmetric".into(),
        groups: 1,
        source: Vec::new(),
        how: KillKind::OutOfFuel,
    });
    assert_eq!(judged(&mutant), [Judgement::Killed, Judgement::Alive, Judgement::Killed]);
}

/// Kapoor's definition: other outputs, one in error and the other not, or other errors.
#[test]
fn outcomes_differ_when_one_is_in_error_or_the_errors_differ() {
    let (trapped, stuck) = (Outcome::Trapped(Trap::DivisionByZero), Outcome::OutOfFuel);
    let malformed = Outcome::Malformed(Malformed::Range);
    let trap = || KillKind::Trap { trap: "division by zero".into() };
    let why = "returned number outside its declared type".to_owned();
    let cases = [
        (Outcome::Returned, trapped, Some(trap())),
        (stuck, trapped, Some(trap())),
        (Outcome::Returned, stuck, Some(KillKind::OutOfFuel)),
        (Outcome::Returned, malformed, Some(KillKind::Malformed { why })),
        (stuck, Outcome::Returned, Some(KillKind::Recovered)),
        (malformed, Outcome::Exited(0), Some(KillKind::Recovered)),
        (Outcome::Exited(0), Outcome::Exited(1), Some(KillKind::Output)),
        (stuck, stuck, None),
        (trapped, trapped, None),
        (Outcome::Exited(2), Outcome::Exited(2), None),
        (Outcome::Returned, Outcome::Returned, None),
    ];
    for (original, mutant, expected) in cases {
        assert_eq!(KillKind::of_outcomes(original, mutant), expected, "{original} and {mutant}");
    }
    let other = Outcome::Trapped(Trap::Unreachable);
    assert!(KillKind::of_outcomes(other, trapped).is_some(), "another trap is another error");
}

#[test]
fn numbers_of_mutants_are_read_as_people_write_them() {
    for text in ["M17", "m17", "17"] {
        assert_eq!(text.parse(), Ok(MutantId(17)));
    }
    for text in ["", "M", "M0", "M-1", "M+1", "+1", "MM1", "M17 ", "M4294967296"] {
        let error = text.parse::<MutantId>().expect_err(text).to_string();
        assert!(error.contains(&format!("`{text}`")), "{error}");
    }
    assert_eq!(serde_json::to_string(&MutantId(3)).expect("valid"), "\"M3\"");
    assert_eq!(serde_json::from_str::<MutantId>("\"M3\"").expect("valid"), MutantId(3));
    assert!(serde_json::from_str::<MutantId>("\"M0\"").is_err());
}

proptest! {
    #[test]
    fn every_mutant_is_in_one_column_of_one_row(
        mutants in prop::collection::vec((judgement(), any::<bool>(), "[AR]OR"), 0..40),
    ) {
        let mutants: Vec<_> = (1..).zip(mutants).map(|(n, (j, r, operator))| mutant(n, &operator, j, r)).collect();
        let record = record(mutants);
        let (rows, totals) = (record.by_operator(), record.totals());
        for row in rows.iter().chain([&totals]) {
            let columns = row.killed + row.alive + row.equivalent + row.duplicates + row.accepted + row.not_run;
            prop_assert_eq!(columns, row.mutants);
            prop_assert!(row.revealed <= row.scored());
            prop_assert!(row.score().is_none_or(|score| (0.0..=1.0).contains(&score)));
        }
        prop_assert_eq!(rows.iter().map(|r| r.mutants).sum::<u64>(), record.mutants.len() as u64);
        prop_assert_eq!(rows.iter().map(|r| r.killed).sum::<u64>(), totals.killed);
        prop_assert_eq!(rows.iter().map(|r| r.revealed).sum::<u64>(), totals.revealed);
    }
}
