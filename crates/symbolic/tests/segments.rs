//! Mutants of one block compared in every state: the figures of Kapoor (2011), and what may not be claimed.

use dodona_smt::solver::{
    Layered, QueryLimits, SearchLimits, Searching, SmtSolver, SolverChoice, Surroundings,
};
use dodona_subject::Module;
use dodona_symbolic::Code;
use dodona_symbolic::segment::{Finding, Findings, Segments, Version};

fn module(text: &str) -> Module {
    Module::parse(wat::parse_str(text).expect("the text is valid")).expect("a module")
}

/// The instructions that differ, first and last, where one module is another with code in place of code.
fn changed(original: &Module, mutant: &Module) -> (u32, u32) {
    let words = |module: &Module| -> Vec<String> {
        module.operators(0).iter().map(|(operator, _)| format!("{operator:?}")).collect()
    };
    let (a, b) = (words(original), words(mutant));
    let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (first as u32, (a.len() - behind).saturating_sub(1).max(first) as u32)
}

/// Compares mutants of function 0 with each other; `once` is read off the control flow.
fn compared(original: &str, mutants: &[String]) -> (bool, Findings) {
    asked(original, mutants, false)
}

/// The pairs of these mutants of function 0 that no test kills both of; its block must be executed once.
fn disjoint(original: &str, mutants: &[String]) -> Vec<Finding> {
    let (once, findings) = asked(original, mutants, true);
    assert!(once);
    findings.found
}

fn asked(original: &str, mutants: &[String], disjoint: bool) -> (bool, Findings) {
    let choice = SolverChoice::find(None, &Surroundings::of_process()).expect("a solver");
    let process = SmtSolver::start(choice, QueryLimits::default());
    let mut solver = Layered::new(Searching::new(process, SearchLimits::default()));
    let module_of = module;
    let original = module_of(original);
    let mutants: Vec<Module> = mutants.iter().map(|text| module_of(text)).collect();
    let codes: Vec<Code> = mutants.iter().map(Code::new).collect();
    let places: Vec<(u32, u32)> = mutants.iter().map(|mutant| changed(&original, mutant)).collect();
    let versions: Vec<Version<'_>> = codes
        .iter()
        .zip(&places)
        .map(|(code, (_, last))| Version { code, function: 0, last: *last })
        .collect();
    let mut segments = Segments::new(Code::new(&original), &[]);
    let at = places.iter().map(|(first, _)| *first).min().expect("a mutant");
    let once = segments.is_executed_once(0, 0, at);
    let findings = match disjoint {
        true => segments.disjoint(0, at, &versions, &mut solver, &|| true),
        false => {
            let mut near = segments.compare(0, at, &versions, once, &mut solver, &|| true);
            let stronger = near.found.iter().filter_map(|finding| match finding {
                Finding::Stronger(strong, weak) => Some((*strong, *weak)),
                _ => None,
            });
            let stronger: Vec<(usize, usize)> = stronger.collect();
            let far = segments.compare_farther(0, at, &versions, once, &stronger, &mut solver, &|| true);
            near.found.extend(
                far.found.iter().filter(|found| !near.found.contains(found)).copied().collect::<Vec<_>>(),
            );
            near
        }
    };
    (once, findings)
}

/// A text with one line in place of another, once for each of these.
fn replaced(text: &str, line: &str, with: &[&str]) -> Vec<String> {
    assert_eq!(text.matches(line).count(), 1, "{line} is in the text once");
    with.iter().map(|with| text.replace(line, with)).collect()
}

const LESS_EQUAL: &str = "(i32.le_s (local.get 0) (i32.const 4))";

/// Figure 1: `while (i <= 2) { if (x <= 4) x = x + 1; else x = x + 2; i = i + 1; } return x;`
const FUN: &str = "(module (func (param i32 i32) (result i32)
    block loop
        (br_if 1 (i32.gt_s (local.get 1) (i32.const 2)))
        (if (i32.le_s (local.get 0) (i32.const 4))
            (then (local.set 0 (i32.add (local.get 0) (i32.const 1))))
            (else (local.set 0 (i32.add (local.get 0) (i32.const 2)))))
        (local.set 1 (i32.add (local.get 1) (i32.const 1)))
        br 0
    end end
    local.get 0))";

