//! Whatever text stands in a manifest: problems with places inside it, or a manifest.
#![no_main]

use std::path::Path;

use dodona_subject::Manifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = Manifest::parse(Path::new("s/dodona.toml"), text) {
        assert!(!problems.is_empty());
        for problem in problems {
            assert!(problem.span.start <= text.len());
            let _ = problem.line_column(text);
        }
    }
});
