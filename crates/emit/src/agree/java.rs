//! The words of the Java prelude, run by the JDK that is installed.

use std::fmt::Write as _;
use std::process::Command;

use super::super::java::{Java, PRELUDE, conditions, imports};
use super::super::prelude;
use super::super::write::Dialect;
use super::domain_conditions::questions;
use super::{agrees, cases, written};

/// How many cases a method checks: a single method with all of them is more than a class file may have.
const CASES_OF_A_METHOD: usize = 16;

/// How many methods a class has, whose constants have an end, too.
const METHODS_OF_A_CLASS: usize = 50;

const CHECK: &str = "static boolean differ;

static boolean alike(Object a, Object b, boolean near) {
    if (a instanceof List<?> s && b instanceof List<?> t) {
        return s.size() == t.size() && IntStream.range(0, s.size()).allMatch(i -> alike(s.get(i), t.get(i), near));
    }
    boolean close = near && a instanceof Double x && b instanceof Double y && Math.abs(x - y) <= 1e-15 * Math.abs(y);
    return close || Objects.equals(a, b);
}

static void check(int i, boolean near, Object got, Object wanted) {
    if (!alike(got, wanted, near)) {
        System.out.println(i + \": \" + mrShown(got) + \" for \" + mrShown(wanted));
        differ = true;
    }
}
";

/// All checks, in methods of classes.
fn classes(checks: &[String]) -> String {
    let mut code = String::new();
    let classes = checks.chunks(CASES_OF_A_METHOD * METHODS_OF_A_CLASS);
    for (c, of_class) in classes.clone().enumerate() {
        let methods = of_class.chunks(CASES_OF_A_METHOD);
        let calls: String = (0..methods.len()).map(|m| format!("some{m}();")).collect();
        let _ = writeln!(code, "static final class Cases{c} {{ static void all() {{ {calls} }}");
        for (m, of_method) in methods.enumerate() {
            let _ = writeln!(code, "static void some{m}() {{\n{}\n}}", of_method.join("\n"));
        }
        code += "}\n";
    }
    let calls: String = (0..classes.len()).map(|c| format!("Cases{c}.all();")).collect();
    let _ =
        writeln!(code, "public static void main(String[] words) {{ {calls} System.exit(differ ? 1 : 0); }}");
    code
}

#[test]
fn words_agree_in_java() {
    if Command::new("javac").arg("--version").output().is_err() {
        println!("skipped: words_agree_in_java: a JDK is not installed");
        assert!(
            std::env::var_os("DODONA_NO_SKIPS").is_none(),
            "words_agree_in_java cannot be run: a JDK is not installed"
        );
        return;
    }
    let cases = cases();
    let of_case = |(i, case): (usize, &_)| {
        let (got, wanted) = written::<Java>(case);
        format!("check({i}, {}, {got}, {wanted});", case.is_rounded())
    };
    let mut checks: Vec<String> = cases.iter().enumerate().map(of_case).collect();
    for (i, question) in questions().iter().enumerate() {
        let value = Java::constant(Some(&question.value)).expect("a constant");
        let inside = conditions(&question.parameter, &value);
        checks.push(format!("check({}, false, {inside}, {});", i + cases.len(), question.inside));
    }
    let checks = format!("{CHECK}\n{}", classes(&checks));
    let words = prelude::needed(PRELUDE, "//:", "\n\n", &checks);
    let text = format!("{checks}\n{words}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Words.java");
    let text = format!("import java.util.Objects;\n{}class Words {{\n{text}}}\n", imports(&text));
    std::fs::write(&file, text).expect("written");
    agrees(Command::new("javac").args(["-encoding", "UTF-8", "-nowarn", "-d"]).arg(folder.path()).arg(&file));
    agrees(Command::new("java").arg("-cp").arg(folder.path()).arg("Words"));
}
