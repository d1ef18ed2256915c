//! The command line as a function: what a verb prints is kept, with its exit code.

use std::ffi::OsString;

use dodona_cli::{Captured, run_captured};

fn typed(words: &[&str]) -> Captured {
    run_captured(["dodona"].iter().chain(words).map(OsString::from))
}

#[test]
fn a_verb_says_what_it_says_and_the_process_goes_on() {
    let gcd = concat!(env!("CARGO_MANIFEST_DIR"), "/../../subjects/gcd");
    let called = typed(&["call", gcd, "gcd(12, 18)"]);
    assert_eq!(called, Captured { exit: 0, stdout: "6\n".to_owned(), stderr: String::new() });
}

#[test]
fn bad_usage_is_told_and_is_exit_code_2() {
    for words in [&["call", "nowhere", "1"][..], &["no-such-verb"], &["check"]] {
        let told = typed(words);
        assert_eq!((told.exit, told.stdout.as_str()), (2, ""), "{words:?}");
        assert!(told.stderr.starts_with("error: "), "{}", told.stderr);
    }
    let help = typed(&["--help"]);
    assert_eq!((help.exit, help.stderr.as_str()), (0, ""));
    assert!(help.stdout.contains("Usage: dodona"), "{}", help.stdout);
}
