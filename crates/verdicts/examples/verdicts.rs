//! Runs many seeded cases of a check (`verdicts never_proved 0 1000 600`: the first seed, how many, bytes each), or one again from a file of its bytes
//! (`verdicts never_proved FILE`).

fn main() -> std::process::ExitCode {
    dodona_cases::command(&dodona_verdicts::CHECKS)
}
