//! What executing only infected pairs saves, on the subjects that ship.

use dodona_records::{Against, Mode, Pruning};

use crate::{analyse, best, open, options};

/// Subjects with so many inputs that the runs weigh more than setting up.
const SUBJECTS: [(&str, u64); 6] = [
    ("../subjects/triangle", 2000),
    ("../subjects/gcd", 500),
    ("../subjects/tcas", 1000),
    ("../subjects/sorting", 100),
    ("../subjects/trig", 500),
    ("../subjects/third-party/libm-sin", 500),
];
/// The part of the pairs that may be executed.
const GOAL: f64 = 1.0 / 3.0;

/// What one subject, or all, took: pairs in the full matrix, and executed without and with pruning; seconds likewise.
#[derive(Clone, Copy, Default)]
struct Cost {
    pairs: u64,
    executed: [u64; 2],
    seconds: [f64; 2],
}

pub(crate) fn print() {
    for mode in [Mode::EachRelation, Mode::Matrix] {
        println!("pruning to infected pairs, {mode:?}, inputs and relations (goal: part {GOAL:.3}, faster)");
        println!(
            "  {:<16} {:>10} {:>10} {:>10} {:>6}  {:>8} {:>8} {:>6}",
            "", "pairs", "unpruned", "pruned", "part", "unpruned", "pruned", "times"
        );
        let mut together = Cost::default();
        for (subject, inputs) in SUBJECTS {
            let (name, cost) = measure(subject, inputs, mode);
            cost.print(&name);
            together.add(cost);
        }
        together.print("together");
    }
}

fn measure(subject: &str, inputs: u64, mode: Mode) -> (String, Cost) {
    let workbench = open(subject);
    let run = |pruning| {
        let options = options(inputs, Against::Both, mode, pruning);
        best(|| analyse(&workbench, &options).record.work)
    };
    let (full, pruned) = (run(Pruning::Off), run(Pruning::Infected));
    let cost = Cost {
        pairs: full.0.pairs,
        executed: [full.0.executed, pruned.0.executed],
        seconds: [full.1.as_secs_f64(), pruned.1.as_secs_f64()],
    };
    (workbench.target.manifest.name.clone(), cost)
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.pairs += other.pairs;
        for i in 0..2 {
            self.executed[i] += other.executed[i];
            self.seconds[i] += other.seconds[i];
        }
    }

    fn print(&self, name: &str) {
        let ([unpruned, pruned], [whole, less]) = (self.executed, self.seconds);
        println!(
            "  {name:<16} {:>10} {unpruned:>10} {pruned:>10} {:>6.3}  {whole:>8.3} {less:>8.3} {:>6.2}",
            self.pairs,
            pruned as f64 / self.pairs as f64,
            whole / less
        );
    }
}
