//! The command line: each file holds commands with what they print.

#[test]
fn commands_print_what_their_files_say() {
    let cases = trycmd::TestCases::new();
    cases.default_bin_name("dodona").env("DODONA_PROGRESS", "0").case("../../tests/cli/*.trycmd");
}
