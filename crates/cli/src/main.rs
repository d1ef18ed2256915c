//! `dodona`: metamorphic testing of WebAssembly functions from the command line.

mod args;
mod exit;
mod failure;
mod interrupt;
mod open;
mod output;
mod progress;
mod verbs;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Verb};
use crate::exit::Exit;
use crate::failure::Failure;

/// Searches allocate and free columns of a hundred kilobytes on every thread. The system's allocator hands their pages back to the
/// kernel each time, which stops the other threads for it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // Nobody may be listening any more (`2>&1 | head`): the exit code says it all the same.
            let _ = std::io::stderr().write_all(failure.render().as_bytes());
            failure.exit.into()
        }
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    match cli.verb {
        Verb::Init(args) => verbs::init::run(&args),
        Verb::Build(args) => verbs::build::run(&args),
        Verb::Call(args) => verbs::call::run(&args),
        Verb::Check(args) => verbs::check::run(&args),
        Verb::Cover(args) => verbs::cover::run(&args),
        Verb::Prioritise(args) => verbs::prioritise::run(&args),
        Verb::Generate(args) => verbs::generate::run(&args),
        Verb::Compare(args) => verbs::compare::run(&args),
        Verb::Mutate(args) => verbs::mutate::run(&args),
        Verb::Discover(args) => verbs::discover::run(&args),
        Verb::Prove(args) => verbs::prove::run(&args),
        Verb::Replay(args) => verbs::replay::run(&args),
        Verb::Relations(args) => verbs::relations::run(&args),
    }
}
