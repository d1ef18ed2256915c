//! How long a run takes on 10, 100 and 1,000 workers, undisturbed, and when some are slow and all are taken away now and then: a simulation of discrete events, with three ways of splitting the work
//! into shards.
//!
//! `cargo run --release --package dodona-run --example scale` prints the tables of `experiments/scale/README.md`.
//!
//! The work is that of many functions like the shipped ones: a few are much dearer than most. What is estimated is off, as the estimates of the shipped subjects are. A worker takes a shard, does its
//! pieces one by one, and takes the next shard when its file is written. One that is taken away comes back after a while; its shard waits until then for the next free worker, which goes on
//! behind the last finished piece.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use dodona_run::{Division, FunctionCost, SubjectCost};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Functions under test, in subjects of so many.
const FUNCTIONS: usize = 5_000;
const IN_SUBJECT: usize = 10;

/// The medians of what comes before mutants and of mutants, in seconds, and how far single ones are from them: the standard deviation of the logarithm. Of the functions of ten shipped subjects.
const BEFORE: f64 = 4.0;
const MUTANTS: f64 = 3.0;
const SPREAD: f64 = 1.3;

/// The same of what a piece takes by its estimate.
const ERROR: f64 = 0.5;

/// The longest piece of what comes before mutants, in seconds.
const PIECE: f64 = 5.0;

/// One worker of so many is slow, and takes so many times as long.
const SLOW: u64 = 20;
const SLOWNESS: f64 = 3.0;

/// A worker is taken away after so many seconds on average, and comes back after so many.
const TAKEN_AWAY: f64 = 7_200.0;
const AWAY: f64 = 120.0;

/// Starting a shard, and the merge for each function, in seconds.
const START: f64 = 2.0;
const MERGE: f64 = 0.002;

/// Random numbers of one simulation.
struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Above 0, and at most 1.
    fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
    }

    /// With this median and this standard deviation of the logarithm (Box and Muller).
    fn log_normal(&mut self, median: f64, spread: f64) -> f64 {
        let normal = (-2.0 * self.unit().ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        median * (spread * normal).exp()
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * self.unit().ln()
    }
}

/// A way of splitting.
#[derive(Clone, Copy)]
enum Split {
    /// As many functions in each shard.
    Count,
    /// Each function in the shard that a hash of it says.
    Hash,
    /// By what they are estimated to cost.
    Cost,
}

/// The work: what functions are estimated to cost.
fn work(random: &mut Random) -> Vec<SubjectCost> {
    let function = |random: &mut Random| {
        let mutants = random.log_normal(MUTANTS, SPREAD);
        let slices = ((mutants / 0.5) as usize).clamp(1, 10);
        FunctionCost { before_mutants: random.log_normal(BEFORE, SPREAD), mutants, slices }
    };
    let subject = |random: &mut Random| SubjectCost {
        open: 0.2,
        functions: (0..IN_SUBJECT).map(|_| function(random)).collect(),
        proofs: Vec::new(),
    };
    (0..FUNCTIONS / IN_SUBJECT).map(|_| subject(random)).collect()
}

/// What the pieces of each shard really take.
fn shards(subjects: &[SubjectCost], shards: usize, split: Split, random: &mut Random) -> Vec<VecDeque<f64>> {
    let mut pieces = vec![VecDeque::new(); shards];
    // What a function takes is the same in every split.
    let errors: Vec<Vec<f64>> = subjects
        .iter()
        .map(|s| s.functions.iter().map(|_| random.log_normal(1.0, ERROR)).collect())
        .collect();
    let mut add = |shard: usize, subject: usize, function: usize, slices: usize| {
        let (cost, error) = (subjects[subject].functions[function], errors[subject][function]);
        let before = cost.before_mutants * error;
        let count = (before / PIECE).ceil().max(1.0);
        pieces[shard].extend((0..count as usize).map(|_| before / count));
        pieces[shard].extend((0..slices).map(|_| cost.mutants * error / cost.slices as f64));
    };
    match split {
        Split::Cost => {
            let division = Division::of(subjects, shards);
            for (shard, work) in division.shards().iter().enumerate() {
                for (subject, share) in work.shares.iter().enumerate() {
                    for (function, cost) in subjects[subject].functions.iter().enumerate() {
                        if share.has(function) {
                            add(
                                shard,
                                subject,
                                function,
                                share.of_slices(function, vec![(); cost.slices]).len(),
                            );
                        }
                    }
                }
            }
        }
        Split::Count | Split::Hash => {
            for (subject, costs) in subjects.iter().enumerate() {
                for (function, cost) in costs.functions.iter().enumerate() {
                    let number = subject * IN_SUBJECT + function;
                    let shard = match split {
                        Split::Count => number * shards / FUNCTIONS,
                        _ => Xoshiro256PlusPlus::seed_from_u64(number as u64).next_u64() as usize % shards,
                    };
                    add(shard, subject, function, cost.slices);
                }
            }
        }
    }
    pieces
}

