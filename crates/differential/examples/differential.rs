//! Runs many seeded cases of a check (`differential engines_agree 0 1000 600`: the first seed, how many, bytes each), or one again from a file of its bytes
//! (`differential engines_agree FILE`).

fn main() -> std::process::ExitCode {
    dodona_cases::command(&dodona_differential::CHECKS)
}
