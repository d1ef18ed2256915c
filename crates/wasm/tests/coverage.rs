//! Coverage: held against a version that counts at every single instruction, and against paths followed by hand.

#![allow(clippy::unwrap_used, reason = "a test that panics fails")]

mod common;

use std::collections::BTreeSet;

use common::*;
use dodona_subject::wasmparser::Operator;
use dodona_subject::*;
use dodona_target::*;
use dodona_wasm::execute::{
    Additions, Choice, CoverageMap, Executable, FunctionCopy, Options, Original, Patch, RowCoverage, Runner,
    Statement, StatementScope, Statements, Variants,
};
use proptest::prelude::*;
use wasm_encoder::{Instruction as I, MemArg};

const FUEL: u64 = 200_000;

fn everything(module: &Module) -> BTreeSet<u32> {
    (0..module.function_count()).collect()
}

/// A module whose functions are counted by a map, and the same with a counter at every instruction.
struct Both {
    module: Module,
    map: CoverageMap,
    plain: Executable,
    covered: Executable,
    naive: Executable,
}

impl Both {
    fn new(module: Module, function: Function) -> Both {
        let map = CoverageMap::of(&module, &everything(&module)).with_order();
        let load = |variants: &Variants| {
            let limits = Limits { fuel: Fuel(FUEL), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let functions = std::slice::from_ref(&function);
            Executable::load_with_variants(&module, functions, &options, variants).unwrap()
        };
        let (plain, covered) = (load(&Variants::default()), load(&map.variants(&module)));
        let naive = load(&at_every_instruction(&module));
        Both { map, plain, covered, naive, module }
    }

    /// The law: calls are the original's, and every block and edge was run as often as its instructions were.
    fn check(&self, arguments: &[Column]) -> Vec<RowCoverage> {
        let (mut covered, mut naive) = (self.covered.runner(), self.naive.runner());
        covered.choose(self.map.choice());
        naive.choose(Choice { version: 1, alternative: 0 });
        let expected = seen(&mut self.plain.runner(), arguments);
        assert_eq!(seen(&mut covered, arguments), expected);
        assert_eq!(seen(&mut naive, arguments), expected);
        let rows = 0..expected.0.outcomes.len();
        rows.map(|row| self.row(row, expected.0.outcomes[row], &covered, &naive)).collect()
    }

    fn row(&self, row: usize, outcome: Outcome, covered: &Runner, naive: &Runner) -> RowCoverage {
        let at = covered.locate_trap(row);
        let found = self.map.read(covered.notes(row)).stopped(outcome, at);
        let mut number = 0;
        for function in self.module.imported_functions()..self.module.function_count() {
            for (instruction, (operator, _)) in (0..).zip(self.module.operators(function)) {
                let runs = (naive.notes(row)[number / 2] >> (number % 2 * 32)) as u32;
                number += 1;
                let point = CodePoint { function, instruction };
                if !matches!(operator, Operator::End | Operator::Else)
                    && !matches!(operator, Operator::Block { .. } | Operator::Loop { .. })
                {
                    assert_eq!(self.runs(&found, point), runs, "{point:?} {operator:?} in row {row}");
                }
                if let Some(site) = self.map.branches().site(point) {
                    let edges = (0..self.map.branches().directions(site))
                        .map(|direction| found.edges[self.map.branches().edge(site, direction) as usize]);
                    assert_eq!(edges.sum::<u32>(), runs, "{point:?}");
                }
            }
        }
        assert_eq!(found.path.length, found.edges.iter().map(|e| u64::from(*e)).sum::<u64>());
        self.check_order(&found);
        found
    }

    /// Blocks are entered in the order as often as they are counted; of those that there was no room for, some are missing.
    fn check_order(&self, found: &RowCoverage) {
        let order = found.order.as_ref().unwrap();
        let mut entered = vec![0; found.blocks.len()];
        order.blocks.iter().for_each(|block| entered[*block as usize] += 1);
        match order.is_cut {
            false => assert_eq!(entered, found.blocks),
            true => {
                assert!(entered.iter().zip(&found.blocks).all(|(some, all)| some <= all));
                assert!(found.blocks.iter().map(|n| u64::from(*n)).sum::<u64>() > 1000);
            }
        }
    }

    fn runs(&self, found: &RowCoverage, point: CodePoint) -> u32 {
        let Some(block) = self.map.block_of(point) else { return 0 };
        let cut = found.stopped.is_some_and(|at| self.map.block_of(at) == Some(block) && at < point);
        found.blocks[block] - u32::from(cut)
    }
}

fn seen(runner: &mut Runner, arguments: &[Column]) -> (Calls, Vec<u64>) {
    let calls = runner.call_noting(0, arguments).unwrap();
    (calls, runner.fuel_used().to_vec())
}

/// A version with a counter at every instruction of every function.
fn at_every_instruction(module: &Module) -> Variants {
    let additions = Additions::of(module);
    let mut counters = 0;
    let mut copies = Vec::new();
    for function in module.imported_functions()..module.function_count() {
        let patches = (0..module.operators(function).len() as u32).map(|at| {
            let place = MemArg { offset: u64::from(counters) * 4, align: 2, memory_index: additions.memory };
            counters += 1;
            let notes = I::GlobalGet(additions.notes);
            let add = [I::I32Load(place), I::I32Const(1), I::I32Add, I::I32Store(place)];
            Patch {
                at,
                code: [notes.clone(), notes].into_iter().chain(add).collect(),
                original: Original::Kept,
            }
        });
        copies.push(FunctionCopy { version: 1, function, locals: vec![], patches: patches.collect() });
    }
    Variants { copies, note_bits: counters * 32, is_always_chosen: false }
}

/// Loads once for all cases of a test.
macro_rules! once {
    ($load:expr) => {{
        static LOADED: std::sync::LazyLock<Both> = std::sync::LazyLock::new(|| $load);
        &*LOADED
    }};
}

/// Every kind of branch and block, dead code, calls that trap, exits in mid-block.
const EVERY_KIND: &str = r#"(module
    (memory 1)
    (func $divide (param i32) (result i32)
        (drop (i32.div_s (i32.const 7) (local.get 0)))
        (i32.add (local.get 0) (i32.const 1)))
    (func $forever (param i32) (result i32)
        (loop (result i32) (local.set 0 (call $divide (i32.or (local.get 0) (i32.const 1)))) (br 0)))
    (func (export "f") (param i32 i32) (result i32) (local i32)
        (if (i32.eq (local.get 0) (i32.const 100)) (then (return (i32.const 1))))
        (if (i32.eq (local.get 0) (i32.const 101)) (then (unreachable) (nop) (drop (i32.const 3))) (else (nop)))
        (block $a (block $b (block $c
            (br_table $a $b $a $c $b (i32.and (local.get 0) (i32.const 7))))
            (local.set 2 (i32.const 5))
            (br $a)
            (local.set 2 (i32.const 6)))
          (local.set 2 (if (result i32) (i32.and (local.get 1) (i32.const 1))
            (then (call $divide (local.get 1)))
            (else (local.get 2)))))
        (loop $l
            (block $out
                (local.set 2 (i32.add (local.get 2) (call $divide (i32.shr_s (local.get 1) (i32.const 2)))))
                (br_if $out (i32.gt_s (local.get 1) (i32.const 90)))
                (local.set 1 (i32.add (local.get 1) (i32.const 9)))
                (br_if $l (i32.ne (i32.and (local.get 1) (i32.const 31)) (i32.const 1)))))
        (if (i32.eqz (i32.rem_s (local.get 0) (i32.const 13)))
            (then (local.set 2 (call $forever (i32.const 1)))))
        (if (i32.gt_s (local.get 0) (i32.const 120))
            (then (memory.fill (i32.const 0) (i32.const 1) (i32.mul (local.get 0) (i32.const 300)))
                  (local.set 2 (i32.const 9))
                  (memory.fill (i32.const 0) (i32.const 1) (i32.const 3000000))))
        (local.set 2 (i32.load (i32.mul (local.get 0) (i32.const 1000))))
        (br_if 0 (local.get 2) (i32.gt_s (local.get 0) (i32.const 3)))
        (drop)
        (i32.const 8)))"#;