/// When the last shard ends, in seconds.
fn makespan(mut shards: Vec<VecDeque<f64>>, workers: usize, is_disturbed: bool, random: &mut Random) -> f64 {
    let is_slow = |random: &mut Random| is_disturbed && random.0.next_u64().is_multiple_of(SLOW);
    let speeds: Vec<f64> = (0..workers).map(|_| if is_slow(random) { SLOWNESS } else { 1.0 }).collect();
    let first =
        |random: &mut Random| if is_disturbed { random.exponential(TAKEN_AWAY) } else { f64::INFINITY };
    let mut taken: Vec<f64> = (0..workers).map(|_| first(random)).collect();
    let mut waiting: VecDeque<usize> = (0..shards.len()).collect();
    // Microseconds, for floats have no order.
    let micro = |seconds: f64| (seconds * 1e6) as u64;
    let mut free: BinaryHeap<Reverse<(u64, usize)>> =
        (0..workers).map(|worker| Reverse((0, worker))).collect();
    let mut end: f64 = 0.0;
    // Shards that were given back, by when.
    let mut back: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
    while let Some(Reverse((at, worker))) = free.pop() {
        while back.peek().is_some_and(|Reverse((when, _))| *when <= at) {
            waiting.extend(back.pop().map(|Reverse((_, shard))| shard));
        }
        let Some(shard) = waiting.pop_front() else {
            // One may still come back.
            if let Some(Reverse((when, _))) = back.peek() {
                free.push(Reverse((*when, worker)));
            }
            continue;
        };
        let mut now = at as f64 / 1e6 + START * speeds[worker];
        while let Some(piece) = shards[shard].front() {
            let after = now + piece * speeds[worker];
            if after > taken[worker] {
                break;
            }
            now = after;
            shards[shard].pop_front();
        }
        if shards[shard].is_empty() {
            end = end.max(now);
            free.push(Reverse((micro(now), worker)));
        } else {
            let gone = now.max(taken[worker]);
            back.push(Reverse((micro(gone), shard)));
            free.push(Reverse((micro(gone + AWAY), worker)));
            taken[worker] = gone + AWAY + random.exponential(TAKEN_AWAY);
        }
    }
    end
}

fn main() {
    for is_disturbed in [false, true] {
        println!(
            "{}\n",
            if is_disturbed { "With slow workers, and workers that are taken away:" } else { "Undisturbed:" }
        );
        table(is_disturbed);
        println!();
    }
}

/// The longest row that is tried: the division of more shards takes minutes.
const MOST: usize = 4_000;

fn table(is_disturbed: bool) {
    const TRIES: u64 = 20;
    println!("| workers | shards | by count | by hash | by cost | the least possible |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for workers in [10, 100, 1_000] {
        for each in [1, 4, 16].into_iter().filter(|each| workers * each <= MOST) {
            let mut line = format!("| {workers} | {} |", workers * each);
            let mut least = 0.0;
            for split in [Split::Count, Split::Hash, Split::Cost] {
                let mut sum = 0.0;
                for seed in 0..TRIES {
                    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
                    let subjects = work(&mut random);
                    let pieces = shards(&subjects, workers * each, split, &mut random);
                    let all: f64 = pieces.iter().flatten().sum();
                    let spread = all / workers as f64;
                    if let Split::Count = split {
                        least += spread + MERGE * FUNCTIONS as f64;
                    }
                    sum += makespan(pieces, workers, is_disturbed, &mut random) + MERGE * FUNCTIONS as f64;
                }
                line += &format!(" {:.0} s |", sum / TRIES as f64);
            }
            println!("{line} {:.0} s |", least / TRIES as f64);
        }
    }
}
