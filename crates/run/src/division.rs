//! How the work of subjects is divided into shards.
//!
//! There are two units. One is a function under test: its inputs, the checks of the relations that call it, searches for others, and its mutants. Where the mutants of one function are
//! more than a shard's fair share, several shards run them, and each of these does again what comes before mutants: what a mutant is run against depends on it.
//! The other is the proof of an accepted relation, which needs nothing else. A proof that refutes a relation changes what mutants are run against; that is rare, and those mutants are run
//! once more where the shards are merged. So are the mutants of a function that a relation calls which was found in a search of another function.
//!
//! Units are given to shards by *longest processing time first*: the costliest one goes to the shard with the least work. With units that are small against a shard its slowest shard has at most 4/3
//! of the best possible (Graham, 1969, "Bounds on multiprocessing timing anomalies", theorem 2).

use std::collections::{BTreeMap, BTreeSet};

/// What the work on a function costs, in seconds of one processor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FunctionCost {
    /// What each shard does that runs mutants of the function: inputs, checks, searches, proofs.
    pub before_mutants: f64,
    /// All its mutants.
    pub mutants: f64,
    /// Into how many pieces the mutants can be divided.
    pub slices: usize,
}

/// What the work on a subject costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SubjectCost {
    /// What each shard does that works on it: compile it, and make its mutants.
    pub open: f64,
    /// Of each function under test.
    pub functions: Vec<FunctionCost>,
    /// Of the proof of each accepted relation.
    pub proofs: Vec<f64>,
}

/// Which part of a function's mutants a shard runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    /// From 0.
    number: usize,
    of: usize,
}

/// What a shard does of a subject: functions under test, each with a part of its mutants, and proofs of accepted relations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    functions: BTreeMap<usize, Part>,
    proofs: BTreeSet<usize>,
}

impl Share {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.proofs.is_empty()
    }

    /// Whether a function is among them, by its index.
    pub fn has(&self, function: usize) -> bool {
        self.functions.contains_key(&function)
    }

    /// Whether this is the shard that measures a function and proves what was found of it, of those that run its mutants.
    pub fn is_first(&self, function: usize) -> bool {
        self.functions.get(&function).is_some_and(|part| part.number == 0)
    }

    /// The accepted relations that are put to proof, by their indices.
    pub fn proofs(&self) -> &BTreeSet<usize> {
        &self.proofs
    }

    /// Those of the slices of a function's mutants that are run.
    pub fn of_slices<T>(&self, function: usize, slices: Vec<T>) -> Vec<T> {
        let Some(Part { number, of }) = self.functions.get(&function) else { return Vec::new() };
        slices.into_iter().skip(*number).step_by(*of).collect()
    }

    /// The share in words that tell it from all others: `f0 1/2, f3 1/1, p2`.
    fn words(&self) -> String {
        let function =
            |(function, part): (&usize, &Part)| format!("f{function} {}/{}", part.number + 1, part.of);
        let proofs = self.proofs.iter().map(|proof| format!("p{proof}"));
        self.functions.iter().map(function).chain(proofs).collect::<Vec<_>>().join(", ")
    }

    fn add(&mut self, work: Work) {
        match work {
            Work::Function(function, part) => drop(self.functions.insert(function, part)),
            Work::Proof(relation) => drop(self.proofs.insert(relation)),
        }
    }
}

/// Work that goes to one shard.
struct Unit {
    subject: usize,
    work: Work,
    cost: f64,
}

/// What a unit is of.
#[derive(Clone, Copy)]
enum Work {
    Function(usize, Part),
    Proof(usize),
}

/// The work of one shard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShardWork {
    /// A share of each subject, in their order.
    pub shares: Vec<Share>,
    /// What it is estimated to cost, in seconds of one processor.
    pub cost: f64,
}

/// The work of all shards.
#[derive(Clone, Debug, PartialEq)]
pub struct Division(Vec<ShardWork>);

/// A function's mutants are divided between shards where it costs more than this part of what a shard has on average. Smaller units are spread more evenly and repeat more work; with
/// 0.3 the slowest shard of all shipped subjects together has at most 1.1 times the mean of the estimates with up to 16 shards.
const LARGE: f64 = 0.3;

/// A part of a function's mutants costs at least this many times what is repeated for it.
const WORTH: f64 = 1.0;

impl Division {
    /// Divides subjects between so many shards, at least one.
    pub fn of(subjects: &[SubjectCost], shards: usize) -> Division {
        let shards = shards.max(1);
        let all = subjects.iter().map(SubjectCost::total).sum::<f64>();
        let large = LARGE * all / shards as f64;
        let mut units: Vec<Unit> = Vec::new();
        for (subject, costs) in subjects.iter().enumerate() {
            for (function, cost) in costs.functions.iter().enumerate() {
                let of = cost.parts(large).min(shards);
                let cost = cost.before_mutants + cost.mutants / of as f64;
                let work = |number| Work::Function(function, Part { number, of });
                units.extend((0..of).map(|number| Unit { subject, work: work(number), cost }));
            }
            let proofs = costs.proofs.iter().enumerate();
            units.extend(proofs.map(|(relation, &cost)| Unit { subject, work: Work::Proof(relation), cost }));
        }
        // Equal costs stay in the order of the subjects, so that every shard comes to the same division.
        units.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        let empty = ShardWork { shares: vec![Share::default(); subjects.len()], cost: 0.0 };
        let mut work = vec![empty; shards];
        for unit in units {
            let after = |work: &ShardWork| {
                let is_open = !work.shares[unit.subject].is_empty();
                work.cost + unit.cost + if is_open { 0.0 } else { subjects[unit.subject].open }
            };
            // No shard has two parts of a function: it would do the second in vain.
            let can = |work: &&mut ShardWork| match unit.work {
                Work::Function(function, _) => !work.shares[unit.subject].has(function),
                Work::Proof(_) => true,
            };
            let least = work.iter_mut().filter(can).min_by(|a, b| after(a).total_cmp(&after(b)));
            if let Some(least) = least {
                least.cost = after(least);
                least.shares[unit.subject].add(unit.work);
            }
        }
        Division(work)
    }

