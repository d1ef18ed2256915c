//! `dodona discover --laws`: laws over several calls and functions.

mod common;

use std::path::Path;

fn discover(subject: &str, fresh: u32, options: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects").join(subject);
    let output = common::dodona()
        .args(["discover", path.to_str().expect("a path")])
        .args(options)
        // Whatever a solver says in its time, the same laws are found.
        .args(["--fresh", &fresh.to_string(), "--mutants", "20", "--prove", "off", "--output", "laws.mr"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    let file = std::fs::read_to_string(folder.path().join("laws.mr")).unwrap_or_default();
    (output.status.code(), common::both(&output), file)
}

/// A code and what decodes it, which is wrong in one of four billion numbers. No random input shows that, and a solver does.
const CODE: &str = r#"(module
    (func (export "encode") (param i32) (result i32)
        (i32.add (i32.rotl (local.get 0) (i32.const 5)) (i32.const 77)))
    (func (export "decode") (param i32) (result i32)
        (if (i32.eq (local.get 0) (i32.const 0x8765_4321)) (then (return (i32.const 5))))
        (i32.rotr (i32.sub (local.get 0) (i32.const 77)) (i32.const 5))))"#;

fn code() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = "name = 'code'\nmodule = 'code.wat'\n[[function]]\nsignature = 'encode(x: u32) -> u32'\n\
                    [[function]]\nsignature = 'decode(y: u32) -> u32'\n";
    std::fs::write(folder.path().join("code.wat"), CODE).expect("written");
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("written");
    folder
}

/// What is said and written of the code with these options. A long time, so that no clock ends a proof.
fn of_code(options: &[&str]) -> (String, String) {
    let folder = code();
    let output = common::dodona()
        .args(["discover", "."])
        .args(options)
        .args(["--time", "10000", "--fresh", "5000", "--output", "found.mr"])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    (common::both(&output), std::fs::read_to_string(folder.path().join("found.mr")).unwrap_or_default())
}

#[test]
fn a_law_over_two_functions_that_a_proof_refutes_is_not_listed() {
    let undone = ["decode(encode(x)) == x", "encode(decode(y)) == y"];
    let is_listed = |file: &str| {
        undone.iter().any(|law| file.lines().any(|line| line.starts_with("relation") && line.contains(law)))
    };
    let (said, file) = of_code(&["--laws", "--mutants", "10", "--format", "json"]);
    assert!(!is_listed(&file), "{file}");
    let refuted = said.split_once("\"refuted\"").map_or("", |(_, refuted)| refuted);
    assert!(undone.iter().any(|law| refuted.contains(law)), "{said}");
    // The laws of one function among them its round trips, which have variables of the other function.
    let (said, file) = of_code(&[
        "encode",
        "--mutants",
        "10",
        "--transformations",
        "1",
        "--search",
        "enumerate",
        "--explain",
    ]);
    assert!(!is_listed(&file) && said.contains("symbolic execution"), "{said}{file}");
    // Without a proof they are listed, and say that they are tested.
    let (said, file) = of_code(&["--laws", "--mutants", "10", "--prove", "off"]);
    assert!(is_listed(&file) && said.contains("tested; held on"), "{said}{file}");
}

fn has_all(text: &str, laws: &[&str]) {
    for law in laws {
        assert!(text.contains(law), "`{law}` is not in\n{text}");
    }
}

#[test]
fn the_laws_of_sine_cosine_and_tangent_are_those_of_a_textbook() {
    // Several functions and none is named: laws.
    let (code, said, file) = discover("trig", 2_000, &[]);
    assert_eq!(code, Some(0), "{said}");
    has_all(
        &file,
        &[
            "sin(-x) == -sin(x)",
            "cos(-x) == cos(x)",
            "cos(x)*tan(x) ~= sin(x)",
            "sin(x)^2 + cos(x)^2 ~= 1",
            "cos(2*x) ~= 1 - 2*sin(x)^2",
            "sin(x + y) ~= sin(x)*cos(y) + cos(x)*sin(y)",
            "cos(x + y) ~= cos(x)*cos(y) - sin(x)*sin(y)",
        ],
    );
    assert!(file.matches("\nrelation ").count() <= 14, "{file}");
}

#[test]
fn laws_of_numbers_that_wrap_around_are_said_modulo_a_power_of_two() {
    let (code, said, file) = discover("fib", 2_000, &["--laws"]);
    assert_eq!(code, Some(0), "{said}");
    has_all(&file, &["mod 4294967296 == 0", "fib_sum"]);
}

#[test]
fn the_greatest_common_divisor_has_its_laws() {
    // Few inputs would leave the law of common factors, which fails where a product is the least integer and one variable is 0.
    let (code, said, file) = discover("gcd", 50_000, &["gcd", "--laws", "--time", "60"]);
    assert_eq!(code, Some(0), "{said}");
    has_all(&file, &["gcd(q, p) == gcd(p, q)", "gcd(p, p + q) == gcd(p, q)", "gcd_associative"]);
    // The general law of common factors, or that of a factor of 2, which is an instance of it: the general one fails where a product is the least integer.
    let scaled = ["gcd(2*p, 2*q) == 2*gcd(p, q)", "gcd(p*q, p*r) == abs(p)*gcd(q, r)"];
    assert!(scaled.iter().any(|law| file.contains(law)), "{file}");
}

