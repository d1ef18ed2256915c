//! The arguments that several verbs take. Those of one verb alone stand beside that verb.

mod evidence;
mod frames;
mod inputs;
mod mutants;
mod relations;
mod run;
mod search;
mod written;

pub(crate) use evidence::EvidenceArgs;
pub(crate) use frames::FrameArgs;
pub(crate) use inputs::{By, CheckSourcesArgs, SourcesByArgs, TechniqueName, techniques};
pub(crate) use mutants::{CalleesArgs, OperatorsArgs};
pub(crate) use relations::{RelationArgs, RelationFiles};
pub(crate) use run::{
    Format, FormatArgs, JobsArgs, MOST_INPUTS, SeedArgs, SubjectArgs, SubjectsArgs, TargetArgs, drawn,
};
pub(crate) use search::{SearchArgs, seconds};
pub(crate) use written::{Emit, WrittenArgs};