    /// The work of each shard.
    pub fn shards(&self) -> &[ShardWork] {
        &self.0
    }

    /// What tells this division from others.
    pub fn words(&self) -> String {
        let shard = |work: &ShardWork| work.shares.iter().map(Share::words).collect::<Vec<_>>().join("; ");
        self.0.iter().map(shard).collect::<Vec<_>>().join("\n")
    }
}

impl SubjectCost {
    /// All of it, done once.
    pub fn total(&self) -> f64 {
        let functions = self.functions.iter().map(|cost| cost.before_mutants + cost.mutants);
        self.open + functions.sum::<f64>() + self.proofs.iter().sum::<f64>()
    }
}

impl FunctionCost {
    /// Into how many parts its mutants are divided, where a unit of more than so many seconds is large.
    fn parts(&self, large: f64) -> usize {
        if self.before_mutants + self.mutants <= large {
            return 1;
        }
        // As many as bring a part to the size that is not large, if what comes before mutants leaves room for them, and none that are mostly repetition.
        let wanted = self.mutants / (large - self.before_mutants).max(WORTH * self.before_mutants).max(1e-3);
        (wanted.ceil() as usize).clamp(1, self.slices.max(1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn subjects() -> impl Strategy<Value = Vec<SubjectCost>> {
        let function = (0.0..20.0, 0.0..100.0, 0_usize..11)
            .prop_map(|(before_mutants, mutants, slices)| FunctionCost { before_mutants, mutants, slices });
        let proofs = proptest::collection::vec(0.0..3.0, 0..8);
        let subject = (0.0..2.0, proptest::collection::vec(function, 0..8), proofs)
            .prop_map(|(open, functions, proofs)| SubjectCost { open, functions, proofs });
        proptest::collection::vec(subject, 0..6)
    }

    proptest! {
        #[test]
        fn every_slice_is_run_once_and_every_function_measured_once(subjects in subjects(), shards in 1_usize..40) {
            let division = Division::of(&subjects, shards);
            prop_assert_eq!(division.shards().len(), shards);
            for (subject, costs) in subjects.iter().enumerate() {
                for (function, cost) in costs.functions.iter().enumerate() {
                    let shares = || division.shards().iter().map(|work| &work.shares[subject]);
                    prop_assert_eq!(shares().filter(|share| share.is_first(function)).count(), 1);
                    let all: Vec<usize> = (0..cost.slices).collect();
                    let mut run: Vec<usize> =
                        shares().flat_map(|share| share.of_slices(function, all.clone())).collect();
                    run.sort_unstable();
                    prop_assert_eq!(run, all);
                }
                let mut proofs: Vec<usize> =
                    division.shards().iter().flat_map(|work| work.shares[subject].proofs().clone()).collect();
                proofs.sort_unstable();
                prop_assert_eq!(proofs, (0..costs.proofs.len()).collect::<Vec<_>>());
            }
        }

        #[test]
        fn the_division_depends_on_the_costs_alone(subjects in subjects(), shards in 1_usize..20) {
            prop_assert_eq!(Division::of(&subjects, shards), Division::of(&subjects, shards));
        }

        #[test]
        fn small_units_are_spread_evenly(costs in proptest::collection::vec(0.5..1.5, 200..400), shards in 1_usize..17) {
            let functions = costs
                .iter()
                .map(|&before_mutants| FunctionCost { before_mutants, ..FunctionCost::default() })
                .collect();
            let division = Division::of(&[SubjectCost { functions, ..SubjectCost::default() }], shards);
            let mean = costs.iter().sum::<f64>() / shards as f64;
            prop_assert!(division.shards().iter().all(|work| work.cost <= 1.1 * mean));
        }
    }

    #[test]
    fn the_mutants_of_one_large_function_are_divided() {
        let cost = FunctionCost { before_mutants: 1.0, mutants: 100.0, slices: 10 };
        let subject = SubjectCost { open: 0.1, functions: vec![cost], proofs: Vec::new() };
        let division = Division::of(&[subject], 4);
        let costs: Vec<f64> = division.shards().iter().map(|work| work.cost).collect();
        assert_eq!(costs, [26.1; 4]);
        let words = "f0 1/4\nf0 2/4\nf0 3/4\nf0 4/4";
        assert_eq!(division.words(), words);
    }

    #[test]
    fn mutants_that_cost_less_than_what_comes_before_them_stay_together() {
        let cost = FunctionCost { before_mutants: 10.0, mutants: 5.0, slices: 10 };
        let subject = SubjectCost { open: 0.0, functions: vec![cost], proofs: vec![3.0, 2.0, 2.0, 1.0] };
        let division = Division::of(&[subject], 4);
        assert_eq!(division.words(), "f0 1/1\np0\np1, p3\np2");
    }
}