#[test]
fn in_a_loop_implication_at_the_location_is_no_hierarchy() {
    let mutants = replaced(
        FUN,
        LESS_EQUAL,
        &[&LESS_EQUAL.replace("le_s", "lt_s"), &LESS_EQUAL.replace("le_s", "gt_s")],
    );
    let (once, findings) = compared(FUN, &mutants);
    // x <= 4 and x < 4 differ where x = 4, x <= 4 and x > 4 everywhere; yet (4, 1) kills the first mutant alone (Table 1).
    assert!(!once);
    assert_eq!(findings.found, []);
}

#[test]
fn outside_of_a_loop_the_same_implication_is_one() {
    let text = format!(
        "(module (func (param i32) (result i32) (if (result i32) {LESS_EQUAL} (then (i32.const 1)) (else (i32.const 2)))))"
    );
    let mutants = replaced(
        &text,
        LESS_EQUAL,
        &[&LESS_EQUAL.replace("le_s", "lt_s"), &LESS_EQUAL.replace("le_s", "gt_s")],
    );
    let (once, findings) = compared(&text, &mutants);
    assert!(once);
    assert_eq!(findings.found, [Finding::Stronger(0, 1)]);
}

#[test]
fn mutants_that_infect_everywhere_may_be_unrelated() {
    // Figure 2: `x = x + 1; if (x == 5 || x == 7) x = 9; else x = 6; return x;` is infected by x - 1 and x + 2 whatever x is.
    let line = "(local.set 0 (i32.add (local.get 0) (i32.const 1)))";
    let text = format!(
        "(module (func (param i32) (result i32) {line}
        (if (result i32) (i32.or (i32.eq (local.get 0) (i32.const 5)) (i32.eq (local.get 0) (i32.const 7)))
            (then (i32.const 9)) (else (i32.const 6)))))"
    );
    let mutants = replaced(&text, line, &[&line.replace("add", "sub"), &line.replace("const 1", "const 2")]);
    let (once, findings) = compared(&text, &mutants);
    assert!(once);
    // 8 kills the first alone, 3 the second alone (Table 2).
    assert_eq!(findings.found, []);
}

#[test]
fn what_is_known_of_a_variable_relates_mutants() {
    // Figure 3: `b = -y; if (x + y == a + b) …`, of x, y, a and b.
    let assigned = "(local.set 3 (i32.sub (i32.const 0) (local.get 1)))";
    let (left, right) = ("(i32.add (local.get 0) (local.get 1))", "(i32.add (local.get 2) (local.get 3))");
    let text = format!(
        "(module (func (param i32 i32 i32 i32) (result i32) {assigned}
        (if (result i32) (i32.eq {left} {right}) (then (i32.const 1)) (else (i32.const 2)))))"
    );
    let mutants = [
        replaced(&text, assigned, &["(local.set 3 (local.get 1))"]),
        replaced(&text, left, &[&left.replace("add", "sub")]),
        replaced(&text, right, &[&right.replace("add", "sub")]),
    ]
    .concat();
    let (_, findings) = compared(&text, &mutants);
    // Kapoor (2011) has R2 stronger than R3 and R1. Each of the three conditions is x == a where b == -y, so that they are one.
    assert_eq!(findings.found, [Finding::Same(0, 1), Finding::Same(0, 2)]);
}

#[test]
fn conditions_that_dominate_are_known() {
    // Behind x > 0, abs(x) is x; so is x + 0 anywhere; -x is neither.
    let line = "(local.get 0) ;; here";
    let text = format!(
        "(module (func (param i32) (result i32)
        (if (i32.le_s (local.get 0) (i32.const 0)) (then (return (i32.const 7))))
        {line}
        ))"
    );
    let abs =
        "(select (local.get 0) (i32.sub (i32.const 0) (local.get 0)) (i32.ge_s (local.get 0) (i32.const 0)))";
    let minus = "(i32.sub (i32.const 0) (local.get 0))";
    let (_, findings) = compared(&text, &replaced(&text, line, &[abs, minus]));
    assert_eq!(findings.found, [Finding::Equivalent(0)]);
}

