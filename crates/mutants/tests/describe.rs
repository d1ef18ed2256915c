//! What mutants of the shipped subjects read like.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dodona_mutants::{Callees, Describer, Mutants, Scope};
use dodona_subject::build::{Rebuild, load};
use dodona_subject::{DebugInfo, Function, Manifest, Module};

struct Subject {
    manifest: Manifest,
    module: Module,
}

impl Subject {
    fn named(name: &str) -> Subject {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(name);
        let manifest = Manifest::find(&folder).expect("a subject");
        let module = load(&manifest, Rebuild::WhenStale).expect("it builds");
        Subject { manifest, module }
    }

    fn function(&self, name: &str) -> Vec<Function> {
        self.manifest.functions.iter().filter(|f| f.name == name).cloned().collect()
    }

    /// Every mutant of a function as `place operator before → after`.
    fn lines(&self, function: &str, debug: Option<&DebugInfo>, folder: &Path) -> Vec<String> {
        let scope = Scope::of(&self.module, &self.function(function), &Callees::Left, &self.manifest);
        let mut describer = Describer::new(debug, folder);
        let all = Mutants::generate(&self.module, &scope, usize::MAX, &mut describer);
        let line = |mutant: &dodona_mutants::Mutant| {
            let it = &mutant.changes[0].description;
            let place = it.place.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{place} {} {} → {}", mutant.operator, it.before, it.after)
        };
        all.mutants.iter().map(line).collect()
    }

    fn described(&self, function: &str) -> Vec<String> {
        let debug = self.module.debug_info();
        self.lines(function, debug.as_ref(), self.manifest.folder())
    }
}

/// Each wanted line is that of some mutant.
fn assert_reads(subject: &str, function: &str, wanted: &[&str]) {
    let lines = Subject::named(subject).described(function);
    for line in wanted {
        let place = line.split(' ').next().expect("a place");
        let near: Vec<_> = lines.iter().filter(|l| l.starts_with(place)).collect();
        assert!(lines.iter().any(|l| l == line), "no mutant of {subject} reads `{line}`; there: {near:#?}");
    }
}

#[test]
fn relations_read_as_the_source_has_them_whatever_the_compiler_made_of_them() {
    assert_reads(
        "triangle",
        "triangle",
        &[
            // Compiled to `a >= 1` before a branch that skips.
            "triangle.c:15:11 ROR a <= 0 → a > 1",
            "triangle.c:15:11 CRP a <= 0 → a < 0",
            "triangle.c:15:11 ROR a <= 0 → true",
            "triangle.c:15:11 COI a <= 0 → a >= 1",
            // Operands unchanged, so the source's constant stands.
            "triangle.c:15:11 AOIU a <= 0 → -a <= 0",
            "triangle.c:15:11 ABS a <= 0 → trap_on_zero(a) <= 0",
            "triangle.c:15:11 AOIS a <= 0 → ++a <= 0",
            "triangle.c:15:11 AOIS a <= 0 → a-- <= 0",
            // The compiler gave this one the place of the first `||`.
            "triangle.c:15:21 SVR b <= 0 → c <= 0",
            "triangle.c:19:11 ROR a == b → a < b",
            "triangle.c:15:11 SAN a <= 0 → trap",
        ],
    );
}

#[test]
fn inlined_code_reads_as_the_function_that_was_inlined() {
    assert_reads(
        "triangle",
        "triangle",
        &[
            // Compiled to `c - b < a`.
            "triangle.c:11:14 ROR x > z - y → x >= z - y",
            "triangle.c:11:18 AOR z - y → z + y",
        ],
    );
    assert_reads(
        "tcas",
        "advise",
        &[
            "tcas.c:45:19 ROR e->own < e->other → e->own == e->other",
            "tcas.c:54:39 AOR e->up + CROSSING_BIAS → e->up - CROSSING_BIAS",
            "tcas.c:55:15 ROR up > e->down → up >= e->down",
            "tcas.c:60:41 ROR e->down < limit(e) → e->down <= limit(e)",
        ],
    );
}

#[test]
fn connectors_that_became_branches_read_as_connectors() {
    assert_reads(
        "triangle",
        "triangle",
        &[
            "triangle.c:15:16 LCR a <= 0 || b <= 0 → a <= 0 && b <= 0",
            "triangle.c:15:16 LCR a <= 0 || b <= 0 → (a <= 0) != (b <= 0)",
            "triangle.c:15:26 LCR b <= 0 || c <= 0 → b <= 0 && c <= 0",
        ],
    );
}

#[test]
fn assignments_and_elements_read_as_the_source_has_them() {
    assert_reads(
        "gcd",
        "gcd",
        &[
            "gcd.c:20:15 ROR a > b → a >= b",
            "gcd.c:21:15 AOR a -= b → a += b",
            "gcd.c:22:15 SDL a >>= __builtin_ctz(a) → (removed)",
            "gcd.c:11:17 ROR divisor > (uint32_t)INT32_MAX → divisor == (uint32_t)INT32_MAX",
        ],
    );
    assert_reads(
        "sorting",
        "insertion_sort",
        &[
            "sorting.c:9:41 ROR xs[hole - 1] > x → xs[hole - 1] >= x",
            "sorting.c:6:26 ROR i != n → i <= n",
            "sorting.c:10:22 LOI xs[hole] = xs[hole - 1] → xs[hole] = ~xs[hole - 1]",
        ],
    );
}

