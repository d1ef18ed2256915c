//! `dodona`: metamorphic testing of WebAssembly functions from the command line.

use std::process::ExitCode;

/// Searches allocate and free columns of a hundred kilobytes on every thread. The system's allocator hands their pages back to the
/// kernel each time, which stops the other threads for it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(dodona_cli::run(std::env::args_os()))
}