/// Asked about two products a solver takes long; asked about their factors it does not.
#[test]
fn parts_that_are_the_same_under_what_is_known_make_wholes_the_same() {
    let product = "(i32.mul (local.get 0) (local.get 1))";
    let original = format!(
        "(module (func (param i32 i32) (result i32)
            (if (i32.eqz (i32.add (local.get 0) (local.get 1)))
                (then (if (i32.gt_s (local.get 0) (i32.const 0)) (then (return {product})))))
            i32.const 0))"
    );
    let magnitude = "(select (i32.sub (i32.const 0) (local.get 0)) (local.get 0)
        (i32.lt_s (local.get 0) (i32.const 0)))";
    let with = [
        format!("(i32.mul {magnitude} (local.get 1))"),
        format!("(i32.sub (i32.const 0) (i32.mul {magnitude} (local.get 0)))"),
        format!("(i32.mul {magnitude} (local.get 0))"),
    ];
    let mutants = replaced(&original, product, &with.each_ref().map(String::as_str));
    let (_, findings) = compared(&original, &mutants);
    assert_eq!(findings.found, [Finding::Equivalent(0), Finding::Equivalent(1)]);
    assert_eq!(findings.unknown, 0);
}

#[test]
fn what_a_loop_may_have_changed_is_forgotten() {
    // The loop counts x down: behind it x > 0 is no longer known.
    let line = "(local.get 0) ;; here";
    let text = format!(
        "(module (func (param i32) (result i32)
        (if (i32.le_s (local.get 0) (i32.const 0)) (then (return (i32.const 7))))
        (loop (local.set 0 (i32.sub (local.get 0) (i32.const 3))) (br_if 0 (i32.gt_s (local.get 0) (i32.const 9))))
        {line}
        ))"
    );
    let abs =
        "(select (local.get 0) (i32.sub (i32.const 0) (local.get 0)) (i32.ge_s (local.get 0) (i32.const 0)))";
    let (_, findings) = compared(&text, &replaced(&text, line, &[abs]));
    assert_eq!(findings.found, []);
}

#[test]
fn memory_gives_the_same_only_for_the_same_accesses() {
    let line = "(i32.load (local.get 0)) ;; here";
    let text = format!(
        "(module (memory 1) (func (param i32 i32) (result i32) (i32.store (local.get 1) (i32.const 5)) {line}\n))"
    );
    let others = [
        "(i32.add (i32.load (local.get 0)) (i32.const 0))",
        "(i32.load offset=4 (local.get 0))",
        "(i32.load (local.get 1))",
        // What was stored there is loaded, but the access may trap where the original's does not.
        "(i32.const 5)",
    ];
    let (_, findings) = compared(&text, &replaced(&text, line, &others));
    assert_eq!(findings.found, [Finding::Equivalent(0)]);
}

#[test]
fn a_trap_is_an_effect() {
    let line = "(i32.div_s (local.get 0) (local.get 1))";
    let text = format!("(module (func (param i32 i32) (result i32) {line}))");
    let others = [
        "(i32.rem_s (local.get 0) (local.get 1))",
        "(i32.add (i32.div_s (local.get 0) (local.get 1)) (i32.const 0))",
        "(i32.const 0)",
        "(i32.div_u (local.get 0) (local.get 1))",
    ];
    let (_, findings) = compared(&text, &replaced(&text, line, &others));
    assert!(findings.found.contains(&Finding::Equivalent(1)), "{findings:?}");
    assert!(!findings.found.iter().any(|f| matches!(f, Finding::Same(..))), "{findings:?}");
    // Where i32.div_u differs from i32.div_s (it does not trap for MIN / -1), a constant is something else.
    assert!(!findings.found.contains(&Finding::Stronger(3, 2)), "{findings:?}");
}

#[test]
fn a_function_that_is_called_twice_is_not_executed_once() {
    let text = |calls: &str| {
        format!(
            "(module (func (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))) (func (param i32) (result i32) {calls}))"
        )
    };
    let once = |calls: &str| Segments::new(Code::new(&module(&text(calls))), &[]).is_executed_once(1, 0, 1);
    assert!(once("(call 0 (local.get 0))"));
    assert!(!once("(call 0 (call 0 (local.get 0)))"));
    assert!(!once("(loop (result i32) (call 0 (local.get 0)) (br_if 0 (local.get 0)))"));
}

#[test]
fn a_function_behind_a_table_is_not_executed_once() {
    let text = "(module (type $t (func (result i32))) (table 1 funcref) (elem (i32.const 0) 0)
        (func (result i32) (i32.const 1))
        (func (param i32) (result i32) (i32.add (call 0) (call_indirect (type $t) (local.get 0)))))";
    assert!(!Segments::new(Code::new(&module(text)), &[]).is_executed_once(1, 0, 0));
}