fn sort() -> Function {
    let mut sort = function("sort", &["[i32]"], ResultLowering::None);
    sort.lowerings[0] = Lowering::PointerLength(Passing::InOut);
    sort
}

fn sequences_of(rows: &[Vec<i32>]) -> Column {
    let mut ragged = Ragged::new();
    rows.iter().for_each(|row| ragged.push_from(row.iter().map(|x| i128::from(*x))));
    Column::Sequence(SequenceColumn::Int(ragged))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_kind_of_branch_is_counted(rows in prop::collection::vec((-10..140i32, -5..99i32), 1..40)) {
        let both = once!(Both::new(module(EVERY_KIND), function("f", &["i32", "i32"], returns("i32"))));
        let column = |pick: fn(&(i32, i32)) -> i32| ints(rows.iter().map(|row| i128::from(pick(row))));
        both.check(&[column(|r| r.0), column(|r| r.1)]);
    }

    #[test]
    fn real_code_is_counted(rows in prop::collection::vec(prop::collection::vec(-9..9i32, 0..20), 1..6)) {
        let both = once!(Both::new(testdata("numbers.wasm"), sort()));
        both.check(&[sequences_of(&rows)]);
    }
}

#[test]
fn what_every_kind_must_show_is_there() {
    // The law above says little of inputs that end alike.
    let both = Both::new(module(EVERY_KIND), function("f", &["i32", "i32"], returns("i32")));
    let first: Vec<i128> = (-10..140).collect();
    let rows = both.check(&[ints(first.iter().copied()), ints(first.iter().map(|x| x * 7 % 41))]);
    assert!(rows.iter().any(|row| row.stopped.is_some()));
    let blocks = both.map.blocks().len();
    let run = (0..blocks).filter(|block| rows.iter().any(|row| row.blocks[*block] > 0)).count();
    assert!(run + 2 >= blocks, "{run} of {blocks}");
    let paths: BTreeSet<_> = rows.iter().map(|row| row.path).collect();
    assert!(paths.len() > 20, "{}", paths.len());
}

