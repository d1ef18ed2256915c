//! Writes a page of the size that has to open in two seconds: `large FILE [FUNCTIONS MUTANTS RELATIONS INPUTS]`, by default 100 functions, 10,000 mutants, 300 relations, and a kill
//! matrix of the mutants by 1,000 inputs.

use std::process::ExitCode;

use dodona_page::{Beside, Found, Page, PastRun, page};
use dodona_records::{
    Binding, FileLines, FunctionRun, KillMatrix, MutantId, Place, RelationRecord, RelationState,
    RequirementRecord, RunAdequacy, RunCoverage, RunFaults, RunRecord, RunRelation, Section, SectionKind,
    Share, SubjectRun, SurvivingLine, Tally,
};

/// Lines of the source of each function.
const LINES: u32 = 120;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = arguments.first() else {
        eprintln!("large FILE [FUNCTIONS MUTANTS RELATIONS INPUTS]");
        return ExitCode::from(2);
    };
    let number =
        |index: usize, usual: u32| arguments.get(index).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let run = record(number(1, 100), number(2, 10_000), number(3, 300), 7);
    let past = vec![PastRun {
        told: "run 1".into(),
        record: record(number(1, 100), number(2, 10_000), number(3, 300), 8),
    }];
    let source = |_: &SubjectRun, name: &str| Some(text(name));
    let kills = Found::Kills(Box::new(kills(number(2, 10_000), number(4, 1000))));
    let beside = [Beside { file: "kills.matrix".into(), found: kills }];
    let html = page(&Page {
        run: &run,
        told: "run 2, of a size that was made up",
        next: &[],
        past: &past,
        beside: &beside,
        source: &source,
    });
    match std::fs::write(file, html) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn text(name: &str) -> String {
    let line = |number: u32| match number % 4 {
        0 => format!("    let x{number} = f(\"{name}\", {number}); // of line {number}\n"),
        1 => format!("    if x > {number} {{ return x - {number}; }}\n"),
        2 => "    total += x * 2;\n".to_owned(),
        _ => "\n".to_owned(),
    };
    (1..=LINES).map(line).collect()
}

/// Which input reveals which mutant. Inputs and mutants come in families, as in code, and a thirtieth of all cells is noise, so that hardly two of them are equal.
fn kills(mutants: u32, inputs: u32) -> KillMatrix {
    let inputs = Section { kind: SectionKind::Inputs, name: "function0".into(), tests: inputs.into() };
    let tests = inputs.tests as usize;
    let ids = (1..=mutants).map(MutantId).collect();
    let mut matrix = KillMatrix::new(vec![inputs], ids).expect("it is no larger than a matrix may be");
    let mut noise = 0x9e37_79b9_7f4a_7c15_u64;
    for row in 0..mutants as usize {
        for test in 0..tests {
            noise ^= noise << 13;
            noise ^= noise >> 7;
            noise ^= noise << 17;
            if ((row / 33 * 31 + test / 10 * 17) % 11 < 3) != noise.is_multiple_of(30) {
                matrix.set(row, test);
            }
        }
    }
    matrix
}

/// A relation catches a mutant where a little arithmetic says so: families of mutants that the same relations catch, as in code.
fn catches(relation: u32, mutant: u32, salt: u32) -> bool {
    (mutant / 7 * 31 + relation * 17 + salt) % 11 < 3
}

fn record(functions: u32, mutants: u32, relations: u32, salt: u32) -> RunRecord {
    let each = |count: u32, function: u32| count / functions + u32::from(function < count % functions);
    let mut next_relation = 0;
    let function = |index: u32| {
        let own: Vec<u32> = (1..=each(mutants, index)).collect();
        let relations: Vec<RunRelation> = (0..each(relations, index))
            .map(|_| {
                next_relation += 1;
                relation(next_relation, &own, salt)
            })
            .collect();
        let caught: Vec<u32> = own
            .iter()
            .copied()
            .filter(|id| relations.iter().any(|r| r.caught.iter().flatten().any(|m| m.0 == *id)))
            .collect();
        let surviving: Vec<u32> = own.iter().copied().filter(|id| !caught.contains(id)).collect();
        let file = format!("src/part{index}.rs");
        FunctionRun {
            function: format!("function{index}"),
            coverage: Some(RunCoverage {
                statements: Share { covered: 80, total: 90 },
                branches: Share { covered: 20, total: 24 },
                files: vec![FileLines {
                    file: file.clone(),
                    run: (1..=80).collect(),
                    never_run: (81..=90).collect(),
                    branches: (1..=24)
                        .map(|n| (n * 3, Share { covered: 1 + u64::from(n % 5 > 0), total: 2 }))
                        .collect(),
                }],
            }),
            faults: Some(RunFaults {
                counted: own.len() as u64 + 5,
                not_run: 0,
                revealed: own.iter().copied().map(MutantId).collect(),
                caught: caught.len() as u64,
                caught_with_found: caught.len() as u64,
                surviving: surviving
                    .chunks(4)
                    .enumerate()
                    .map(|(line, ids)| survivors(&file, line as u32, ids))
                    .collect(),
            }),
            relations,
            adequacy: Some(adequacy()),
        }
    };
    let functions = (0..functions).map(function).collect();
    let subject = SubjectRun {
        subject: "large".into(),
        manifest: "large/dodona.toml".into(),
        functions,
        ..SubjectRun::default()
    };
    RunRecord { subjects: vec![subject], ..RunRecord::default() }
}

fn relation(number: u32, mutants: &[u32], salt: u32) -> RunRelation {
    let caught = mutants.iter().copied().filter(|mutant| catches(number, *mutant, salt)).map(MutantId);
    RunRelation {
        state: if number.is_multiple_of(3) { RelationState::Found } else { RelationState::Accepted },
        words: None,
        found_by: None,
        check: RelationRecord {
            name: format!("relation{number}"),
            text: format!("relation relation{number}: function(x + {number}) == function(x)"),
            file: "large.mr".into(),
            line: number as usize,
            sources: 1000,
            tally: Tally { held: 990, out_of_domain: 10, ..Tally::default() },
            counterexample: None,
            skipped: Default::default(),
            outside: None,
            elapsed: Default::default(),
        },
        proof: None,
        caught: Some(caught.collect()),
    }
}

fn adequacy() -> RunAdequacy {
    let lacking = |n: u64| RequirementRecord {
        name: format!("src/part.rs:{} taken", 3 * n),
        relations: 1,
        missing: 2,
        best: Some(vec![Binding { name: "x".into(), value: n.to_string() }]),
        shown: None,
    };
    RunAdequacy {
        criterion: "branch".into(),
        k: 3,
        relations: 3,
        tested: Share { covered: 16, total: 24 },
        untested: 4,
        degree: Share { covered: 56, total: 72 },
        by_k: vec![20, 20, 16],
        lacking: (0..8).map(lacking).collect(),
    }
}

fn survivors(file: &str, line: u32, ids: &[u32]) -> SurvivingLine {
    let number = 1 + line * 4 % LINES;
    let bound = |name: &str, value: &str| Binding { name: name.into(), value: value.into() };
    SurvivingLine {
        place: Place {
            function: "f".into(),
            instruction: line,
            file: Some(file.into()),
            library: None,
            line: Some(number),
            column: Some(8),
        },
        source_line: Some(format!("    if x > {number} {{ return x - {number}; }}")),
        mutants: ids.iter().copied().map(MutantId).collect(),
        before: format!("x > {number}"),
        after: format!("x >= {number}"),
        input: vec![bound("x", &number.to_string())],
        expected: "0".into(),
        found: number.to_string(),
        would_catch: None,
    }
}