#[test]
fn of_an_instruction_that_is_not_understood_nothing_is_claimed() {
    // Nobody knows where it goes on, what it reads or what it calls.
    let line = "(local.get 0) ;; here\n";
    for what in ["(drop (v128.const i64x2 0 0))", "(drop (table.size))"] {
        let text = format!("(module (table 1 funcref) (func (param i32) (result i32) {what} {line}))");
        let (once, findings) =
            compared(&text, &replaced(&text, line, &["(i32.add (local.get 0) (i32.const 0))"]));
        assert!(!once, "{what}");
        assert_eq!((findings.found, findings.unsupported), (vec![], 1), "{what}");
    }
}

#[test]
fn a_tail_call_may_come_again() {
    let text = "(module (func (param i32) (result i32)
        (if (i32.eqz (local.get 0)) (then (return (i32.const 0))))
        (return_call 0 (i32.sub (local.get 0) (i32.const 1)))))";
    assert!(!Segments::new(Code::new(&module(text)), &[]).is_executed_once(0, 0, 0));
}

#[test]
fn a_second_memory_is_another_one() {
    let line = "(i32.load 0 (local.get 0)) ;; here\n";
    let text = format!(
        "(module (memory 1) (memory 1) (func (param i32) (result i32) (i32.store 1 (local.get 0) (i32.const 5)) {line}))"
    );
    let (_, findings) =
        compared(&text, &replaced(&text, line, &["(i32.add (i32.load 0 (local.get 0)) (i32.const 0))"]));
    assert_eq!((findings.found, findings.unsupported), (vec![], 1));
}

#[test]
fn in_a_loop_a_version_may_have_written_what_the_original_leaves_alone() {
    // The original never writes k: it is 2 in each turn. `++k` and `k++` both leave 3, and shift 3 and 2 to 0; in the second turn, 4 and 3
    // to 1 and 0.
    let line = "(i32.shr_u (local.get 1) (i32.const 2))";
    let text = format!(
        "(module (func (param i32) (result i32) (local i32 i32)
        (local.set 1 (i32.const 2))
        (loop
            (local.set 2 (i32.add (local.get 2) {line}))
            (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
            (br_if 0 (i32.gt_s (local.get 0) (i32.const 0))))
        local.get 2))"
    );
    let after = "(i32.shr_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 2))";
    let before = "(i32.shr_u (i32.sub (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 1)) (i32.const 2))";
    let (_, findings) = compared(&text, &replaced(&text, line, &[after, before]));
    assert_eq!(findings.found, []);
}

#[test]
fn in_a_loop_a_version_may_read_what_the_original_never_reads_again() {
    // Local 1 is written and not read by the original. Both versions read it in the next turn, and differ in what they write to it.
    let line = "(local.set 1 (i32.const 7)) (local.set 2 (i32.add (local.get 2) (i32.const 3)))";
    let text = format!(
        "(module (func (param i32) (result i32) (local i32 i32)
        (loop
            {line}
            (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
            (br_if 0 (i32.gt_s (local.get 0) (i32.const 0))))
        local.get 2))"
    );
    let reads = |then: &str| {
        format!("(local.set 2 (i32.add (local.get 2) (local.get 1))) (local.set 1 (i32.const {then}))")
    };
    let (_, findings) = compared(&text, &replaced(&text, line, &[&reads("1"), &reads("2")]));
    assert_eq!(findings.found, []);
}

#[test]
fn behind_an_arm_that_never_ends_the_other_one_has_left_its_value() {
    let line = "(i32.const 3) ;; here\n";
    let text = format!(
        "(module (func (param i32) (result i32)
        (if (result i32) (local.get 0) (then (i32.const 1)) (else (unreachable)))
        {line}
        i32.add))"
    );
    let (_, findings) =
        compared(&text, &replaced(&text, line, &["(i32.const 4)", "(i32.add (i32.const 3) (i32.const 0))"]));
    assert_eq!((findings.found, findings.unsupported), (vec![], 2));
}

#[test]
fn mutants_that_no_state_infects_both_of_are_disjoint() {
    // x <= 4 differs from x < 4 where x is 4, from x <= 5 where it is 5, and from true behind 4. Where it is 5, the last two are infected.
    let text = format!(
        "(module (func (param i32) (result i32) (if (result i32) {LESS_EQUAL} (then (i32.const 1)) (else (i32.const 2)))))"
    );
    let with = [
        LESS_EQUAL.replace("le_s", "lt_s"),
        LESS_EQUAL.replace("const 4", "const 5"),
        "(i32.const 1)".to_owned(),
    ];
    let mutants = replaced(&text, LESS_EQUAL, &with.each_ref().map(String::as_str));
    assert_eq!(disjoint(&text, &mutants), [Finding::Disjoint(0, 1), Finding::Disjoint(0, 2)]);
}

