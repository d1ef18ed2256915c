use std::time::Duration;

use proptest::prelude::*;

use super::brute_force::{BruteForce, Problem, agree};
use super::process_tests::OBEDIENT;
use super::script;
use crate::solver::{
    Answer, Asking, NoSolver, QueryLimits, SmtSolver, Solver, SolverChoice, Surroundings, Unknown,
};
use crate::term::{Op, Sort, Term, Terms};

/// The solvers that are installed here.
fn installed() -> Vec<SolverChoice> {
    let around = Surroundings::of_process();
    let named = ["bitwuzla", "z3", "cvc5"]
        .into_iter()
        .filter_map(|name| SolverChoice::find(Some(name), &around).ok());
    named.filter(|choice| SmtSolver::start(choice.clone(), QueryLimits::default()).ready().is_ok()).collect()
}

fn every_way() -> Vec<SmtSolver> {
    let start = |choice: &SolverChoice, asking| {
        SmtSolver::start(choice.clone(), QueryLimits::default()).asking(asking)
    };
    let ways = [Asking::Anew, Asking::Incrementally, Asking::ByWeight];
    installed().iter().flat_map(|choice| ways.map(|asking| start(choice, asking))).collect()
}

/// Terms with `x < 10` and `5 < x`.
fn example() -> (Terms, [Term; 2]) {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let low = terms.compare(Op::UnsignedLess, x, Term::bits(8, 10));
    let high = terms.compare(Op::UnsignedLess, Term::bits(8, 5), x);
    (terms, [low, high])
}

/// A solver that says `sat` with a value for `v0`, and before that does something.
fn fake(before: &str, value: &str) -> SmtSolver {
    let text = format!(
        r#"while read -r line; do
            case "$line" in
                '(check-sat)') {before} echo sat;;
                '(get-value '*) echo '((v0 {value}))';;
                '(echo '*) line=${{line#*\"}}; echo "${{line%\"*}}";;
            esac
        done"#
    );
    SmtSolver::start(script(&text), QueryLimits::default())
}

fn unknown(answer: &Answer) -> &Unknown {
    match answer {
        Answer::Unknown(why) => why,
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn solvers_answer_as_brute_force(problem in Problem::any()) {
        let (terms, constraints) = problem.build();
        for mut solver in every_way() {
            for question in problem.asked(&constraints) {
                let expected = BruteForce::default().check(&terms, &question);
                let given = solver.check(&terms, &question);
                prop_assert!(agree(&terms, &question, &expected, &given), "{expected:?} {given:?}");
            }
            prop_assert_eq!(solver.statistics().restarts, 0);
        }
    }
}

#[test]
fn floats_read_as_bits_come_and_go() {
    let mut terms = Terms::new();
    let bits = terms.variable("x", Sort::Bits(32));
    let x = terms.apply(Op::FromBits, Sort::F32, &[bits]);
    let double = terms.binary(Op::FloatAdd, x, x);
    let double_bits = terms.apply(Op::ToBits, Sort::Bits(32), &[double]);
    let nan = terms.equal(double_bits, Term::bits(32, 0x7fc0_0000));
    let minus_four = terms.equal(double_bits, Term::bits(32, (-4f32).to_bits().into()));
    let below_zero = terms.compare(Op::FloatLess, x, Term::Constant(Sort::F32, 0));
    for mut solver in every_way() {
        for _ in 0..2 {
            assert!(matches!(solver.check(&terms, &[nan]), Answer::Satisfiable(_)));
            let answer = solver.check(&terms, &[minus_four, below_zero]);
            let Answer::Satisfiable(model) = answer else { panic!("-2 exists: {answer:?} {solver:?}") };
            assert_eq!(terms.evaluate(bits, &model), (-2f32).to_bits().into());
            assert_eq!(solver.check(&terms, &[minus_four, nan]), Answer::Unsatisfiable);
        }
        assert_eq!(solver.statistics().restarts, 0);
    }
}

#[test]
fn counted_work_ends_a_hard_query_and_the_next_one_is_answered() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Bits(64)), terms.variable("y", Sort::Bits(64)));
    let product = terms.binary(Op::Mul, x, y);
    let prime = terms.equal(product, Term::bits(64, 0xffff_ffff_ffff_ffc5));
    let small = |terms: &mut Terms, term| terms.compare(Op::UnsignedLess, term, Term::bits(64, 1 << 32));
    let (x_small, y_small) = (small(&mut terms, x), small(&mut terms, y));
    let limits = QueryLimits { work: Some(20_000), time: Duration::from_secs(600) };
    for choice in installed() {
        let mut solver = SmtSolver::start(choice, limits);
        assert_eq!(unknown(&solver.check(&terms, &[prime, x_small, y_small])), &Unknown::Budget);
        assert!(matches!(solver.check(&terms, &[x_small]), Answer::Satisfiable(_)));
        assert_eq!((solver.statistics().undecided, solver.statistics().out_of_time), (1, 0));
    }
}

