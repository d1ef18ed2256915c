//! The options `--native` and `--sanitize`: functions are called as they are built for this machine.

use clap::{Args, ValueEnum};
use dodona_subject::build::Sanitizer;

/// Whether functions are called as they are built for this machine.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct NativeArgs {
    /// Call functions of C or of a crate as they are built for this machine, each session in a process of its own, and tell where the WebAssembly build
    /// differs
    #[arg(long)]
    pub(crate) native: bool,
    /// With --native: build C and C++ with these sanitizers; what one reports ends the call, which is an outcome
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',', requires = "native")]
    sanitize: Vec<SanitizerArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SanitizerArg {
    /// AddressSanitizer
    Address,
    /// UndefinedBehaviorSanitizer
    Undefined,
}

impl NativeArgs {
    /// The sanitizers that are wanted, each once.
    pub(crate) fn sanitizers(&self) -> Vec<Sanitizer> {
        let mut sanitizers: Vec<Sanitizer> = self.sanitize.iter().map(|one| one.sanitizer()).collect();
        sanitizers.sort_unstable();
        sanitizers.dedup();
        sanitizers
    }

    /// The options as words of a shell, each with a space before it.
    pub(crate) fn words(&self) -> String {
        let names: Vec<&str> = self.sanitizers().into_iter().map(Sanitizer::name).collect();
        let native = if self.native { " --native" } else { "" };
        let sanitize =
            if names.is_empty() { String::new() } else { format!(" --sanitize {}", names.join(",")) };
        format!("{native}{sanitize}")
    }
}

impl SanitizerArg {
    fn sanitizer(self) -> Sanitizer {
        match self {
            SanitizerArg::Address => Sanitizer::Address,
            SanitizerArg::Undefined => Sanitizer::Undefined,
        }
    }
}