#[test]
fn a_mutant_that_is_infected_everywhere_is_disjoint_from_none() {
    // Both mutants of Figure 2 are infected whatever x is, although what kills them differs.
    let line = "(local.set 0 (i32.add (local.get 0) (i32.const 1)))";
    let text = format!("(module (func (param i32) (result i32) {line} (local.get 0)))");
    let mutants = replaced(&text, line, &[&line.replace("add", "sub"), &line.replace("const 1", "const 2")]);
    assert_eq!(disjoint(&text, &mutants), []);
}

#[test]
fn what_is_known_makes_mutants_disjoint() {
    // Behind x > 0, -x is another number than x everywhere, and a trap where x is 0 never comes.
    let line = "(local.get 0) ;; here\n";
    let text = format!(
        "(module (func (param i32) (result i32)
        (if (i32.le_s (local.get 0) (i32.const 0)) (then (return (i32.const 7))))
        {line}))"
    );
    let negative = "(i32.sub (i32.const 0) (local.get 0))";
    let at_zero = "(i32.div_s (local.get 0) (i32.ne (local.get 0) (i32.const 0)))";
    assert_eq!(disjoint(&text, &replaced(&text, line, &[negative, at_zero])), [Finding::Disjoint(0, 1)]);
}

#[test]
fn blocks_of_two_branches_are_alternatives_and_those_of_a_loop_are_not() {
    let pairs = |text: &str, at: &[u32]| Segments::new(Code::new(&module(text)), &[]).alternatives(0, at);
    // Of the condition (1), the two branches (2 and 4), and what comes behind them (6).
    let text = "(module (func (param i32) (result i32) (local i32) local.get 0
        if i32.const 1 local.set 1 else i32.const 2 local.set 1 end local.get 1))";
    assert_eq!(pairs(text, &[0, 2, 5, 8]), [(1, 2)]);
    let text = "(module (func (param i32) (result i32) (local i32) loop local.get 0
        if i32.const 1 local.set 1 else i32.const 2 local.set 1 end local.get 1 br_if 0 end local.get 1))";
    assert_eq!(pairs(text, &[3, 6, 9]), []);
}

/// A function of x that computes y, then does something else, and gives what is left of y.
fn doubled(between: &str, result: &str) -> (String, Vec<String>) {
    let line = "(local.set 1 (i32.shl (local.get 0) (i32.const 1)))";
    let text = format!(
        "(module (memory 1) (func (param i32) (result i32) (local i32 i32) {line} {between} {result}))"
    );
    let mutants = replaced(&text, line, &[&line.replace("const 1", "const 2")]);
    (text, mutants)
}

/// The last bit of y is 0 whether x was doubled once or twice.
const LAST_BIT: &str = "(i32.add (i32.and (local.get 1) (i32.const 1)) (local.get 2))";

#[test]
fn at_the_end_of_the_block_alone_less_is_found() {
    // What `compare_farther` adds is not found by `compare`.
    let (text, mutants) = doubled("(if (local.get 0) (then (local.set 2 (i32.const 3))))", LAST_BIT);
    let (original, mutant) = (module(&text), module(&mutants[0]));
    let (first, last) = changed(&original, &mutant);
    let code = Code::new(&mutant);
    let version = [Version { code: &code, function: 0, last }];
    let choice = SolverChoice::find(None, &Surroundings::of_process()).expect("a solver");
    let mut solver = SmtSolver::start(choice, QueryLimits::default());
    let mut segments = Segments::new(Code::new(&original), &[]);
    assert_eq!(segments.compare(0, first, &version, true, &mut solver, &|| true).found, []);
    let far = segments.compare_farther(0, first, &version, true, &[], &mut solver, &|| true);
    assert_eq!(far.found, [Finding::Equivalent(0)]);
}

#[test]
fn an_effect_is_followed_over_branches_that_meet() {
    let between = "(if (local.get 0) (then (local.set 2 (i32.const 3))) (else (local.set 2 (i32.const 4))))";
    let (text, mutants) = doubled(between, LAST_BIT);
    assert_eq!(compared(&text, &mutants).1.found, [Finding::Equivalent(0)]);
    // The first bit but one is not always the same.
    let (text, mutants) = doubled(between, &LAST_BIT.replace("const 1", "const 2"));
    assert_eq!(compared(&text, &mutants).1.found, []);
}