#[test]
fn a_model_is_checked() {
    let (terms, [low, high]) = example();
    let Answer::Satisfiable(model) = fake("", "#x07").check(&terms, &[low, high]) else {
        panic!("7 is a model")
    };
    assert_eq!(terms.evaluate(high, &model), 1);
    for wrong in ["#x0b", "#x1ff", "(_ bv7 8)) (v0 #x07", "nonsense", "#b"] {
        let mut solver = fake("", wrong);
        let answer = solver.check(&terms, &[low, high]);
        match wrong {
            "(_ bv7 8)) (v0 #x07" => assert!(matches!(answer, Answer::Satisfiable(_))),
            _ => assert!(matches!(unknown(&answer), Unknown::Broken(_)), "{wrong}: {answer:?}"),
        }
    }
    let mut solver = fake("", "#x0b");
    solver.check(&terms, &[low, high]);
    assert_eq!((solver.statistics().wrong_models, solver.statistics().restarts), (2, 2));
}

#[test]
fn a_solver_that_dies_once_is_asked_again() {
    let (terms, [low, high]) = example();
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("died").display().to_string();
    let mut solver = fake(&format!("if ! test -e '{mark}'; then touch '{mark}'; exit 1; fi;"), "#x06");
    assert!(matches!(solver.check(&terms, &[low, high]), Answer::Satisfiable(_)));
    assert_eq!(solver.statistics().restarts, 1);
}

#[test]
fn a_solver_that_always_dies_or_talks_nonsense_is_broken() {
    let (terms, [low, _]) = example();
    for (before, words) in [
        ("exit 1;", "it ended without an answer"),
        ("echo '(error \"out of order\")';", "the solver reports: out of order"),
        ("echo gibberish;", "is not understood"),
        ("echo '(';", "is not understood"),
    ] {
        let mut solver = fake(before, "#x00");
        let answer = solver.check(&terms, &[low]);
        assert!(matches!(unknown(&answer), Unknown::Broken(why) if why.contains(words)), "{answer:?}");
        assert_eq!(solver.statistics().restarts, 2);
    }
}

#[test]
fn a_hanging_query_is_ended_and_the_next_one_is_answered() {
    let (terms, [low, high]) = example();
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("hung").display().to_string();
    let mut solver = fake(&format!("if ! test -e '{mark}'; then touch '{mark}'; sleep 1000; fi;"), "#x06");
    solver.limits.time = Duration::from_millis(500);
    assert_eq!(unknown(&solver.check(&terms, &[low])), &Unknown::Budget);
    solver.limits.time = Duration::from_secs(60);
    assert!(matches!(solver.check(&terms, &[low, high]), Answer::Satisfiable(_)));
    assert_eq!((solver.statistics().out_of_time, solver.statistics().restarts), (1, 1));
}

#[test]
fn a_solver_that_gives_up_says_why() {
    let (terms, [low, _]) = example();
    let answering = |why: &str| {
        let text = format!(
            r#"while read -r line; do
                case "$line" in
                    '(check-sat)') echo unknown;;
                    '(get-info :reason-unknown)') echo '(:reason-unknown "{why}")';;
                    '(echo '*) line=${{line#*\"}}; echo "${{line%\"*}}";;
                esac
            done"#
        );
        SmtSolver::start(script(&text), QueryLimits::default()).check(&terms, &[low])
    };
    assert_eq!(unknown(&answering("incomplete theory")), &Unknown::GaveUp("incomplete theory".to_owned()));
    assert_eq!(unknown(&answering("max. resource limit exceeded")), &Unknown::Budget);
}

#[test]
fn what_does_not_start_says_so() {
    let choice = SolverChoice::find(Some("/no/such/solver"), &Surroundings::default()).unwrap();
    let mut solver = SmtSolver::start(choice, QueryLimits::default());
    let error = solver.ready().unwrap_err();
    assert!(
        matches!(&error, NoSolver::DoesNotStart { command, .. } if command == "/no/such/solver"),
        "{error}"
    );
    let (terms, [low, _]) = example();
    assert!(
        matches!(unknown(&solver.check(&terms, &[low])), Unknown::Broken(why) if why.contains("does not start"))
    );
    let mut ends = SmtSolver::start(script("exit 3"), QueryLimits::default());
    assert!(ends.ready().unwrap_err().to_string().contains("ended without an answer"));
}

/// Surroundings with some programs, given as links.
fn with_programs(folder: &tempfile::TempDir, programs: &[(&str, &std::path::Path)]) -> Surroundings {
    for (name, program) in programs {
        std::os::unix::fs::symlink(program, folder.path().join(name)).unwrap();
    }
    Surroundings { path: folder.path().into(), ..Surroundings::default() }
}