#[test]
fn endless_recursion_stops_before_what_it_would_run() {
    let endless = module(
        r#"(module (func $f (export "f") (param i32) (result i32)
            (i32.add (i32.const 1) (call $f (local.get 0)))))"#,
    );
    let map = CoverageMap::of(&endless, &everything(&endless));
    let options =
        Options { limits: Limits { fuel: Fuel(1 << 40), ..Limits::default() }, ..Options::default() };
    let f = function("f", &["i32"], returns("i32"));
    let executable =
        Executable::load_with_variants(&endless, &[f], &options, &map.variants(&endless)).unwrap();
    let mut runner = executable.runner();
    runner.choose(map.choice());
    let calls = runner.call_noting(0, &[ints([1])]).unwrap();
    assert_eq!(calls.outcomes, [Outcome::Trapped(Trap::StackOverflow)]);
    let row = map.read(runner.notes(0)).stopped(calls.outcomes[0], runner.locate_trap(0));
    assert_eq!(row.stopped, None);
    assert!(row.blocks[0] > 100);
    assert_eq!(row.blocks[1], 0, "no call returned");
}

/// What starts an instance and what allocates run before a version is chosen.
#[test]
fn what_runs_without_a_choice_keeps_its_original() {
    let started = module(
        r#"(module
            (global $calls (mut i32) (i32.const 0))
            (func $call (result i32)
                (global.set $calls (i32.add (global.get $calls) (i32.const 1))) (global.get $calls))
            (func $start (drop (call $call)))
            (func (export "f") (param i32) (result i32) (i32.add (call $call) (call $other (local.get 0))))
            (func $other (param i32) (result i32) (i32.mul (local.get 0) (i32.const 10)))
            (start $start))"#,
    );
    let both = Both::new(started, function("f", &["i32"], returns("i32")));
    both.check(&[ints([1, 2, 3])]);
    let mut covered = both.covered.runner();
    covered.choose(both.map.choice());
    // The second call of each instance: the first was its start.
    assert_eq!(covered.call(0, &[ints([1])]).unwrap().outputs, [ints([12])]);
    covered.choose(Choice::default());
    let without = covered.call(0, &[ints([1])]).unwrap();
    assert_eq!(without.outcomes, [Outcome::Trapped(Trap::Unreachable)], "nobody runs what is not compiled");
}

#[test]
fn commands_are_counted_from_their_start() {
    let words = Function {
        export: "_start".into(),
        ..Function::new("words", vec![parameter("text", "text", Lowering::Stdin)], ResultLowering::Command)
    };
    let both = Both::new(testdata("words.wasm"), words);
    let rows = both.check(&[texts(["", "one", "a few more words\n"])]);
    assert!(rows[2].path.length > rows[0].path.length);
}

/// Subtracts until one is zero: each turn decides twice, and a table decides what comes out.
const TURNS: &str = r#"(module (func (export "f") (param i32 i32) (result i32)
    (block $done (loop $turn
        (br_if $done (i32.eqz (local.get 0)))
        (if (i32.lt_u (local.get 0) (local.get 1))
            (then (local.set 1 (i32.sub (local.get 1) (local.get 0))))
            (else (local.set 0 (i32.sub (local.get 0) (local.get 1)))))
        (br $turn)))
    (block $two (block $one (block $none
        (br_table $none $one $two $one (local.get 1)))
        (return (i32.const 10)))
        (return (i32.const 11)))
    (i32.const 12)))"#;