#[test]
fn rust_reads_as_rust() {
    assert_reads(
        "genmorph",
        "gcd",
        &["src/math/gcd.rs:16:13 ROR a != b → a == b", "src/math/gcd.rs:20:11 AOR a -= b → a += b"],
    );
    // What is inlined from the standard library is said to be where it is called from.
    let lines = Subject::named("genmorph").described("gcd");
    assert!(
        lines.iter().all(|l| l.starts_with("src/")),
        "{:#?}",
        lines.iter().find(|l| !l.starts_with("src/"))
    );
}

#[test]
fn without_the_source_file_the_code_itself_is_read() {
    let subject = Subject::named("trig");
    let lines = subject.described("sin");
    assert!(
        lines.iter().any(|l| l.contains("sin.c:66:9 ROR ix < 2146435072 → ix <= 2146435072")),
        "{lines:#?}"
    );
    assert!(lines.iter().any(|l| l.contains("AOR x - x → x + x") || l.contains("AOR local0 - local0")));
}

#[test]
fn without_debug_information_both_sides_are_instructions() {
    let subject = Subject::named("triangle");
    let lines = subject.lines("triangle", None, subject.manifest.folder());
    assert!(lines.iter().any(|l| l == " ROR i32.ge_s → i32.gt_s"), "{lines:#?}");
    assert!(lines.iter().any(|l| l == " CRP i32.const 1 → i32.const 0"));
    assert!(lines.iter().any(|l| l == " SVR local.get 0 → local.get 1"));
}

#[test]
fn every_mutant_of_every_subject_reads_differently_from_the_original() {
    for name in ["triangle", "gcd", "tcas", "sorting", "trig", "tokens", "genmorph"] {
        let subject = Subject::named(name);
        for function in &subject.manifest.functions {
            for line in subject.described(&function.name) {
                let change = line.splitn(3, ' ').nth(2).expect("a change");
                let (before, after) = change.split_once(" → ").expect("two sides");
                assert!(before != after && !before.is_empty() && !after.is_empty(), "{name}: {line}");
            }
        }
    }
}

#[test]
fn sources_are_found_beside_the_manifest_when_the_folder_they_were_compiled_in_is_gone() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../subject/testdata");
    let module =
        Module::parse(std::fs::read(testdata.join("inlined.wasm")).expect("is there")).expect("valid");
    let debug = module.debug_info();
    let scope = Scope::whole(vec![module.export_function("count").expect("exported")]);
    let lines = |folder: &Path| -> BTreeSet<Option<String>> {
        let mut describer = Describer::new(debug.as_ref(), folder);
        let all = Mutants::generate(&module, &scope, usize::MAX, &mut describer);
        all.mutants.iter().map(|m| m.changes[0].description.source_line.clone()).collect()
    };
    let half = Some("int half = found / 2;".to_owned());
    assert!(lines(&testdata).contains(&half), "{:#?}", lines(&testdata));
    assert!(
        lines(&testdata.join("deeper/still")).contains(&half),
        "the file lies around the manifest's folder"
    );
    assert_eq!(lines(Path::new("/nowhere")), BTreeSet::from([None]));
}

#[test]
fn mutants_of_one_place_are_told_apart_by_what_they_say() {
    let lines = Subject::named("triangle").described("triangle");
    let distinct: BTreeSet<&String> = lines.iter().collect();
    // Branches and the conditions before them may be forced alike; nothing else may.
    let twice: Vec<_> = lines.iter().filter(|l| lines.iter().filter(|m| m == l).count() > 1).collect();
    assert!(lines.len() - distinct.len() < lines.len() / 10, "{twice:#?}");
}

#[test]
fn the_source_line_is_that_of_the_place() {
    let subject = Subject::named("triangle");
    let debug = subject.module.debug_info();
    let folder: PathBuf = subject.manifest.folder().to_owned();
    let scope = Scope::of(&subject.module, &subject.function("triangle"), &Callees::Left, &subject.manifest);
    let mut describer = Describer::new(debug.as_ref(), &folder);
    let all = Mutants::generate(&subject.module, &scope, usize::MAX, &mut describer);
    let inlined = all
        .mutants
        .iter()
        .find(|m| m.changes[0].description.place.as_ref().is_some_and(|p| (p.line, p.column) == (11, 14)));
    let inlined = inlined.expect("a mutant of the inlined function");
    assert_eq!(inlined.changes[0].description.source_line.as_deref(), Some("return x > z - y;"));
    let copies: BTreeSet<u32> = inlined.changes.iter().map(|c| c.description.copy).collect();
    assert_eq!(copies.len(), inlined.changes.len(), "each change is in a copy of its own");
    assert!(copies.len() > 1 && !copies.contains(&0), "{copies:?}");
}
