//! Candidate relations evaluated a second, with 9,000 correct and 9,000 incorrect executions; and one enumeration.
//!
//! The candidates are those of genetic programming: trees of up to 16 nodes, each made of two earlier ones by exchanging a subtree,
//! and scored on all rows. Processor time is what counts; of several runs the best is taken, as the least disturbed one.

use cpu_time::ThreadTime;
use dodona_inference::discovery::{
    EnumerateOptions, Evaluator, Leaf, Node, Operator, Pairs, Place, TermId, Terms, Variable, enumerate,
    is_number,
};
use dodona_relations::{ast::Expression, plan::Ty};
use dodona_target::{Column, Value, splitmix64};

const ROWS: usize = 9_000;
const TREES: usize = 60_000;
const POPULATION: usize = 1_000;
const LARGEST: usize = 16;
const RUNS: u32 = 3;

/// A function of two integers with a fault by number; 0 is the function itself. `None` where the call does not return.
type Call = fn(i64, i64, u32) -> Option<i64>;

fn pow(k: i64, e: i64, fault: u32) -> Option<i64> {
    let (mut result, mut square, mut e) = (i32::from(fault != 2), k as i32, e);
    if e < 0 {
        return None;
    }
    while e != 0 {
        if (e & 1 == 1) != (fault == 3) {
            result = result.wrapping_mul(square);
        }
        square = if fault == 1 { square } else { square.wrapping_mul(square) };
        e >>= if fault == 4 { 2 } else { 1 };
    }
    Some(result.into())
}

fn gcd(a: i64, b: i64, fault: u32) -> Option<i64> {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = match fault {
            1 => (b, (a - 1).rem_euclid(b)),
            2 => (b + 1, a % b),
            _ => (b, a % b),
        };
    }
    Some(if fault >= 3 { a.max(i64::from(fault)) } else { a })
}

struct Case {
    name: &'static str,
    call: Call,
    follow_up: fn(i64, i64) -> (i64, i64),
    first: std::ops::Range<i64>,
    second: std::ops::Range<i64>,
}

const CASES: [Case; 2] = [
    Case { name: "pow, e' = e - 1", call: pow, follow_up: |k, e| (k, e - 1), first: -45..45, second: 0..6 },
    Case {
        name: "gcd, a' = b, b' = a",
        call: gcd,
        follow_up: |a, b| (b, a),
        first: -500..500,
        second: -500..500,
    },
];

/// Recorded executions: `a`, `b`, `a'`, `b'` and both outputs.
fn pairs(case: &Case) -> Pairs {
    let draw = |n: u64, range: &std::ops::Range<i64>| {
        range.start + (splitmix64(n) % (range.end - range.start) as u64) as i64
    };
    let (mut correct, mut incorrect, mut mutants) = (Vec::new(), Vec::new(), Vec::new());
    let mut n = 0;
    while correct.len() < ROWS || incorrect.len() < ROWS {
        n += 2;
        let (a, b) = (draw(n, &case.first), draw(n + 1, &case.second));
        let (c, d) = (case.follow_up)(a, b);
        let both = |fault| Some([(case.call)(a, b, fault)?, (case.call)(c, d, fault)?]);
        let Some(right) = both(0) else { continue };
        correct.push([a, b, c, d, right[0], right[1]]);
        let fault = 1 + (n / 2 % 4) as u32;
        if let Some(wrong) = both(fault).filter(|wrong| *wrong != right) {
            incorrect.push([a, b, c, d, wrong[0], wrong[1]]);
            mutants.push(fault - 1);
        }
    }
    correct.truncate(ROWS);
    incorrect.truncate(ROWS);
    mutants.truncate(ROWS);
    let places = [
        (Place::SourceInput(0), "a"),
        (Place::SourceInput(1), "b"),
        (Place::FollowUpInput(0), "a'"),
        (Place::FollowUpInput(1), "b'"),
        (Place::SourceOutput(0), "o"),
        (Place::FollowUpOutput(0), "o'"),
    ];
    let variable =
        |(place, name): (Place, &str)| Variable { place, ty: Ty::Int, expression: Expression::name(name) };
    let rows = || correct.iter().chain(&incorrect);
    Pairs {
        variables: places.map(variable).to_vec(),
        columns: (0..6).map(|i| Column::Int(rows().map(|row| row[i].into()).collect())).collect(),
        correct: ROWS,
        mutants,
        mutant_count: 4,
        refused: vec![],
        crashed: vec![],
        constants: vec![(Value::Int(1), 3), (Value::Int(2), 1)],
    }
}