#[test]
fn a_path_is_the_sequence_of_decisions() {
    let both = Both::new(module(TURNS), function("f", &["i32", "i32"], returns("i32")));
    let inputs = [(0, 2), (2, 4), (6, 9), (9, 6), (1, 1), (0, 0), (0, 77)];
    let column = |pick: fn(&(u32, u32)) -> u32| ints(inputs.iter().map(|row| i128::from(pick(row))));
    let rows = both.check(&[column(|r| r.0), column(|r| r.1)]);
    let edge = |site, direction| both.map.branches().edge(site, direction);
    for (row, (mut a, mut b)) in rows.iter().zip(inputs) {
        let mut path = PathId::START;
        while a != 0 {
            path = path.extend(edge(0, 0)).extend(edge(1, u32::from(a < b)));
            if a < b { b -= a } else { a -= b }
        }
        let out = match b {
            0 => 0,
            2 => 2,
            _ => 1,
        };
        assert_eq!(row.path, path.extend(edge(0, 1)).extend(edge(2, out)));
    }
}

#[test]
fn rows_in_any_company_are_counted_alike() {
    let both = Both::new(module(TURNS), function("f", &["i32", "i32"], returns("i32")));
    let (a, b): (Vec<i128>, Vec<i128>) = (0..3000).map(|x| (x * 7 % 31 + 1, x % 23 + 1)).unzip();
    let all = both.check(&[ints(a.clone()), ints(b.clone())]);
    for row in [0, 1, 1023, 1024, 2999] {
        let alone = both.check(&[ints([a[row]]), ints([b[row]])]);
        assert_eq!(alone[0], all[row]);
    }
}

/// A module of clang's with debug information: see `crates/subject/testdata/area.c`.
fn area() -> Module {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../subject/testdata/area.wasm");
    Module::parse(std::fs::read(path).unwrap()).unwrap()
}

fn statements(module: &Module, map: &CoverageMap, scope: StatementScope, at_hand: bool) -> Statements {
    Statements::of(module, module.debug_info().as_ref(), map, scope, &mut |_| at_hand)
}

#[test]
fn statements_are_lines_where_there_are_any() {
    let module = area();
    let mean = module.export_function("mean").unwrap();
    let map = CoverageMap::of(&module, &[mean].into());
    let lines = statements(&module, &map, StatementScope::AtHand, true);
    let found: Vec<u32> = lines
        .as_slice()
        .iter()
        .map(|statement| match statement {
            Statement::Line { file, line } if file.ends_with("area.c") => *line,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(found, [9, 11, 12, 13]);
    let blocks = statements(&module, &map, StatementScope::AtHand, false);
    assert_eq!(blocks.as_slice().len(), map.blocks().len());
    assert!(blocks.as_slice().iter().all(|s| matches!(s, Statement::Block(_))));
    let all = statements(&module, &map, StatementScope::All, false);
    assert!(all.as_slice().starts_with(lines.as_slice()));
}

/// Statements are blocks here: the head, the turns, and behind them the end of the function.
#[test]
fn statements_stand_in_the_order_in_which_they_are_run() {
    let module = module(
        r#"(module (func (export "f") (param i32) (result i32)
            (if (i32.eqz (local.get 0)) (then (return (i32.const 9))))
            (loop $again
                (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
                (br_if $again (local.get 0)))
            (i32.const 1)))"#,
    );
    let both = Both::new(module, function("f", &["i32"], returns("i32")));
    let rows = both.check(&[ints([0, 1, 3, 20_000])]);
    let statements = statements(&both.module, &both.map, StatementScope::All, false);
    let sequence = |row: usize| statements.sequence(&rows[row], &both.map).unwrap();
    assert_eq!(sequence(0), [0, 1]);
    assert_eq!(sequence(1), [0, 2, 3]);
    assert_eq!(sequence(2), [0, 2, 2, 2, 3]);
    assert!(rows[3].order.as_ref().unwrap().is_cut);
    let long = sequence(3);
    assert!(long.len() > 1000 && long[1..].iter().all(|statement| *statement == 2), "{}", long.len());
    assert!(rows[..3].iter().all(|row| !row.order.as_ref().unwrap().is_cut));
}

#[test]
fn what_follows_a_trap_on_a_line_of_its_own_was_not_run() {
    // One block, in which each of three instructions is a statement of its own.
    let module = module(
        r#"(module (func (export "f") (param i32) (result i32)
            (drop (i32.div_s (i32.const 7) (local.get 0))) (i32.const 1)))"#,
    );
    let both = Both::new(module, function("f", &["i32"], returns("i32")));
    let rows = both.check(&[ints([0, 3])]);
    assert_eq!(both.map.blocks().len(), 1);
    assert_eq!(rows[0].stopped, Some(CodePoint { function: 0, instruction: 2 }));
    assert_eq!(rows[1].stopped, None);
    let statements = statements(&both.module, &both.map, StatementScope::All, false);
    assert_eq!(statements.counts(&rows[0], &both.map), [1], "a block is run that is entered");
}
