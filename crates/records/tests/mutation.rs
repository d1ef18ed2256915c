//! Counting mutants.

use dodona_records::{
    Against, ExecutionCounts, FORMAT_VERSION, FailedCall, Fate, Judgement, KillKind, Mode, MutantId,
    MutantRecord, MutationRecord, NoScore, Proof, Pruning, RelationKill, RelationScore, Revealed, StopReason,
    Tally,
};
use dodona_target::{Malformed, Outcome, Trap};
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
        failed: None,
        killed_with: None,
        survivor: None,
        untested: None,
        symbolic: None,
    }
}

fn relation(groups: u64) -> RelationScore {
    let (name, file) = ("symmetric".into(), "s.mr".into());
    RelationScore { name, file, line: 1, groups, kills: 0, only: 0, sole: Vec::new() }
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
        asked: Against::Both,
        against: Against::Both,
        inputs: 10,
        relations: vec![relation(10)],
        stop: StopReason::MutantsJudged { mutants: mutants.len() as u64 },
        mutants,
        versions: Vec::new(),
        survivors: None,
        skipped: Vec::new(),
        stale: Vec::new(),
        work: ExecutionCounts::default(),
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        warnings: Vec::new(),
        contradictions: Vec::new(),
        failure: None,
    }
}

fn judgement() -> impl Strategy<Value = Judgement> {
    prop::sample::select(vec![
        Judgement::Killed,
        Judgement::Crashed,
        Judgement::TimedOut,
        Judgement::Alive,
        Judgement::Untested,
        Judgement::Equivalent { proof: Proof::SameCode },
        Judgement::Duplicate { of: MutantId(1) },
        Judgement::Accepted { reason: "never negative".into() },
        Judgement::NotRun,
    ])
}

#[test]
fn a_score_is_over_the_detected_and_the_alive() {
    use Judgement::{Accepted, Alive, Crashed, Duplicate, Equivalent, Killed, TimedOut};
    let kinds = [
        (Killed, true),
        // Not revealed by the suite, but by the input of the group in which it fails.
        (Crashed, false),
        (TimedOut, false),
        (Alive, true),
        (Equivalent { proof: Proof::SameCode }, false),
        (Duplicate { of: MutantId(1) }, true),
        (Accepted { reason: "equivalent".into() }, false),
    ];
    let mutants = (1..).zip(kinds).map(|(n, (judgement, revealed))| mutant(n, "AOR", judgement, revealed));
    let mut record = record(mutants.collect());
    assert_eq!((record.score(), record.suite_score()), (Some(0.75), Some(1.0)));
    record.against = Against::Relations;
    assert_eq!(record.suite_score(), None, "no suite was run");
}

#[test]
fn an_empty_denominator_is_no_score() {
    let why = |record: &MutationRecord| {
        assert_eq!(record.no_score().is_some(), record.score().is_none());
        record.no_score()
    };
    let killed = || record(vec![mutant(1, "AOR", Judgement::Killed, true)]);
    assert_eq!(why(&killed()), None);
    let nothing = MutationRecord { mutants: Vec::new(), ..killed() };
    assert_eq!(why(&nothing), Some(NoScore::NothingToKill));
    let equivalent = record(vec![mutant(1, "AOR", Judgement::Equivalent { proof: Proof::SameCode }, false)]);
    assert_eq!(why(&equivalent), Some(NoScore::NothingToKill));
    let without = MutationRecord { relations: Vec::new(), against: Against::Inputs, ..killed() };
    assert_eq!((why(&without), without.suite_score()), (Some(NoScore::NoRelation), Some(1.0)));
    let inputs = MutationRecord { asked: Against::Inputs, ..without };
    assert_eq!(why(&inputs), None, "inputs alone were asked for");
    let never = MutationRecord { relations: vec![relation(0)], ..killed() };
    assert_eq!(why(&never), Some(NoScore::NoneEligible));
    let some = MutationRecord { relations: vec![relation(0), relation(1)], ..killed() };
    assert_eq!(why(&some), None);
    let mut cut = killed();
    cut.mutants.push(mutant(2, "AOR", Judgement::NotRun, false));
    cut.stop = StopReason::Interrupted { run: 1, planned: 2 };
    assert_eq!((why(&cut), cut.suite_score()), (Some(NoScore::Unfinished { not_run: 1 }), None));
}

#[test]
fn a_call_that_fails_detects_a_mutant_that_no_relation_kills() {
    let trap = KillKind::Trap { trap: "unreachable".into() };
    let failed = |how| Some(FailedCall { test: "symmetric".into(), input: Vec::new(), how });
    let mut mutant = mutant(1, "AOR", Judgement::NotRun, false);
    mutant.untested = Some(Tally::default());
    assert_eq!(mutant.judged_by(Against::Both), Judgement::Untested);
    for (how, judgement) in [(trap.clone(), Judgement::Crashed), (KillKind::OutOfFuel, Judgement::TimedOut)] {
        mutant.failed = failed(how);
        assert_eq!(mutant.judged_by(Against::Both), judgement);
        assert_eq!(mutant.judged_by(Against::Relations), judgement);
    }
    mutant.killed_by.push(RelationKill {
        relation: "symmetric".into(),
        groups: 1,
        source: Vec::new(),
        how: KillKind::Output,
    });
    assert_eq!(mutant.judged_by(Against::Both), Judgement::Killed, "a relation outweighs it");
    // Of inputs alone the first that reveals it decides.
    let revealed =
        |how| Revealed { inputs: 1, first: Vec::new(), expected: "1".into(), found: "2".into(), how };
    mutant.revealed_by = Some(revealed(trap.clone()));
    mutant.failed = failed(trap);
    assert_eq!(mutant.judged_by(Against::Inputs), Judgement::Crashed);
    mutant.failed = None;
    assert_eq!(mutant.judged_by(Against::Inputs), Judgement::Killed, "the original failed there too");
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
            let columns = row.detected() + row.alive + row.untested + row.equivalent + row.duplicates + row.accepted + row.not_run;
            prop_assert_eq!(columns, row.mutants);
            prop_assert!(row.detected() <= row.revealed && row.revealed <= row.scored());
            prop_assert!(row.score() <= row.suite_score());
            prop_assert!(row.score().is_none_or(|score| (0.0..=1.0).contains(&score)));
        }
        prop_assert_eq!(rows.iter().map(|r| r.mutants).sum::<u64>(), record.mutants.len() as u64);
        prop_assert_eq!(rows.iter().map(|r| r.killed).sum::<u64>(), totals.killed);
        prop_assert_eq!(rows.iter().map(|r| r.revealed).sum::<u64>(), totals.revealed);
    }
}