/// Trees as genetic programming makes them.
struct Trees {
    terms: Terms,
    next: u64,
}

const NUMBERS: [Operator; 10] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Quotient,
    Operator::Remainder,
    Operator::Min,
    Operator::Max,
    Operator::Abs,
    Operator::Negate,
];
const COMPARISONS: [Operator; 4] = [Operator::Equal, Operator::NotEqual, Operator::Less, Operator::LessEqual];
const CONNECTIVES: [Operator; 6] =
    [Operator::And, Operator::Or, Operator::Xor, Operator::Iff, Operator::Implies, Operator::Not];

impl Trees {
    fn draw(&mut self, below: usize) -> usize {
        self.next += 1;
        (splitmix64(self.next) % below as u64) as usize
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.draw(of.len())]
    }

    fn number(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.draw(3) == 0 {
            let leaf = match self.draw(8) {
                v @ 0..6 => Leaf::Variable(v as u16),
                _ => Leaf::Int(self.draw(5) as i64 - 2),
            };
            return self.terms.leaf(leaf);
        }
        self.apply(&NUMBERS, |trees| trees.number(depth - 1))
    }

    fn boolean(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.draw(2) == 0 {
            return self.apply(&COMPARISONS, |trees| trees.number(2));
        }
        self.apply(&CONNECTIVES, |trees| trees.boolean(depth - 1))
    }

    fn apply(&mut self, operators: &[Operator], mut operand: impl FnMut(&mut Trees) -> TermId) -> TermId {
        loop {
            let operator = self.pick(operators);
            let operands: Vec<TermId> = (0..operator.arity()).map(|_| operand(self)).collect();
            if let Some(term) = self.terms.apply(operator, &operands) {
                return term;
            }
        }
    }

    /// A tree with a subtree of another in place of one of its own.
    fn cross(&mut self, tree: TermId, other: TermId) -> Option<TermId> {
        let given = self.draw(self.terms.size(other));
        let given = self.node(other, given);
        let at = self.draw(self.terms.size(tree));
        let taken = self.node(tree, at);
        let (a, b) = (self.terms.ty(taken), self.terms.ty(given));
        if a != b && !(is_number(a) && is_number(b)) {
            return None;
        }
        self.replace(tree, at, given).filter(|&new| self.terms.size(new) <= LARGEST)
    }

    fn node(&self, tree: TermId, mut at: usize) -> TermId {
        if at == 0 {
            return tree;
        }
        at -= 1;
        for &operand in self.terms.operands(tree) {
            if at < self.terms.size(operand) {
                return self.node(operand, at);
            }
            at -= self.terms.size(operand);
        }
        tree
    }

    fn replace(&mut self, tree: TermId, mut at: usize, new: TermId) -> Option<TermId> {
        if at == 0 {
            return Some(new);
        }
        at -= 1;
        let Node::Apply(operator, mut operands) = self.terms.node(tree).clone() else { return None };
        for operand in &mut operands {
            let size = self.terms.size(*operand);
            if at < size {
                *operand = self.replace(*operand, at, new)?;
                break;
            }
            at -= size;
        }
        self.terms.apply(operator, &operands)
    }
}

