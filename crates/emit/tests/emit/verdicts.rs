//! What a test says of a case, in each language: the verdicts of the relation language.

use std::collections::BTreeMap;
use std::process::Command;

use dodona_emit::Language;
use dodona_relations::{Relation, check, parse};
use dodona_subject::Manifest;

use crate::common::{every, folder, run, said, written_to_run};
use crate::run_java::{EVERY, has_junit, tested};
use crate::run_python::python;

/// What becomes of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Holds,
    /// With the reason that the test gives.
    Violated(&'static str),
    /// No input was eligible, so nothing was tested.
    Untested,
}

const FALSE: Fate = Fate::Violated("what is expected is false");
const UNDEFINED: Fate = Fate::Violated("what is expected has no value");
const CRASHED: Fate = Fate::Violated("where the source calls return");

/// Relations of the subject `every`, whose `refuse` traps below zero and whose `ratio` traps where it divides by zero.
const RELATIONS: [(&str, Fate); 17] = [
    ("plain: next(small) >= small", Fate::Holds),
    ("wrong: next(small) > small + 1", FALSE),
    ("without_inputs: next(1) == 2", Fate::Holds),
    ("no_value: small div (small - small) == next(small)", UNDEFINED),
    ("decided: next(small) >= -128 or small div (small - small) == 1", Fate::Holds),
    ("undecided: next(small) < -128 or small div (small - small) == 1", UNDEFINED),
    ("condition_false: when next(small) < -128: next(small) == small", Fate::Untested),
    ("condition_undefined: when small div (small - small) == 1: next(small) == small", Fate::Untested),
    ("out_of_type: next(small + 1000) == small", Fate::Untested),
    ("out_of_domain: when len(word) > 10: vowels(concat(word, word)) == 99", Fate::Untested),
    ("no_precondition: when over != 0: ratio(over, under - under) == 7", Fate::Untested),
    ("crashes: ratio(over - over, under - under) == ratio(over, 1)", CRASHED),
    ("crash_seen: ratio(0, 0) traps", Fate::Holds),
    ("source_traps: when over == 0 and under == 0: ratio(over, under) == 0", Fate::Untested),
    ("source_seen: (ratio(over, under) traps) or ratio(over, under * 1) == ratio(over, under)", Fate::Holds),
    ("no_argument: ratio(over div (over - over), 1) == 1", UNDEFINED),
    ("not_called: not defined(ratio(over div (over - over), 1))", Fate::Holds),
];

fn checked(subject: &Manifest, text: &str) -> Vec<Relation> {
    let file = parse(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
    check(&file, &subject.signatures()).unwrap_or_else(|p| panic!("{text}: {p:?}"))
}

/// All relations in one file.
fn all(subject: &Manifest, language: Language, module: &str) -> String {
    let text: String = RELATIONS.iter().map(|(text, _)| format!("relation {text}\n")).collect();
    written_to_run(language, &checked(subject, &text), &subject.functions, module)
}

fn name(relation: &str) -> &str {
    relation.split(':').next().unwrap_or_default()
}

/// The part of what was said that begins with each relation's name.
fn parts(said: &str, heads: impl Fn(&str) -> String) -> BTreeMap<&'static str, &str> {
    let mut places: Vec<(usize, &str)> = Vec::new();
    for (relation, _) in RELATIONS {
        places.extend(said.find(&heads(name(relation))).map(|place| (place, name(relation))));
    }
    places.sort_unstable();
    let ends: Vec<usize> = places.iter().skip(1).map(|(place, _)| *place).chain([said.len()]).collect();
    places.iter().zip(ends).map(|((from, name), to)| (*name, &said[*from..to])).collect()
}

#[test]
fn python_tests_judge_as_the_language_says() {
    let subject = every("verdicts_python");
    let module = dodona_subject::build::build(&subject, dodona_subject::build::Rebuild::WhenStale).unwrap();
    let file = folder("python").join("verdicts.py");
    std::fs::write(&file, all(&subject, Language::Python, &module.display().to_string())).unwrap();
    let said = said(&run(Command::new(python()).arg(&file)));
    let parts = parts(&said, |name| format!("test_{name}: "));
    for (relation, fate) in RELATIONS {
        let part = parts[name(relation)];
        let as_said = match fate {
            Fate::Holds => part.contains(": ok\n"),
            Fate::Violated(why) => part.contains("FAILED: AssertionError") && part.contains(why),
            Fate::Untested => part.contains("FAILED: Unsatisfi"),
        };
        assert!(as_said, "{relation}: {part}");
    }
}

#[test]
fn java_tests_judge_as_the_language_says() {
    if !has_junit("java_tests_judge_as_the_language_says") {
        return;
    }
    let subject = every("verdicts_java");
    let text = all(&subject, Language::Java, "every.Adapters");
    let said = said(&tested("verdicts", &[EVERY, ("MetamorphicTest.java", &text)]));
    for (relation, fate) in RELATIONS {
        let name = camel(name(relation));
        let part = said
            .lines()
            .find(|line| line.contains(&format!(" {name}() ")))
            .unwrap_or_else(|| panic!("{name}: {said}"));
        let as_said = match fate {
            Fate::Holds => part.contains("[OK]"),
            Fate::Violated(why) => part.contains("[X]") && part.contains(why),
            Fate::Untested => part.contains("[X]") && part.contains("inputs was eligible"),
        };
        assert!(as_said, "{relation}: {part}");
    }
}

/// The name of a test of Java.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

#[test]
fn c_tests_judge_as_the_language_says() {
    let subject = every("verdicts_c");
    for (relation, fate) in RELATIONS {
        let relations = checked(&subject, &format!("relation {relation}"));
        let text = written_to_run(Language::C, &relations, &subject.functions, "every.c");
        let file = subject.folder().join(format!("{}.c", name(relation)));
        let program = file.with_extension("out");
        std::fs::write(&file, text).unwrap();
        let output = run(Command::new("cc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o"])
            .arg(&program)
            .arg(&file)
            .arg("-lm"));
        assert!(output.status.success(), "{}", said(&output));
        let output = run(&mut Command::new(program));
        let (code, why) = match fate {
            Fate::Holds => (0, "ok"),
            Fate::Violated(why) => (1, why),
            Fate::Untested => (2, "was eligible"),
        };
        assert!(
            output.status.code() == Some(code) && said(&output).contains(why),
            "{relation}: {}",
            said(&output)
        );
    }
}

/// The same of Rust, in the package of its other tests.
pub(crate) fn rust_tests_judge_as_the_language_says(test: impl Fn(&str) -> String) {
    let subject = every("verdicts_rust");
    let said = test(&all(&subject, Language::Rust, "crate::adapters"));
    let parts = parts(&said, |name| format!("---- {name} stdout"));
    for (relation, fate) in RELATIONS {
        let part = parts.get(name(relation)).copied();
        let as_said = match (fate, part) {
            (Fate::Holds, part) => part.is_none(),
            (Fate::Violated(why), Some(part)) => part.contains(why),
            (Fate::Untested, Some(part)) => part.contains("Too many global rejects"),
            (_, None) => false,
        };
        assert!(as_said, "{relation}: {part:?} of {said}");
    }
}
