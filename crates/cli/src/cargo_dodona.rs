//! `cargo dodona`: relations of the crate in this folder. It is `dodona crate`.

use std::process::ExitCode;

/// As the command `dodona` has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(dodona_cli::run_for_cargo(std::env::args_os()))
}
