//! Records to report: small, and with every kind of mutant.

use dodona_records::{
    Against, Binding, ExecutionCounts, FORMAT_VERSION, FailedCall, Fate, Judgement, KillKind, Mode, MutantId,
    MutantRecord, MutationRecord, Place, Proof, Pruning, RelationKill, RelationScore, Revealed, SkippedSite,
    StaleEntry, StopReason, Tally,
};

pub(crate) fn input(values: [i64; 3]) -> Vec<Binding> {
    let binding = |(name, value): (&str, i64)| Binding { name: name.into(), value: value.to_string() };
    ["a", "b", "c"].into_iter().zip(values).map(binding).collect()
}

fn place(instruction: u32, line: u32, column: u32) -> Place {
    let file = Some("triangle.c".to_owned());
    let (function, line, column) = ("triangle".into(), Some(line), Some(column));
    Place { function, instruction, file, library: None, line, column }
}

fn mutant(number: u32, operator: &str, before: &str, after: &str, judgement: Judgement) -> MutantRecord {
    MutantRecord {
        id: MutantId(number),
        key: format!("{:016x}", u64::from(number) * 0x0123_4567_89ab),
        operator: operator.into(),
        places: vec![place(number * 3, 10 + number, 11)],
        before: before.into(),
        after: after.into(),
        source_line: Some(format!("    if ({before}) {{")),
        judgement,
        fate: Fate::Unreached,
        reached: 0,
        infected: 0,
        revealed_by: None,
        killed_by: Vec::new(),
        failed: None,
        killed_with: None,
        survivor: None,
        untested: None,
        symbolic: None,
    }
}

fn revealed(inputs: u64, found: &str, how: KillKind) -> Option<Revealed> {
    Some(Revealed { inputs, first: input([3, 4, 5]), expected: "1".into(), found: found.into(), how })
}

fn killed(number: u32, operator: &str, relations: &[&str]) -> MutantRecord {
    let kill = |relation: &&str| RelationKill {
        relation: (*relation).to_owned(),
        groups: 1,
        source: input([1, 2, 3]),
        how: KillKind::Output,
    };
    MutantRecord {
        fate: Fate::Killed,
        reached: 1000,
        infected: 40,
        revealed_by: revealed(12, "0", KillKind::Output),
        killed_by: relations.iter().map(kill).collect(),
        ..mutant(number, operator, "a == b", "a != b", Judgement::Killed)
    }
}

fn alive() -> Vec<MutantRecord> {
    let ror = |number, after| mutant(number, "ROR", "a <= 0", after, Judgement::Alive);
    vec![
        MutantRecord {
            fate: Fate::Infected,
            reached: 1000,
            infected: 12,
            survivor: Some(input([0, 3, 4])),
            ..ror(5, "a < 0")
        },
        MutantRecord { fate: Fate::Reached, reached: 40, ..ror(6, "a == 0") },
        MutantRecord {
            places: vec![place(18, 17, 5), place(40, 17, 5), place(66, 17, 5)],
            ..mutant(
                7,
                "SAN",
                "exceed(a, b, c) && exceed(b, c, a) && exceed(a, c, b)",
                "trap",
                Judgement::Alive,
            )
        },
        MutantRecord {
            fate: Fate::Killed,
            reached: 1000,
            infected: 400,
            revealed_by: revealed(37, "0", KillKind::Output),
            places: vec![Place { file: None, line: None, column: None, ..place(24, 0, 0) }],
            source_line: None,
            ..mutant(8, "AOR", "i32.add", "i32.sub", Judgement::Alive)
        },
    ]
}

/// Mutants that no relation kills, and that fail or were not tested.
fn without_relations() -> Vec<MutantRecord> {
    let trap = KillKind::Trap { trap: "unreachable".into() };
    let failed = |number, how: KillKind, judgement| MutantRecord {
        fate: Fate::Killed,
        reached: 1000,
        infected: 400,
        failed: Some(FailedCall { test: "triangle".into(), input: input([3, 4, 5]), how: how.clone() }),
        revealed_by: revealed(1, "trapped: unreachable", how),
        ..mutant(number, "SAN", "a", "trap", judgement)
    };
    let verdicts = Tally { condition_false: 700, out_of_domain: 300, ..Tally::default() };
    vec![
        failed(13, trap, Judgement::Crashed),
        MutantRecord { revealed_by: None, ..failed(14, KillKind::OutOfFuel, Judgement::TimedOut) },
        MutantRecord {
            fate: Fate::Infected,
            untested: Some(verdicts),
            ..mutant(15, "SAN", "b", "0", Judgement::Untested)
        },
    ]
}

