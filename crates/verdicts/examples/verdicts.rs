//! Runs many seeded cases of a check, or one again from its file: see `dodona_cases::command`.

fn main() -> std::process::ExitCode {
    dodona_cases::command(&dodona_verdicts::CHECKS)
}