#[test]
fn the_laws_of_sorts_are_said_in_a_word_of_the_language() {
    let (code, said, file) = discover("sorting", 2_000, &["--laws"]);
    assert_eq!(code, Some(0), "{said}");
    has_all(&file, &["heap_sort(xs).xs == sorted(xs)", "insertion_sort(xs).xs == sorted(xs)"]);
    // Idempotence, reversal and the agreement of both follow.
    assert!(file.matches("\nrelation ").count() <= 4, "{file}");
}

#[test]
fn a_codec_has_its_round_trips_lengths_and_homomorphisms() {
    let (code, said, file) = discover("codec", 2_000, &["--laws", "--time", "120"]);
    assert_eq!(code, Some(0), "{said}");
    has_all(
        &file,
        &[
            "hex_decode(hex_encode(bytes)) == bytes",
            "base64_decode(base64_encode(bytes)) == bytes",
            "hex_encode(hex_decode(digits)) == lower(digits)",
            "len(hex_encode(bytes)) == 2 * len(bytes)",
            "len(base64_encode(bytes)) == 4 * ((len(bytes) + 2) div 3)",
            "hex_encode(concat(bytes, more)) == concat(hex_encode(bytes), hex_encode(more))",
            "when len(bytes) mod 3 == 0: base64_encode(concat(bytes, more)) == concat(base64_encode(bytes), base64_encode(more))",
        ],
    );
    assert!(file.matches("\nrelation ").count() <= 14, "{file}");
}

#[test]
fn a_function_of_text_has_its_laws() {
    let (code, said, file) = discover("genmorph", 500, &["capitalize", "--laws", "--time", "120"]);
    assert_eq!(code, Some(0), "{said}");
    has_all(
        &file,
        &[
            "capitalize(capitalize(str)) == capitalize(str)",
            "when 0 < len(str): capitalize(concat(str, t)) == concat(capitalize(str), t)",
        ],
    );
}

#[test]
fn what_has_too_many_parameters_is_left_out_and_said() {
    let (code, said, file) = discover("tcas", 2_000, &["--laws"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("advise was left out"), "{said}");
    // Laws that have a name are tried of every function.
    assert!(file.contains("relation advise_confident_more_if_so: advise(separation, false, "), "{file}");
}

#[test]
fn options_of_the_other_search_are_taken_and_said_to_have_no_use() {
    for options in [&["--laws", "--generations", "3"][..], &["--forms", "none", "--transformation", "x"]] {
        let (code, said, _) = discover("trig", 2_000, options);
        assert_eq!(code, Some(0), "{said}");
        let option = options[options.len() - 2];
        let words = format!("{option}; without --laws");
        assert!(said.contains("a search for laws has no use for --") && said.contains(&words), "{said}");
    }
    // Of these it has use.
    let (code, said, file) =
        discover("trig", 2_000, &["--relations", "1", "--operators", "AOR", "--callees=none"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("has no use for"), "{said}");
    assert_eq!(file.matches("\nrelation ").count(), 3, "one for each function: {file}");
}

/// What is true of all lengths that are usually drawn, and false of longer data that the domain allows, is no law.
#[test]
fn laws_are_tested_on_longer_data_than_is_usually_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = "#include <stddef.h>\nunsigned size(const unsigned char *data, size_t n) { (void)data; return n < 40 ? n : n + 1; }\n";
    std::fs::write(folder.path().join("size.c"), code).expect("it is written");
    let manifest = |longest: u32| {
        format!(
            "[build]\nc = [\"size.c\"]\n\n[[function]]\nsignature = \"size(data: [u8]) -> u32\"\n\
             domain.data = {{ length = [0, {longest}] }}\nsample.data = {{ length = [0, 24] }}\n"
        )
    };
    for (longest, is_law) in [(39, true), (1000, false)] {
        std::fs::write(folder.path().join("dodona.toml"), manifest(longest)).expect("it is written");
        let path = folder.path().to_str().expect("a path");
        let (_, said, file) = discover(path, 500, &["--laws"]);
        assert_eq!(file.contains("size(data) == len(data)"), is_law, "up to {longest}: {said}\n{file}");
    }
}

/// Lines of 20 bytes in hexadecimal end, so that the length rises in two steps, of which data as short as is usually drawn shows one.
#[test]
fn the_length_of_what_has_lines_is_a_law() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = "#include <stddef.h>\n\
        size_t lines(const unsigned char *data, size_t n, char *out, size_t capacity) {\n\
        size_t k = 0;\n\
        for (size_t i = 0; i < n && k + 3 <= capacity; i++) {\n\
            out[k++] = \"0123456789abcdef\"[data[i] >> 4]; out[k++] = \"0123456789abcdef\"[data[i] & 15];\n\
            if (i % 20 == 19) out[k++] = '\\n';\n\
        }\n return k; }\n";
    std::fs::write(folder.path().join("lines.c"), code).expect("it is written");
    let manifest = "[build]\nc = [\"lines.c\"]\n\n[[function]]\nsignature = \"lines(data: [u8]) -> text\"\n\
        result = \"out-buffer\"\ncapacity = 4096\n\
        domain.data = { length = [0, 1000] }\nsample.data = { length = [0, 16] }\n";
    std::fs::write(folder.path().join("dodona.toml"), manifest).expect("it is written");
    let (_, said, file) = discover(folder.path().to_str().expect("a path"), 500, &["--laws"]);
    assert!(
        file.contains("relation lines_length: len(lines(data)) == 2 * len(data) + len(data) div 20"),
        "{said}\n{file}"
    );
}
