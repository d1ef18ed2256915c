//! k-MR coverage of as many source inputs, relations and requirements as the largest program of its study has (grep: 16,362, 25,168, 1,518),
//! and the selection of groups that reach a degree of 0.9, on one core. Processor time, the best of several runs, and what it held in memory.
//!
//! `cargo bench --package dodona-benches --bench adequacy` runs it.

use cpu_time::ThreadTime;
use dodona_generation::adequacy::{Associations, Requirements, adequacy, select};
use fixedbitset::FixedBitSet;

const RUNS: u32 = 3;
const K: usize = 3;

/// Forms of output relations: four, as grep has in the study; two relations a form, which is the worst; as many as there are relations.
const FORMS: [(&str, usize); 3] =
    [("4 forms", 4), ("two relations a form", 12_500), ("each relation a form", usize::MAX)];

/// Shares of all groups that are executed, in thousandths.
const SHARES: [u64; 3] = [1, 20, 1000];

fn main() {
    println!("16,000 source inputs, 25,000 relations, 1,500 requirements");
    for (name, forms) in FORMS {
        for share in SHARES {
            measure(name, (16_000, 25_000, 1_500), forms, share);
        }
    }
    println!("growth with associations: a quarter, a half, all, twice as many source inputs");
    for sources in [4_000, 8_000, 16_000, 32_000] {
        measure("4 forms", (sources, 25_000, 1_500), 4, 20);
    }
}

fn measure(name: &str, (sources, relations, of): (usize, usize, usize), forms: usize, share: u64) {
    let forms: Vec<u32> = (0..relations).map(|relation| (relation % forms.min(relations)) as u32).collect();
    let mut associations = Associations::new(sources, &forms);
    let mut number = 1;
    for source in 0..sources {
        for relation in 0..relations {
            number = next(number);
            if number % 1000 < share {
                associations.add(source, relation);
            }
        }
    }
    // A source input of the study's frames satisfies a few requirements of many.
    let mut set = |_| {
        let mut set = FixedBitSet::with_capacity(of);
        for _ in 0..8 {
            number = next(number);
            set.insert(number as usize % of);
        }
        set
    };
    let satisfied = (0..sources).map(&mut set).collect();
    let names = (0..of).map(|requirement| format!("requirement {requirement}")).collect();
    let requirements = Requirements { names, satisfied };
    let (mut measured, mut selected) = (f64::INFINITY, f64::INFINITY);
    let mut groups = 0;
    for _ in 0..RUNS {
        let start = ThreadTime::now();
        assert!(adequacy(&requirements, &associations, K).degree() > 0.5, "most requirements are tested");
        measured = measured.min(start.elapsed().as_secs_f64());
        let start = ThreadTime::now();
        let selection = select(&requirements, &associations, K, 0.9);
        selected = selected.min(start.elapsed().as_secs_f64());
        groups = selection.groups.len();
    }
    println!(
        "{name}, {} associations of {sources} source inputs: adequacy {measured:.3} s, a suite of {groups} groups {selected:.3} s, {} MB",
        associations.len(),
        memory()
    );
}

/// A number of 64 bits from another one (SplitMix64).
fn next(seed: u64) -> u64 {
    dodona_target::splitmix64(seed)
}

/// What the process holds, in megabytes; 0 where the system does not say.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1000
}
