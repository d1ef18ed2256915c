//! The command that runs cases by hand.

use std::process::ExitCode;

use crate::{CHECKS, Check, Counts, seeded};

/// Runs many seeded cases of a check and goes on after a defect, or one case again from a file of its bytes, as the words of the
/// command line say: `never_proved 0 1000 600` (the first seed, how many, bytes each) or `never_proved FILE`.
pub fn command() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    let usage = format!("usage: ({}) (FILE | FIRST COUNT LENGTH)", names.join(" | "));
    let named = words.first().and_then(|word| CHECKS.iter().find(|(name, _)| name == word));
    let Some(&(_, check)) = named else {
        eprintln!("{usage}");
        return ExitCode::from(2);
    };
    let numbers: Vec<u64> = words[1..].iter().filter_map(|word| word.parse().ok()).collect();
    let defects = match (&words[1..], &numbers[..]) {
        ([file], []) => again(check, file),
        (_, &[first, count, length]) => seeds(check, first..first + count, length as usize),
        _ => {
            eprintln!("{usage}");
            return ExitCode::from(2);
        }
    };
    ExitCode::from(u8::from(defects > 0))
}

fn again(check: Check, file: &str) -> usize {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    match check(&bytes) {
        Ok(case) => println!("{case:?}"),
        Err(defect) => {
            println!("{defect}");
            return 1;
        }
    }
    0
}

fn seeds(check: Check, seeds: std::ops::Range<u64>, length: usize) -> usize {
    let (mut counts, mut defects) = (Counts::new(), 0);
    for seed in seeds {
        // A panic is a defect as well, and the next seed may show another.
        match std::panic::catch_unwind(|| check(&seeded(seed, length))) {
            Ok(Ok(case)) => counts.add(case),
            Ok(Err(defect)) => {
                println!("seed {seed}: {defect}\n");
                defects += 1;
            }
            Err(_) => {
                println!("seed {seed}: a panic\n");
                defects += 1;
            }
        }
    }
    println!("{counts}; {defects} defects");
    defects
}
