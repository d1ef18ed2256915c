//! The arguments that several verbs take. Those of one verb alone stand beside that verb.

mod duration;
mod evidence;
mod frame_args;
mod inputs;
mod mutants;
mod native;
mod relation_args;
mod run;
mod search;
mod written_args;

pub(crate) use duration::duration;
pub(crate) use evidence::EvidenceArgs;
pub(crate) use frame_args::FrameArgs;
pub(crate) use inputs::{By, CheckSourcesArgs, ContenderParser, SourcesByArgs, TechniqueName};
pub(crate) use mutants::{CalleesArgs, OperatorsArgs, VersionsArgs};
pub(crate) use native::NativeArgs;
pub(crate) use relation_args::{RelationArgs, RelationFiles};
pub(crate) use run::{
    FormatArgs, JobsArgs, MOST_INPUTS, SeedArgs, SubjectArgs, SubjectsArgs, TargetArgs, drawn, from_0_to_1,
};
pub(crate) use search::{SearchArgs, seconds};
pub(crate) use written_args::{Emit, WrittenArgs, language};
