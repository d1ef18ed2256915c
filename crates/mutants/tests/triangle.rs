//! The mutants of `triangle`, listed by operator: a fixed table, over a module compiled once and kept.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use dodona_mutants::{Callees, Describer, Mutants, MutationOperator, Scope};
use dodona_subject::{Manifest, Module};

#[test]
fn the_mutants_of_triangle_are_these() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(here.join("testdata/triangle.wasm")).expect("kept beside the test");
    let module = Module::parse(bytes).expect("valid");
    let manifest = Manifest::find(&here.join("../../subjects/triangle")).expect("a subject");
    let debug = module.debug_info();
    let mut describer = Describer::new(debug.as_ref(), manifest.folder());
    let scope = Scope::of(&module, &manifest.functions, &Callees::Left, &manifest);
    let all = Mutants::generate(&module, &scope, usize::MAX, &mut describer);
    let mut by_operator: BTreeMap<MutationOperator, Vec<String>> = BTreeMap::new();
    for mutant in &all.mutants {
        let description = &mutant.changes[0].description;
        let place = description.place.as_ref().expect("it has debug information");
        let copies = match mutant.changes.len() {
            1 => String::new(),
            more => format!(" (+{})", more - 1),
        };
        let (id, before, after) = (mutant.id.to_string(), &description.before, &description.after);
        let line = format!("{id:<5} {place}{copies}  {before}  →  {after}");
        by_operator.entry(mutant.operator).or_default().push(line);
    }
    let mut table = String::new();
    for (operator, lines) in by_operator {
        writeln!(table, "{operator} {} ({})", operator.title(), lines.len()).expect("text");
        lines.iter().for_each(|line| writeln!(table, "  {line}").expect("text"));
    }
    insta::assert_snapshot!(table);
}
