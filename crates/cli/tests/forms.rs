//! `dodona discover`: relations of known forms, which come before those of the search.

mod common;

use std::path::Path;

/// What discovery prints and writes.
fn discover(subject: &str, options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(subject);
    let output = common::dodona()
        .args(["discover", path.to_str().expect("a path")])
        .args(["--prove", "off", "--search", "enumerate", "--output", "found.mr"])
        .args(options)
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let said = common::both(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    (said, std::fs::read_to_string(folder.path().join("found.mr")).expect("it wrote a file"))
}

/// Bounds of what beside the forms takes the time.
const FEW: [&str; 6] = ["--transformations", "8", "--executions", "400", "--operators", "AOR,ROR,LCR"];

#[test]
fn the_laws_of_the_greatest_common_divisor_come_first() {
    let counted = ["--enumerate-size", "2", "--fresh", "50000", "--mutants", "30", "--time", "120"];
    let (said, file) = discover("gcd", &[&counted[..], &FEW].concat());
    for law in [
        "gcd(q, p) == gcd(p, q)",
        "gcd(p, p + q) == gcd(p, q)",
        "gcd_scaled",
        "gcd_absorbs",
        "expect p mod out == 0 and q mod out == 0",
    ] {
        assert!(file.contains(law), "`{law}` is not in\n{said}");
    }
    let relations: Vec<&str> = file.lines().filter(|line| line.starts_with("relation ")).collect();
    assert!(relations[0].contains("divides"), "what is true of every result comes first: {file}");
    assert!(relations[1].starts_with("relation gcd_symmetric"), "{file}");
    assert!(!file.contains("found by enumeration"), "what the forms say is enough:\n{file}");
}

#[test]
fn a_round_trip_is_a_law_of_each_of_its_functions() {
    for function in ["hex_encode", "hex_decode"] {
        let small = ["--forms", "laws", "--fresh", "2000", "--enumerate-size", "2", "--transformations", "1"];
        let few = ["--mutants", "20", "--operators", "LCR", "--executions", "100", "--inputs", "50"];
        let (said, file) = discover("codec", &[&[function][..], &small, &few].concat());
        assert!(file.contains("hex_decode(hex_encode(bytes)) == bytes"), "{function}: {said}");
        // The digits may be capital letters, and other functions of these types are no inverses.
        assert!(!file.contains("hex_encode(hex_decode(digits)) == digits"), "{file}");
        assert!(!file.contains("base64"), "{file}");
    }
}

#[test]
fn a_function_of_thresholds_has_patterns() {
    let counted = ["--enumerate-size", "2", "--fresh", "3000", "--mutants", "25", "--time", "120"];
    let alone = ["--forms", "patterns", "--all"];
    let (said, file) = discover("path-directed/baggage", &[&counted[..], &alone, &FEW].concat());
    let patterns = file.matches("\n# pattern: ").count();
    assert!(patterns >= 3, "{said}");
    assert!(file.contains(" of baggage_fee: "), "{file}");
    assert!(file.contains("expect out"), "{file}");
}

#[test]
fn without_forms_there_is_the_search_alone() {
    let alone = ["--forms", "none", "--enumerate-size", "3", "--fresh", "2000", "--mutants", "20"];
    let few = ["--transformations", "2", "--executions", "200", "--operators", "AOR,ROR", "--time", "60"];
    let (_, file) = discover("gcd", &[&alone[..], &few].concat());
    assert!(file.contains("found by enumeration") && !file.contains("# law: "), "{file}");
}
