//! The verbs: one module each, and one table of all.

pub(crate) mod build;
pub(crate) mod call;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod cover;
pub(crate) mod discover;
pub(crate) mod generate;
pub(crate) mod init;
pub(crate) mod mutate;
pub(crate) mod prioritise;
pub(crate) mod prove;
pub(crate) mod relations;
pub(crate) mod replay;

use clap::Subcommand;

use crate::args;
use crate::exit::Exit;
use crate::failure::Failure;

/// Reads the table of verbs: under the heading of the help that each verb stands below, its arguments, its module, and what it does
/// as messages say it.
macro_rules! verbs {
    ($($heading:literal: $($verb:ident($arguments:ty) of $module:ident, $doing:literal;)+)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Verb {
            $($($verb($arguments),)+)+
        }

        /// The headings of the help, and how many verbs stand below each, in the order of the definition.
        pub(crate) const HEADINGS: &[(&str, usize)] = &[$(($heading, [$($doing),+].len())),+];

        impl Verb {
            /// What it does, for messages: `checking`.
            pub(crate) fn doing(&self) -> &'static str {
                match self {
                    $($(Verb::$verb(_) => $doing,)+)+
                }
            }

            /// Does it.
            pub(crate) fn run(&self) -> Result<Exit, Failure> {
                match self {
                    $($(Verb::$verb(arguments) => $module::run(arguments),)+)+
                }
            }
        }
    };
}

verbs! {
    "Start with a subject":
        Init(args::InitArgs) of init, "reading";
        Build(args::BuildArgs) of build, "building";
        Call(args::CallArgs) of call, "calling";
    "Check relations":
        Check(args::CheckArgs) of check, "checking";
        Prove(args::prove::ProveArgs) of prove, "proving";
        Replay(args::ReplayArgs) of replay, "replaying";
        Relations(args::RelationsArgs) of relations, "printing";
    "Find relations and inputs":
        Discover(args::discover::DiscoverArgs) of discover, "discovering";
        Generate(args::generate::GenerateArgs) of generate, "generating";
    "Judge relations and inputs":
        Mutate(args::mutate::MutateArgs) of mutate, "mutating";
        Compare(args::compare::CompareArgs) of compare, "comparing";
        Cover(args::cover::CoverArgs) of cover, "covering";
        Prioritise(args::cover::PrioritiseArgs) of prioritise, "prioritising";
}