#[test]
fn an_effect_is_followed_to_the_end_of_the_function() {
    let between = "(if (i32.and (local.get 1) (i32.const 1)) (then (return (i32.const 3))))";
    let (text, mutants) = doubled(between, "(local.get 2)");
    assert_eq!(compared(&text, &mutants).1.found, [Finding::Equivalent(0)]);
    let (text, mutants) = doubled(&between.replace("const 1", "const 2"), "(local.get 2)");
    assert_eq!(compared(&text, &mutants).1.found, []);
}

#[test]
fn a_trap_in_a_branch_is_an_effect() {
    // Where y is 4 the division traps, and with the mutant where it is 8.
    let trap = "(if (i32.eqz (i32.sub (local.get 1) (i32.const 4))) (then (local.set 2 (i32.div_s (local.get 2) (i32.const 0)))))";
    let (text, mutants) = doubled(trap, "(local.get 2)");
    assert_eq!(compared(&text, &mutants).1.found, []);
    // It never traps: y is even.
    let (text, mutants) = doubled(&trap.replace("const 4", "const 5"), "(local.get 2)");
    assert_eq!(compared(&text, &mutants).1.found, [Finding::Equivalent(0)]);
}

#[test]
fn over_loops_and_accesses_in_branches_nothing_is_followed() {
    let between = [
        "(loop (local.set 2 (i32.add (local.get 2) (i32.const 1))) (br_if 0 (i32.lt_s (local.get 2) (local.get 0))))",
        "(if (local.get 0) (then (local.set 2 (i32.load (i32.const 8)))))",
        "(if (local.get 0) (then (i32.store (i32.const 8) (local.get 0))))",
    ];
    for between in between {
        let (text, mutants) = doubled(between, LAST_BIT);
        assert_eq!(compared(&text, &mutants).1.found, [], "{between}");
    }
    // What every path executes may access memory.
    let certain =
        "(if (local.get 0) (then (local.set 2 (i32.const 3)))) (i32.store (i32.const 8) (local.get 2))";
    let (text, mutants) = doubled(certain, LAST_BIT);
    assert_eq!(compared(&text, &mutants).1.found, [Finding::Equivalent(0)]);
    // Unless it is what differs.
    let (text, mutants) = doubled(&certain.replace("(local.get 2)", "(local.get 1)"), LAST_BIT);
    assert_eq!(compared(&text, &mutants).1.found, []);
}

#[test]
fn in_a_loop_an_effect_is_followed_within_the_turn() {
    let line = "(local.set 1 (i32.shl (local.get 0) (i32.const 1)))";
    let loops = |then: &str, first: &str| {
        let text = format!(
            "(module (func (param i32) (result i32) (local i32 i32)
            (loop
                {first}
                {line}
                (if (local.get 0) (then (local.set 2 (i32.add (local.get 2) (i32.const 1)))))
                {then}
                (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
                (br_if 0 (i32.gt_s (local.get 0) (i32.const 0))))
            local.get 2))"
        );
        let mutants = replaced(&text, line, &[&line.replace("const 1", "const 2")]);
        compared(&text, &mutants).1.found
    };
    let bit = "(local.set 2 (i32.add (local.get 2) (i32.and (local.get 1) (i32.const 1))))";
    assert_eq!(loops(bit, ""), [Finding::Equivalent(0)]);
    // The next turn reads all of y.
    assert_eq!(loops(bit, "(local.set 2 (i32.add (local.get 2) (local.get 1)))"), []);
}

#[test]
fn far_from_the_block_fewer_states_infect() {
    // At the end of the block y + 1 and y + 2 differ from y everywhere. At the end of the function, y + 1 makes a difference where y is 4, and y + 2
    // where it is 3 or 4; each time it is the same one.
    let line = "(local.set 1 (local.get 0))";
    let text = format!(
        "(module (func (param i32) (result i32) (local i32) {line}
        (if (i32.gt_u (local.get 1) (i32.const 4)) (then (return (i32.const 1)))) (i32.const 2)))"
    );
    let plus =
        |n: u32| format!("(local.set 1 (i32.add (i32.and (local.get 0) (i32.const 15)) (i32.const {n})))");
    let text = text.replace(line, &plus(0));
    let mutants = replaced(&text, &plus(0), &[&plus(1), &plus(2)]);
    assert_eq!(compared(&text, &mutants).1.found, [Finding::Stronger(0, 1)]);
}
