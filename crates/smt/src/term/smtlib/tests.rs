use std::io::Write as _;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::random::{Tree, VARIABLES, tape, value, variables};
use super::super::{Op, Sort, Term, Terms, evaluate_op};
use super::SmtLib;

/// The parser of the bitwuzla module behind a pipe, command by command.
const BITWUZLA: &str = "
import sys, bitwuzla as b
tm = b.TermManager()
o = b.Options()
b.Parser(tm, o).parse(sys.stdin.read(), False, False)
";

/// The solvers found here, as command lines.
fn solvers() -> Vec<Vec<&'static str>> {
    let all = [vec!["z3", "-in"], vec!["python3", "-c", BITWUZLA], vec!["cvc5", "--incremental"]];
    let mut found: Vec<_> = all.into_iter().filter(|command| is_there(command)).collect();
    found.truncate(2);
    found
}

fn is_there(command: &[&str]) -> bool {
    run(command, "(set-logic QF_BVFP)\n(check-sat)\n").is_some_and(|reply| reply.trim() == "sat")
}

fn run(command: &[&str], text: &str) -> Option<String> {
    let mut process = Command::new(command[0]);
    process.args(&command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = process.spawn().ok()?;
    let mut input = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || {
        let _ = input.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Questions whose answers are known, in one session.
#[derive(Default)]
struct Questions {
    smt: SmtLib,
    text: String,
    what: Vec<String>,
}

impl Questions {
    /// Under these values the term is the expected value, and nothing else.
    fn ask(&mut self, terms: &mut Terms, term: Term, values: &[(Term, u128)], expected: u128, what: &str) {
        let bits = match term.sort() {
            sort if sort.is_float() => terms.apply(Op::ToBits, Sort::Bits(sort.width()), &[term]),
            _ => term,
        };
        let known = Term::Constant(bits.sort(), expected);
        let equal = terms.equal(bits, known);
        let differs = terms.not(equal);
        for (condition, holds) in [(equal, "sat"), (differs, "unsat")] {
            self.smt.push(&mut self.text);
            for (variable, value) in values {
                let given =
                    terms.equal(*variable, Term::Constant(variable.sort(), value & variable.sort().mask()));
                self.smt.assert(terms, given, &mut self.text);
            }
            self.smt.assert(terms, condition, &mut self.text);
            self.text.push_str("(check-sat)\n");
            self.smt.pop(&mut self.text);
            self.what.push(format!("{holds} {what} {values:x?} is {expected:x}"));
        }
    }

    fn answer(&self) {
        for solver in solvers() {
            let reply = run(&solver, &format!("(set-logic QF_BVFP)\n{}", self.text)).expect("it ran before");
            let answers: Vec<&str> = reply.lines().collect();
            for (what, answer) in self.what.iter().zip(&answers) {
                assert_eq!(what.split(' ').next(), Some(*answer), "{}: {what}", solver[0]);
            }
            assert_eq!(answers.len(), self.what.len(), "{}", solver[0]);
        }
    }
}

/// Every operator with operand sorts of interest.
fn operators() -> Vec<(Op, Sort, Vec<Sort>)> {
    use Op::*;
    let (word, byte, odd) = (Sort::Bits(32), Sort::Bits(8), Sort::Bits(5));
    let mut all = vec![
        (Not, Sort::Bool, vec![Sort::Bool]),
        (And, Sort::Bool, vec![Sort::Bool; 2]),
        (Or, Sort::Bool, vec![Sort::Bool; 2]),
        (Equal, Sort::Bool, vec![Sort::Bool; 2]),
        (Equal, Sort::Bool, vec![word; 2]),
        (Ite, word, vec![Sort::Bool, word, word]),
        (Ite, Sort::F32, vec![Sort::Bool, Sort::F32, Sort::F32]),
        (Extract { low: 7 }, byte, vec![word]),
        (Concat, Sort::Bits(13), vec![byte, odd]),
        (ZeroExtend, word, vec![byte]),
        (SignExtend, word, vec![byte]),
        (ZeroExtend, Sort::Bits(128), vec![odd]),
    ];
    let binary = [Add, Sub, Mul, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight, ShiftRightSigned];
    let quotients = [UnsignedDivide, SignedDivide, UnsignedRemainder, SignedRemainder];
    for op in binary.into_iter().chain(quotients) {
        all.extend([(op, byte, vec![byte; 2]), (op, word, vec![word; 2])]);
    }
    for op in [UnsignedLess, UnsignedLessEqual, SignedLess, SignedLessEqual] {
        all.push((op, Sort::Bool, vec![word; 2]));
    }
    for op in [CountLeadingZeros, CountTrailingZeros, CountOnes] {
        all.extend([(op, odd, vec![odd]), (op, word, vec![word]), (op, Sort::Bits(1), vec![Sort::Bits(1)])]);
    }
    for (float, bits, other) in [(Sort::F32, word, Sort::F64), (Sort::F64, Sort::Bits(64), Sort::F32)] {
        all.extend([(FromBits, float, vec![bits]), (ToBits, bits, vec![float])]);
        all.push((FloatConvert, float, vec![other]));
        for op in [FloatAdd, FloatSub, FloatMul, FloatDivide, FloatMin, FloatMax, FloatCopySign] {
            all.push((op, float, vec![float; 2]));
        }
        for op in [FloatSqrt, FloatAbs, FloatNegate, FloatCeil, FloatFloor, FloatTrunc, FloatNearest] {
            all.push((op, float, vec![float]));
        }
        for op in [FloatEqual, FloatLess, FloatLessEqual] {
            all.push((op, Sort::Bool, vec![float; 2]));
        }
        for width in [1, 8, 32, 64, 128] {
            let integer = Sort::Bits(width);
            all.extend([(FromSigned, float, vec![integer]), (FromUnsigned, float, vec![integer])]);
            all.extend([(ToSigned, integer, vec![float]), (ToUnsigned, integer, vec![float])]);
        }
    }
    all
}

/// A variable of a sort, through bits where it is a float.
fn variable(terms: &mut Terms, sort: Sort, name: &str) -> (Term, Term) {
    if !sort.is_float() {
        let variable = terms.variable(name, sort);
        return (variable, variable);
    }
    let bits = terms.variable(name, Sort::Bits(sort.width()));
    (bits, terms.apply(Op::FromBits, sort, &[bits]))
}

#[test]
fn solvers_compute_every_operator_as_evaluation_does() {
    let mut runner = TestRunner::deterministic();
    let mut questions = Questions::default();
    let mut terms = Terms::new();
    for (op, sort, sorts) in operators() {
        let made: Vec<_> = sorts.iter().map(|sort| variable(&mut terms, *sort, "x")).collect();
        let operands: Vec<Term> = made.iter().map(|(_, term)| *term).collect();
        let term = terms.apply(op, sort, &operands);
        for _ in 0..4 {
            let mut draw = || value().new_tree(&mut runner).expect("values").current();
            let values: Vec<_> = sorts.iter().map(|sort| (*sort, draw() & sort.mask())).collect();
            let expected = evaluate_op(op, sort, &values);
            let given: Vec<_> =
                made.iter().zip(&values).map(|((bits, _), (_, value))| (*bits, *value)).collect();
            questions.ask(&mut terms, term, &given, expected, &format!("{op:?}"));
        }
    }
    questions.answer();
}

#[test]
fn solvers_evaluate_random_terms_as_we_do() {
    let mut runner = TestRunner::deterministic();
    let mut questions = Questions::default();
    let mut terms = Terms::new();
    let variables = variables(&mut terms);
    let draw = (tape(30), prop::collection::vec(value(), VARIABLES.len()));
    for i in 0..60 {
        let (mut tape, values) = draw.new_tree(&mut runner).expect("trees").current();
        let tree: Tree = tape.tree([Sort::Bool, Sort::Bits(32), Sort::F64][i % 3]);
        let term = tree.build(&mut terms, &variables);
        let given: Vec<_> = variables.iter().copied().zip(values.iter().copied()).collect();
        questions.ask(&mut terms, term, &given, tree.value(&values), &format!("{tree:?}"));
    }
    questions.answer();
}

#[test]
fn a_level_that_was_left_is_written_again() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(64));
    let float = terms.apply(Op::FromBits, Sort::F64, &[x]);
    let root = terms.apply(Op::FloatSqrt, Sort::F64, &[float]);
    let bits = terms.apply(Op::ToBits, Sort::Bits(64), &[root]);
    let odd = terms.extract(bits, 0, 1);
    let odd = terms.equal(odd, Term::bits(1, 1));
    let (mut smt, mut text) = (SmtLib::new(), String::new());
    smt.assert(&terms, Term::bool(true), &mut text);
    smt.push(&mut text);
    let mut first = String::new();
    smt.assert(&terms, odd, &mut first);
    assert_eq!(first.matches("fp.sqrt").count(), 1);
    assert!(first.contains("(assert (=> (fp.isNaN"));
    let mut again = String::new();
    smt.assert(&terms, odd, &mut again);
    assert_eq!(again.lines().count(), 1, "{again}");
    smt.pop(&mut text);
    assert_eq!(smt.level(), 0);
    let mut after = String::new();
    smt.assert(&terms, odd, &mut after);
    assert_eq!(after, first);
    assert_eq!(text, "(assert true)\n(push 1)\n(pop 1)\n");
}
