//! The arguments that several verbs take. Those of one verb alone stand beside that verb.

mod evidence;
mod inputs;
mod mutants;
mod output_files;
mod relation_choice;
mod run;
mod search;
mod specification;

pub(crate) use evidence::EvidenceArgs;
pub(crate) use inputs::{By, CheckSourcesArgs, SourcesByArgs, TechniqueName, techniques};
pub(crate) use mutants::{CalleesArgs, OperatorsArgs};
pub(crate) use output_files::{Emit, WrittenArgs};
pub(crate) use relation_choice::{RelationArgs, RelationFiles};
pub(crate) use run::{
    Format, FormatArgs, JobsArgs, MOST_INPUTS, SeedArgs, SubjectArgs, SubjectsArgs, TargetArgs, drawn,
};
pub(crate) use search::{SearchArgs, seconds};
pub(crate) use specification::FrameArgs;
