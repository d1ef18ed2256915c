//! Runs many seeded cases of a check (`selfcheck engines_agree 0 1000 600`: the first seed, how many, bytes each), or one again from a
//! file of its bytes (`selfcheck engines_agree FILE`).

fn main() -> std::process::ExitCode {
    dodona_selfcheck::command()
}
