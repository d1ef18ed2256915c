//! The translation of relations into terms and their evaluation over columns give the same verdicts, on every relation
//! that is shipped: with functions that return anything, so that verdicts of every kind come up.

mod draw;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use dodona_relations::{Allowance, Precondition, Program, Relation, Verdict, check, parse};
use dodona_smt::term::{Assignment, Terms};
use dodona_subject::{Function, Manifest};
use dodona_symbolic::relation::{CallAnswer, Next, Unsupported, Walk, precondition};
use dodona_target::{Column, Parameter, Type, Value};
use draw::Draw;
use world::{Fake, Symbols, value_of};

/// Every manifest of the shipped subjects.
fn manifests(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            manifests(&path, found);
        } else if path.ends_with("dodona.toml") {
            found.push(path);
        }
    }
}

/// The relations of every subject with the functions that they were checked with.
fn shipped() -> Vec<(Vec<Function>, Vec<Relation>)> {
    let mut found = Vec::new();
    manifests(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects"), &mut found);
    found.iter().map(|path| relations(path)).collect()
}

fn relations(path: &Path) -> (Vec<Function>, Vec<Relation>) {
    let manifest = Manifest::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let files: BTreeSet<&PathBuf> = manifest.functions.iter().flat_map(|f| &f.relations).collect();
    let mut relations = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = parse(&text).unwrap_or_else(|e| panic!("{}: {e:?}", file.display()));
        relations.extend(check(&parsed, &manifest.signatures()).unwrap_or_else(|e| panic!("{e:?}")));
    }
    (manifest.functions, relations)
}

/// What the translation says of one source input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Holds,
    Violated,
    Undefined,
    Ineligible,
    /// The input is outside of what the translation speaks of.
    Nothing,
}

impl From<Verdict> for Said {
    fn from(verdict: Verdict) -> Said {
        match verdict {
            Verdict::Holds | Verdict::Allowed(Allowance::Absolute) => Said::Holds,
            // The translation is of the tolerance alone.
            Verdict::Allowed(Allowance::Rounding) => Said::Violated,
            Verdict::Violated(_) => Said::Violated,
            Verdict::Undefined => Said::Undefined,
            Verdict::Ineligible(_) => Said::Ineligible,
        }
    }
}

/// Walks a relation with variables that have these values.
fn walked(
    program: &Program,
    group: usize,
    (functions, relation): (&[Function], &Relation),
    values: &[Value],
    fake: Fake,
) -> Result<Said, Unsupported> {
    let (mut terms, mut assignment) = (Terms::new(), Assignment::default());
    let mut symbols = Symbols { terms: &mut terms, assignment: &mut assignment };
    let types: Vec<Type> =
        relation.variables().iter().map(|v| functions[v.function].parameters[v.parameter].ty).collect();
    let variables: Vec<_> = types.iter().zip(values).map(|(ty, value)| symbols.fresh(*ty, value)).collect();
    let mut walk = Walk::new(&mut terms, program.plan(group), relation, functions, &variables);
    let said = loop {
        match walk.next(&mut terms)? {
            Next::Eligible { holds, .. } if terms.evaluate(holds, &assignment) == 1 => {}
            Next::Eligible { .. } | Next::Ineligible(_) => break Said::Ineligible,
            Next::Violated(_) => break Said::Violated,
            Next::Verdict { holds, defined } => {
                break match (terms.evaluate(defined, &assignment), terms.evaluate(holds, &assignment)) {
                    (0, _) => Said::Undefined,
                    (_, 1) => Said::Holds,
                    _ => Said::Violated,
                };
            }
            Next::Call { function, arguments, made, .. } => {
                let answer = if terms.evaluate(made, &assignment) == 0 {
                    CallAnswer::NotMade
                } else {
                    let called = &functions[function];
                    let arguments: Vec<Value> = called
                        .parameters
                        .iter()
                        .zip(&arguments)
                        .map(|(p, symbol)| value_of(&terms, &assignment, p.ty, symbol))
                        .collect();
                    let mut symbols = Symbols { terms: &mut terms, assignment: &mut assignment };
                    fake.answer(function, called, &arguments, &mut symbols)
                };
                walk.answer(&mut terms, answer);
            }
        }
    };
    Ok(if terms.evaluate(walk.exact(), &assignment) == 1 { said } else { Said::Nothing })
}

fn evaluated(
    program: &Program,
    group: usize,
    functions: &[Function],
    columns: &[Column],
    fake: Fake,
) -> Said {
    let mut caller = world::Calling { functions, fake };
    program.evaluate(group, columns, &mut caller).expect("the functions can be called")[0].into()
}

/// What was said how often, and what could not be translated.
#[derive(Debug, Default)]
struct Counts {
    said: BTreeMap<Said, usize>,
    translated: BTreeSet<String>,
    unsupported: BTreeMap<String, BTreeSet<String>>,
}

