//! Whatever text stands in a relation file: problems with places inside it, or relations that print
//! and read back as the same tree; and checking them against a subject never panics.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use dodona_relations::{check, parse};
use dodona_subject::{Function, Manifest};
use libfuzzer_sys::fuzz_target;

static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
    let text = r#"module = "m.wasm"
        [[function]]
        signature = "sin(x: f64) -> f64"
        [[function]]
        signature = "gcd(p: i32, q: i32) -> i32"
        [[function]]
        signature = "sort(xs: [i32])"
        lower.xs = "in-out"
        [[function]]
        signature = "mean(xs: [i32]) -> f64"
        [[function]]
        signature = "tokens(text: text) -> command""#;
    Manifest::parse(Path::new("m.toml"), text).expect("valid").functions
});

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(file) => {
            let printed = file.to_string();
            assert_eq!(parse(&printed).as_ref(), Ok(&file), "{printed}");
            let _ = check(&file, &FUNCTIONS);
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            for problem in problems {
                assert!(problem.span.start <= text.len());
            }
        }
    }
});