/// Makes and scores trees; the time for the scores alone is what is measured. Returns trees a second, and their mean size.
fn trees_per_second(pairs: &Pairs, seed: u64) -> (f64, f64) {
    let terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let mut trees = Trees { terms, next: seed << 40 };
    let mut evaluator = Evaluator::new(pairs);
    let mut population: Vec<TermId> = Vec::new();
    while population.len() < POPULATION {
        let tree = trees.boolean(2);
        population.extend(Some(tree).filter(|&tree| trees.terms.size(tree) <= LARGEST));
    }
    let (mut scored, mut nodes, mut wrong, mut seconds) = (0, 0, 0u64, 0.0);
    while scored < TREES {
        let mut next = Vec::with_capacity(POPULATION);
        while next.len() < POPULATION {
            // Better ones more often, as by a tournament.
            let (a, b) = (trees.draw(POPULATION), trees.draw(POPULATION));
            let (tree, other) = (population[a.min(trees.draw(POPULATION))], population[b]);
            next.extend(trees.cross(tree, other));
        }
        let start = ThreadTime::now();
        let mut ranked: Vec<_> = next.iter().map(|&t| (evaluator.score(&trees.terms, t), t)).collect();
        seconds += start.elapsed().as_secs_f64();
        ranked.sort_by_key(|(score, t)| (score.false_positives + score.false_negatives, *t));
        wrong += ranked.iter().map(|(score, _)| u64::from(score.false_positives)).sum::<u64>();
        scored += next.len();
        nodes += next.iter().map(|&t| trees.terms.size(t)).sum::<usize>();
        population = ranked.into_iter().map(|(_, t)| t).collect();
    }
    assert!(wrong > 0, "not every tree holds on every row");
    (scored as f64 / seconds, nodes as f64 / scored as f64)
}

/// Trees a second of several threads together, each with an evaluator of its own.
fn in_parallel(pairs: &Pairs, threads: u64) -> (f64, f64) {
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            (0..threads).map(|seed| scope.spawn(move || trees_per_second(pairs, seed + 1))).collect();
        let runs: Vec<_> = runs.into_iter().map(|run| run.join().expect("the run ends")).collect();
        let mean = runs.iter().map(|(_, nodes)| nodes).sum::<f64>() / runs.len() as f64;
        (runs.iter().map(|(rate, _)| rate).sum(), mean)
    })
}

fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}

fn enumeration(pairs: &Pairs) {
    let mut terms = Terms::new(pairs.variables.iter().map(|v| v.ty).collect());
    let mut evaluator = Evaluator::new(pairs);
    let start = ThreadTime::now();
    let found = enumerate(&mut terms, &mut evaluator, pairs, &EnumerateOptions::default(), &|| true);
    let names: Vec<_> = pairs.variables.iter().map(|v| v.expression.clone()).collect();
    println!(
        "    enumeration: {:.2} s, {} candidates, complete to size {}, {} relations found",
        start.elapsed().as_secs_f64(),
        found.evaluated,
        found.complete_to,
        found.found.len()
    );
    for found in found.found.iter().take(4) {
        let condition =
            found.condition.map_or(String::new(), |c| format!("when {}: ", terms.write(c, &names)));
        let rate = found.score.false_negative_rate(pairs.mutants.len());
        println!("      {condition}{} misses {:.1}%", terms.write(found.expect, &names), rate * 100.0);
    }
}

fn main() {
    println!(
        "candidates scored a second on {} + {} executions, best of {RUNS} runs (goal: 20,000 on one core)",
        ROWS, ROWS
    );
    for case in &CASES {
        let pairs = pairs(case);
        println!("  {}", case.name);
        for threads in [1, 2] {
            let best = (0..RUNS).map(|_| in_parallel(&pairs, threads)).max_by(|a, b| a.0.total_cmp(&b.0));
            let (rate, nodes) = best.expect("there is a run");
            println!("    {threads} threads: {rate:>8.0} trees a second, of {nodes:.1} nodes on average");
        }
        enumeration(&pairs);
    }
    if let Some(memory) = peak_memory() {
        println!("  peak memory: {memory} MB");
    }
}