impl Counts {
    /// Both ways, on random inputs.
    fn compare(&mut self, functions: &[Function], relation: &Relation, inputs: u64) {
        let program = Program::compile(relation, &dodona_subject::signatures(functions));
        for (group, seed) in (0..relation.group_count()).flat_map(|g| (0..inputs).map(move |s| (g, s))) {
            let mut draw = Draw::new(seed);
            let parameters =
                relation.variables().iter().map(|v| &functions[v.function].parameters[v.parameter]);
            let parameters: Vec<_> = parameters.collect();
            let values: Vec<Value> = parameters.iter().map(|parameter| draw.value(parameter)).collect();
            let column = |(parameter, value): (&&Parameter, &Value)| {
                let mut column = Column::empty(parameter.ty);
                column.push(value);
                column
            };
            let columns: Vec<Column> = parameters.iter().zip(&values).map(column).collect();
            let fake = Fake { seed };
            let expected = evaluated(&program, group, functions, &columns, fake);
            match walked(&program, group, (functions, relation), &values, fake) {
                Ok(verdict) => {
                    self.translated.insert(relation.name().to_owned());
                    *self.said.entry(verdict).or_default() += 1;
                    let agrees = verdict == Said::Nothing || verdict == expected;
                    assert!(agrees, "{}\n{values:?}: {verdict:?}, not {expected:?}", relation.text());
                }
                Err(problem) => {
                    let of = self.unsupported.entry(problem.to_string()).or_default();
                    of.insert(relation.name().to_owned());
                }
            }
        }
    }

    fn problems(&self) -> Vec<String> {
        self.unsupported.iter().map(|(what, of)| format!("{what}: {of:?}")).collect()
    }

    fn said_each(&self, times: usize) {
        for verdict in [Said::Holds, Said::Violated, Said::Undefined, Said::Ineligible] {
            assert!(
                self.said.get(&verdict).is_some_and(|n| *n > times),
                "{verdict:?} is rare: {:?}",
                self.said
            );
        }
    }
}

#[test]
fn translation_and_evaluation_give_the_same_verdicts() {
    let mut counts = Counts::default();
    for (functions, relations) in &shipped() {
        relations.iter().for_each(|relation| counts.compare(functions, relation, 25));
    }
    counts.said_each(20);
    let problems = counts.problems();
    println!("{} translated, {:?}\n{}", counts.translated.len(), counts.said, problems.join("\n"));
    assert!(problems.len() < 12 && counts.translated.len() > 250, "{counts:?}");
}

#[test]
fn every_word_means_what_its_evaluation_says() {
    let (functions, relations) = checked(include_str!("words.toml"), include_str!("words.mr"));
    let mut counts = Counts::default();
    relations.iter().for_each(|relation| counts.compare(&functions, relation, 300));
    println!("{:?}\n{}", counts.said, counts.problems().join("\n"));
    counts.said_each(100);
    assert_eq!(counts.translated.len(), relations.len(), "{:?}", counts.unsupported);
}

fn checked(manifest: &str, relations: &str) -> (Vec<Function>, Vec<Relation>) {
    let manifest = Manifest::parse(Path::new("words.toml"), manifest).unwrap_or_else(|e| panic!("{e:?}"));
    let file = parse(relations).unwrap_or_else(|e| panic!("{e:?}"));
    let relations = check(&file, &manifest.signatures()).unwrap_or_else(|e| panic!("{e:#?}"));
    (manifest.functions, relations)
}

#[test]
fn preconditions_hold_where_evaluation_says_so() {
    let texts = [
        "a < b",
        "a + b > 10 and a * b < 1000",
        "a / b == 2 or b == 0",
        "a mod 3 == 0 implies b div 2 > 1",
        "a ^ 2 + b ^ 2 <= 2000",
        "min(a, b) < 0 iff abs(a) > 40",
        "a / 2 < b + 0.5",
        "not (a == b) xor a >= 7",
    ];
    let mut held = BTreeMap::<bool, usize>::new();
    for text in texts {
        let manifest = format!(
            "module = \"m.wasm\"\n[[function]]\nsignature = \"f(a: i64, b: i64)\"\nrequires = \"{text}\"\n"
        );
        let manifest =
            Manifest::parse(Path::new("m.toml"), &manifest).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let function = &manifest.functions[0];
        let predicate = Precondition::compile(function).expect("right").expect("there");
        for seed in 0..200 {
            let mut draw = Draw::new(seed);
            let values: Vec<Value> = function.parameters.iter().map(|p| draw.value(p)).collect();
            let (mut terms, mut assignment) = (Terms::new(), Assignment::default());
            let mut symbols = Symbols { terms: &mut terms, assignment: &mut assignment };
            let made: Vec<_> = function
                .parameters
                .iter()
                .zip(&values)
                .map(|(p, value)| symbols.fresh(p.ty, value))
                .collect();
            let truth =
                precondition(&mut terms, function, &made).expect("it translates").expect("it is there");
            let holds = terms.evaluate(truth.holds, &assignment) == 1;
            assert_eq!(holds, predicate.holds(&values), "{text} of {values:?}");
            *held.entry(holds).or_default() += 1;
        }
    }
    assert!(held.values().all(|n| *n > 200) && held.len() == 2, "{held:?}");
}
