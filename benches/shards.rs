//! What subjects are estimated to cost, function by function, beside what the pieces of a finished run took, and how evenly the work would be divided.
//!
//! After `dodona run SUBJECT… --jobs 1` in the same folder: `cargo run --release --package dodona-run --example shards -- SUBJECT…`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dodona_run::{Division, RunOptions, SubjectCost, SubjectCounts};
use dodona_session::{Cell, ask};
use dodona_subject::Manifest;

/// Seconds of the pieces of each kind that are about something, by the manifest.
type Took = BTreeMap<(String, String), BTreeMap<String, f64>>;

fn took() -> Took {
    let question = "SELECT path, about, kind, sum(seconds) FROM piece JOIN subject ON subject = subject.id GROUP BY path, about, kind";
    let mut took = Took::new();
    let Ok(answer) = ask(Path::new(".dodona"), question, usize::MAX) else { return took };
    for row in answer.rows {
        if let [Cell::Text(path), Cell::Text(about), Cell::Text(kind), Cell::Real(seconds)] = &row[..] {
            took.entry((path.clone(), about.clone())).or_default().insert(kind.clone(), *seconds);
        }
    }
    took
}

fn main() {
    let took = took();
    let options = RunOptions { time: Duration::from_secs(600), ..RunOptions::default() };
    let mut costs: Vec<SubjectCost> = Vec::new();
    println!(
        "{:12} {:22} {:>7} {:>6} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "subject", "function", "mutants", "rels", "fuel", "inputs", "before", "took", "mutants", "took"
    );
    for path in std::env::args().skip(1) {
        let manifest = Manifest::read(Path::new(&path).join("dodona.toml").as_path()).expect("a manifest");
        let shown = manifest.path.display().to_string();
        let workbench = Arc::new(dodona_wasm::open(manifest).expect("a subject"));
        let counts = SubjectCounts::of(&workbench, &options).expect("counted");
        let cost = counts.cost();
        let kinds = |about: &str| took.get(&(shown.clone(), about.to_owned())).cloned().unwrap_or_default();
        for (function, signature) in workbench.functions().iter().enumerate() {
            let (count, cost, kinds) =
                (counts.functions[function], cost.functions[function], kinds(&signature.name));
            let mutate = kinds.get("mutate").copied().unwrap_or_default();
            let rest: f64 = kinds
                .iter()
                .filter(|(kind, _)| !["mutate", "prove"].contains(&kind.as_str()))
                .map(|(_, s)| s)
                .sum();
            println!(
                "{:12} {:22} {:7} {:6} {:9.0} {:9.2} {:8.2} {rest:8.2} {:8.2} {mutate:8.2}  {kinds:.2?}",
                workbench.target.manifest.name,
                signature.name,
                count.mutants,
                count.relations,
                count.fuel,
                kinds.get("inputs").copied().unwrap_or_default(),
                cost.before_mutants,
                cost.mutants,
            );
        }
        let proofs: f64 = workbench
            .relations
            .iter()
            .filter_map(|one| kinds(one.relation.name()).get("prove").copied())
            .sum();
        println!(
            "{:12} {} proofs: {:.2} estimated, {proofs:.2} took",
            workbench.target.manifest.name,
            cost.proofs.len(),
            cost.proofs.iter().sum::<f64>()
        );
        costs.push(cost);
    }
    for shards in [1, 2, 4, 8, 16] {
        let division = Division::of(&costs, shards);
        let of: Vec<f64> = division.shards().iter().map(|work| work.cost).collect();
        let (all, most) = (of.iter().sum::<f64>(), of.iter().copied().fold(0.0, f64::max));
        println!(
            "{shards} shards: {all:.1} s in all, the slowest {most:.1} s, {:.2} times the mean",
            most * shards as f64 / all
        );
    }
}