#[test]
fn the_next_candidate_stands_in_for_one_that_does_not_work() {
    let folder = tempfile::tempdir().unwrap();
    let obedient = folder.path().join("obedient");
    std::fs::write(&obedient, OBEDIENT).unwrap();
    let around =
        with_programs(&folder, &[("bitwuzla", "/bin/false".as_ref()), ("python3", "/bin/false".as_ref())]);
    let line = format!("sh {}", obedient.display());
    let obedient = SolverChoice::find(Some(&line), &around).unwrap();
    let choice = SolverChoice::find(Some("bitwuzla"), &around).unwrap().or(obedient);
    let mut solver = SmtSolver::start(choice, QueryLimits::default());
    assert_eq!(solver.ready().map(|command| command.words()), Ok(line));
}

#[test]
fn what_nobody_wants_any_more_does_not_start_the_next_candidate() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let next = folder.path().join("next");
    std::fs::write(&next, format!("touch {}\n{OBEDIENT}", started.display())).unwrap();
    let line = format!("sh {}", next.display());
    let next = SolverChoice::find(Some(&line), &Surroundings::default()).unwrap();
    let choice = script("sleep 1000").or(next);
    let silent = choice.candidates()[0].words();
    let mut solver = SmtSolver::start(choice, QueryLimits::default()).while_wanted(|| false);
    assert_eq!(solver.ready().map(|command| command.words()), Ok(silent));
    let (terms, [low, _]) = example();
    assert_eq!(unknown(&solver.check(&terms, &[low])), &Unknown::Budget);
    drop(solver);
    assert!(!started.exists());
}

#[test]
fn nothing_that_works_is_said_once_and_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let around = with_programs(&folder, &[("python3", "/bin/false".as_ref())]);
    let choice = SolverChoice::find(Some("bitwuzla"), &around).unwrap().only(1);
    let mut solver = SmtSolver::start(choice, QueryLimits::default());
    assert_eq!(solver.ready().unwrap_err(), NoSolver::NotFound("bitwuzla".to_owned()));
    let (terms, [low, _]) = example();
    assert!(
        matches!(unknown(&solver.check(&terms, &[low])), Unknown::Broken(why) if why.contains("is not found"))
    );
    let folder = tempfile::tempdir().unwrap();
    let around = with_programs(&folder, &[("z3", "/bin/false".as_ref())]);
    let mut z3 = SmtSolver::start(SolverChoice::find(Some("z3"), &around).unwrap(), QueryLimits::default());
    assert!(matches!(z3.ready().unwrap_err(), NoSolver::DoesNotStart { .. }));
}

/// The number of the process that a solver talks to.
fn process_of(solver: &mut SmtSolver) -> u32 {
    solver.ready().expect("it is installed");
    solver.process_id().expect("it has just answered")
}

#[test]
fn a_process_serves_the_next_solver_and_answers_as_a_new_one_does() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Bits(16)));
    let product = terms.binary(Op::Mul, x, y);
    let square = terms.equal(product, Term::bits(16, 0x2a31));
    let apart = terms.compare(Op::UnsignedLess, x, y);
    for choice in installed() {
        let mut first = SmtSolver::start(choice.clone(), QueryLimits::default());
        let number = process_of(&mut first);
        let answers = [&[square][..], &[square, apart]].map(|asked| first.check(&terms, asked));
        drop(first);
        let mut next = SmtSolver::start(choice.clone(), QueryLimits::default());
        assert_eq!(process_of(&mut next), number, "{choice:?}");
        let again = [&[square][..], &[square, apart]].map(|asked| next.check(&terms, asked));
        assert_eq!(again, answers, "{choice:?}");
        // What the first one asserted would contradict this.
        let never = terms.equal(product, Term::bits(16, 3));
        assert!(matches!(next.check(&terms, &[never]), Answer::Satisfiable(_)), "{choice:?}");
    }
}

#[test]
fn a_process_that_was_asked_nothing_serves_the_next_solver() {
    let (terms, [low, _]) = example();
    for choice in installed() {
        let first = SmtSolver::start(choice.clone(), QueryLimits::default());
        let number = first.process_id().expect("it was started at once");
        drop(first);
        let mut next = SmtSolver::start(choice.clone(), QueryLimits::default());
        assert_eq!(next.process_id(), Some(number), "{choice:?}");
        assert!(matches!(next.check(&terms, &[low]), Answer::Satisfiable(_)), "{choice:?}");
    }
}

#[test]
fn a_process_that_dies_while_it_waits_is_replaced() {
    let (terms, [low, _]) = example();
    for choice in installed() {
        let mut first = SmtSolver::start(choice.clone(), QueryLimits::default());
        let number = process_of(&mut first);
        drop(first);
        let pid = rustix::process::Pid::from_raw(number as i32).expect("a process has a number");
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it waits");
        let mut next = SmtSolver::start(choice, QueryLimits::default());
        assert!(matches!(next.check(&terms, &[low]), Answer::Satisfiable(_)));
        assert_ne!(process_of(&mut next), number);
        assert_eq!(next.statistics().restarts, 0);
    }
}