fn set_apart() -> Vec<MutantRecord> {
    let reason = "equivalent: the sum is never\nnegative here".to_owned();
    let of = |number, judgement| mutant(number, "AOR", "pairs + 1", "pairs - 1", judgement);
    vec![
        of(9, Judgement::Equivalent { proof: Proof::SameCode }),
        of(10, Judgement::Duplicate { of: MutantId(1) }),
        of(11, Judgement::Accepted { reason }),
    ]
}

fn relation(name: &str, line: usize, kills: u64, sole: &[u32]) -> RelationScore {
    RelationScore {
        name: name.into(),
        file: "triangle.mr".into(),
        line,
        groups: 1000,
        kills,
        only: sole.len() as u64,
        sole: sole.iter().copied().map(MutantId).collect(),
    }
}

fn skipped(instruction: u32, operator: Option<&str>, reason: &str, mutants: u64) -> SkippedSite {
    let operator = operator.map(str::to_owned);
    SkippedSite { place: place(instruction, 12, 1), operator, reason: reason.into(), mutants }
}

/// A record with mutants of every kind.
pub(crate) fn triangle() -> MutationRecord {
    let mut mutants = vec![
        killed(1, "ROR", &["symmetric", "scale"]),
        killed(2, "ROR", &["symmetric"]),
        killed(3, "ROR", &["scale"]),
        killed(4, "AOR", &["symmetric"]),
    ];
    mutants.extend(alive());
    mutants.extend(set_apart());
    mutants.extend(without_relations());
    MutationRecord {
        format_version: FORMAT_VERSION,
        subject: "triangle".into(),
        manifest: "subjects/triangle/dodona.toml".into(),
        seed: 7,
        functions: vec!["triangle".into()],
        mutated: Vec::new(),
        operators: ["AOR", "ROR", "SAN"].map(str::to_owned).into(),
        asked: Against::Both,
        against: Against::Both,
        inputs: 1000,
        survivors: None,
        relations: vec![relation("symmetric", 2, 3, &[2, 4]), relation("scale", 5, 2, &[3])],
        mutants,
        versions: Vec::new(),
        skipped: vec![
            skipped(1, None, "adjusts the stack pointer", 4),
            skipped(70, None, "adjusts the stack pointer", 5),
            skipped(30, Some("AOR"), "masks a Boolean", 0),
        ],
        stale: vec![StaleEntry {
            file: "subjects/triangle/accepted.txt".into(),
            line: 3,
            entry: "ROR 00c0ffee00c0ffee".into(),
            reason: "no mutant has this key any more".into(),
        }],
        work: ExecutionCounts { pairs: 24_000, executed: 5_400, baseline_calls: 5_000 },
        mode: Mode::EachRelation,
        pruning: Pruning::Infected,
        stop: StopReason::MutantsJudged { mutants: 14 },
        warnings: vec!["relation slow has no eligible group".into()],
        contradictions: Vec::new(),
        failure: None,
    }
}

/// The same, ended before its last mutant was run.
pub(crate) fn interrupted() -> MutationRecord {
    let mut record = triangle();
    record.mutants.push(mutant(16, "AOR", "pairs + 1", "pairs * 1", Judgement::NotRun));
    record.stop = StopReason::Interrupted { run: 11, planned: 12 };
    record
}

/// A record of a function in which there is nothing to change.
pub(crate) fn nothing_to_mutate() -> MutationRecord {
    MutationRecord {
        subject: "constant".into(),
        manifest: "constant.toml".into(),
        functions: vec!["constant".into()],
        mutants: Vec::new(),
        versions: Vec::new(),
        skipped: vec![skipped(0, None, "no function under test reaches it", 0)],
        stale: Vec::new(),
        work: ExecutionCounts::default(),
        stop: StopReason::MutantsJudged { mutants: 0 },
        warnings: Vec::new(),
        ..triangle()
    }
}
