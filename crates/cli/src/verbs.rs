//! The verbs: one module each, and one table of all.
//!
//! Parsing, dispatch, messages and the help read the table, so that a new verb is added in one place.

mod accept;
mod adequacy;
mod build;
mod call;
mod check;
mod clean;
mod compare;
mod completions;
mod compose;
mod cover;
mod crate_;
mod discover;
mod doctor;
mod emit;
mod frames;
mod generate;
mod hierarchy;
mod identify;
mod init;
mod man;
mod merge;
mod mutate;
mod prioritise;
mod prove;
mod query;
mod relations;
mod replay;
mod report;
mod run;
mod schema;
mod select;
mod status;
mod submit;

use clap::Subcommand;

use crate::exit::Exit;
use crate::failure::Failure;

/// Reads the table of verbs: under the heading of the help that each verb stands below, its module with its arguments, and what it does
/// as messages say it.
macro_rules! verbs {
    ($($heading:literal: $($verb:ident($module:ident::$arguments:ident), $doing:literal;)+)+) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Verb {
            $($($verb($module::$arguments),)+)+
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
    "Do everything":
        Run(run::RunArgs), "running";
        Merge(merge::MergeArgs), "merging";
        Submit(submit::SubmitArgs), "submitting";
        Status(status::StatusArgs), "looking at";
        Report(report::ReportArgs), "reporting";
        Accept(accept::AcceptArgs), "accepting relations of";
        Query(query::QueryArgs), "asking";
        Clean(clean::CleanArgs), "cleaning";
    "Start with a subject":
        Crate(crate_::CrateArgs), "surveying";
        Init(init::InitArgs), "reading";
        Build(build::BuildArgs), "building";
        Call(call::CallArgs), "calling";
    "Check relations":
        Check(check::CheckArgs), "checking";
        Prove(prove::ProveArgs), "proving";
        Replay(replay::ReplayArgs), "replaying";
        Relations(relations::RelationsArgs), "printing";
        Emit(emit::EmitArgs), "writing tests of";
    "Find relations and inputs":
        Discover(discover::DiscoverArgs), "discovering";
        Compose(compose::ComposeArgs), "composing";
        Frames(frames::FramesArgs), "framing";
        Identify(identify::IdentifyArgs), "identifying";
        Generate(generate::GenerateArgs), "generating";
    "Judge relations and inputs":
        Mutate(mutate::MutateArgs), "mutating";
        Hierarchy(hierarchy::HierarchyArgs), "ordering mutants of";
        Compare(compare::CompareArgs), "comparing";
        Cover(cover::CoverArgs), "covering";
        Adequacy(adequacy::AdequacyArgs), "measuring";
        Select(select::SelectArgs), "selecting from";
        Prioritise(prioritise::PrioritiseArgs), "prioritising";
    "Set up":
        Doctor(doctor::DoctorArgs), "looking at";
        Completions(completions::CompletionsArgs), "printing";
        Man(man::ManArgs), "printing";
        Schema(schema::SchemaArgs), "printing";
}
