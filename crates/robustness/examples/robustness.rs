//! Runs many seeded cases of a check (`robustness verbs 0 1000 900`: the first seed, how many, bytes each), or one again from a file of its bytes
//! (`robustness verbs FILE`).

fn main() -> std::process::ExitCode {
    dodona_cases::command(&dodona_robustness::CHECKS)
}
