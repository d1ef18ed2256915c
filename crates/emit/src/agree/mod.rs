//! Checks that every word of the preludes gives the same results as the evaluator of relations, on values where
//! implementations of words tend to differ.

mod cases;
mod constants;
mod domain_conditions;
mod java;
mod rows;
mod rust;

use std::fmt::Write as _;
use std::process::Command;

use dodona_target::Value;

use super::script::Expr;
use super::write::{Dialect, expression, indented};
use super::{c, prelude, python};
use cases::Case;
use domain_conditions::questions;

fn written<D: Dialect>(case: &Case) -> (String, String) {
    let wanted = D::constant(case.value.as_ref()).expect("a constant");
    (expression::<D>(&case.expression()).unwrap_or_else(|why| panic!("{case:?}: {why}")), wanted)
}

/// Runs a program that prints the cases in which its results differ, and fails with that output if there are any.
fn agrees(command: &mut Command) {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}", said.chars().take(4000).collect::<String>());
}

/// All cases: those that are made, and the rows of the words.
fn cases() -> Vec<Case> {
    [cases::made(), rows::written()].concat()
}

#[test]
fn words_agree_in_rust() {
    for case in cases() {
        let got = rust::value(&case);
        assert!(case.agrees(&got), "{case:?} gives {got:?}");
    }
    for question in questions() {
        let inside = rust::is_inside(&question);
        assert_eq!(inside, question.inside, "{question:?}");
    }
}

#[test]
fn words_agree_in_python() {
    let mut checks = String::new();
    for (i, case) in cases().iter().enumerate() {
        let (got, wanted) = written::<python::Python>(case);
        let _ = writeln!(
            checks,
            "check({i}, {}, {got}, {wanted})",
            if case.is_rounded() { "True" } else { "False" }
        );
    }
    for (i, question) in questions().iter().enumerate() {
        let value = python::Python::constant(Some(&question.value)).expect("a constant");
        let inside = python::conditions(&question.parameter, &value);
        let wanted = if question.inside { "True" } else { "False" };
        let _ = writeln!(checks, "check('question {i}', False, {inside}, {wanted})");
    }
    const CHECK: &str = "import functools, math, operator, re, struct, sys\n
def alike(a, b, near):
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(alike(x, y, near) for x, y in zip(a, b))
    if type(a) is float:
        close = near and math.isclose(a, b, rel_tol=1e-15)
        return (a == b and math.copysign(1.0, a) == math.copysign(1.0, b)) or (a != a and b != b) or close
    return a == b

differ = []
def check(i, near, got, wanted):
    if not alike(got, wanted, near):
        print(i, got, wanted)
        differ.append(i)
";
    let words = prelude::needed(python::PRELUDE, "#:", "\n\n", &checks);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words.py");
    std::fs::write(&file, format!("{CHECK}\n{words}\n{checks}\nsys.exit(len(differ) > 0)\n"))
        .expect("written");
    agrees(Command::new("python3").arg(&file));
}

/// How many cases a C function checks.
const CASES_OF_A_FUNCTION: usize = 16;

#[test]
fn words_agree_in_c() {
    let cases = cases();
    let of_case = |(i, case): (usize, &Case)| {
        let (got, wanted) = written::<c::C>(case);
        format!("check({i}, {}, {got}, {wanted});", u8::from(case.is_rounded()))
    };
    let mut checks: Vec<String> = cases.iter().enumerate().map(of_case).collect();
    for (i, question) in questions().iter().enumerate() {
        let value = c::C::constant(Some(&question.value)).expect("a constant");
        let (i, inside) = (i + cases.len(), c::conditions(&question.parameter, &value));
        checks.push(format!("check({i}, 0, mr_truth({inside}), mr_truth({}));", question.inside));
    }
    // A single function with all cases takes too long to compile, and so do as many functions as cases.
    let some =
        |(i, some): (usize, &[String])| format!("static void cases_{i}(void) {{\n{}\n}}\n", some.join("\n"));
    let functions = checks.chunks(CASES_OF_A_FUNCTION).count();
    let checks: String = checks.chunks(CASES_OF_A_FUNCTION).enumerate().map(some).collect();
    const CHECK: &str = "static int differ;
static bool alike(mr_value a, mr_value b, bool near) {
    if (a.kind != b.kind || a.length != b.length) return false;
    if (a.kind == MR_TRUTH) return a.as.truth == b.as.truth;
    if (a.kind == MR_WHOLE) return a.as.whole == b.as.whole;
    if (a.kind == MR_REAL) {
        double x = a.as.real, y = b.as.real;
        bool close = near && __builtin_fabs(x - y) <= 1e-15 * __builtin_fabs(y);
        return (x == y && !__builtin_signbit(x) == !__builtin_signbit(y)) || (x != x && y != y) || close;
    }
    for (size_t i = 0; i < a.length; i++) if (!alike(a.as.items[i], b.as.items[i], near)) return false;
    return true;
}
static void check(int i, bool near, mr_value got, mr_value wanted) {
    if (!alike(got, wanted, near) && !mr_beyond) {
        printf(\"%d: \", i); mr_print(got); printf(\" for \"); mr_print(wanted); putchar('\\n');
        differ = 1;
    }
    mr_beyond = false;
    mr_release();
}
";
    let (checks, numbers) = constants::shared(&checks);
    let calls: String = (0..functions).map(|i| format!("cases_{i}();\n")).collect();
    let calls = format!("make_numbers();\n{calls}");
    let main = format!("int main(void) {{\n{}    return differ;\n}}\n", indented(&calls, 4));
    // These words are named because the checks use them; in a test file the prelude's main function brings them in.
    let words = prelude::needed(
        c::PRELUDE,
        "//:",
        "\n\n",
        &format!("{CHECK}{checks}{numbers} mr_judge mr_print mr_whole mr_real"),
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("words.c");
    std::fs::write(&file, format!("{}{words}{CHECK}{numbers}{checks}{main}", c::HEADERS)).expect("written");
    let program = folder.path().join("words");
    // gcc takes three times as long for so many functions; tests of emitted files are compiled by both.
    agrees(Command::new("clang").args(["-std=c99", "-O0", "-w", "-o"]).arg(&program).arg(&file).arg("-lm"));
    agrees(&mut Command::new(program));
}

impl Case {
    fn expression(&self) -> Expr {
        let operands = self.operands.iter().cloned().map(Expr::Constant).collect();
        self.of(operands)
    }

    /// Whether a result equals the expected one.
    fn agrees(&self, got: &Option<Value>) -> bool {
        match (got, &self.value) {
            (None, None) => true,
            (Some(Value::Float(a)), Some(Value::Float(b))) if self.is_rounded() => {
                a.to_string() == b.to_string() || (a - b).abs() <= 1e-15 * b.abs()
            }
            // `discriminant` distinguishes the kinds of values; the printed text distinguishes 0.0 from -0.0.
            (Some(a), Some(b)) => {
                std::mem::discriminant(a) == std::mem::discriminant(b) && a.to_string() == b.to_string()
            }
            _ => false,
        }
    }
}
