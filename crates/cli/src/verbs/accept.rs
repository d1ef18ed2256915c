//! `dodona accept [NAME…]`

mod relation_file;

use std::path::{Path, PathBuf};

use clap::Args;
use dodona_records::{RelationState, RunRelation, SubjectRun};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::write;
use crate::session::SessionArgs;
use relation_file::RelationFile;

/// Move relations that the last run found to the relations of their subject, where later runs judge them
#[derive(Debug, Args)]
pub(crate) struct AcceptArgs {
    /// Their names [default: all that were found and hold]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Of this subject alone: its folder or manifest, as the run had it
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
}

/// Adds the relations to their files.
pub(crate) fn run(args: &AcceptArgs) -> Result<Exit, Failure> {
    let (_, record) = args.session.last()?;
    let manifest = match &args.subject {
        Some(path) => Some(open::manifest(path)?.path),
        None => None,
    };
    let is_meant = |subject: &&SubjectRun| match &manifest {
        Some(manifest) => Path::new(&subject.manifest) == manifest,
        None => true,
    };
    let subjects: Vec<&SubjectRun> = record.subjects.iter().filter(is_meant).collect();
    let chosen: Vec<(&SubjectRun, Vec<&RunRelation>)> =
        subjects.iter().map(|subject| (*subject, chosen(subject, &args.names))).collect();
    check_names(args, &subjects, &chosen)?;
    for (subject, relations) in chosen.iter().filter(|(_, relations)| !relations.is_empty()) {
        accept(subject, relations)?;
    }
    Ok(Exit::Success)
}

/// The relations of a subject that were found, hold, and have one of these names; all that were found and hold, without names.
fn chosen<'r>(subject: &'r SubjectRun, names: &[String]) -> Vec<&'r RunRelation> {
    let is_wanted = |relation: &&RunRelation| {
        relation.is_acceptable() && (names.is_empty() || names.iter().any(|name| name == relation.name()))
    };
    subject.relations().filter(is_wanted).collect()
}

/// Every name is one that was found, in one subject alone.
fn check_names(
    args: &AcceptArgs,
    subjects: &[&SubjectRun],
    chosen: &[(&SubjectRun, Vec<&RunRelation>)],
) -> Result<(), Failure> {
    if chosen.iter().all(|(_, relations)| relations.is_empty()) && args.names.is_empty() {
        return Err(Failure::usage(match args.subject {
            Some(_) => "the last run found no relation of this subject that could be accepted",
            None => "the last run found no relation that could be accepted",
        }));
    }
    for name in &args.names {
        let of = chosen.iter().filter(|(_, relations)| relations.iter().any(|r| r.name() == name));
        match of.map(|(subject, _)| subject.manifest.as_str()).collect::<Vec<_>>().as_slice() {
            [_] => {}
            [] => return Err(unknown(name, subjects)),
            several => {
                let several = several.join(" and ");
                return Err(Failure::usage(format!("{several} both have {name}; choose one with --subject")));
            }
        }
    }
    Ok(())
}

fn unknown(name: &str, subjects: &[&SubjectRun]) -> Failure {
    let all = || subjects.iter().flat_map(|subject| subject.relations());
    if let Some(relation) = all().find(|relation| relation.name() == name) {
        return Failure::usage(match relation.state {
            RelationState::Accepted => format!("{name} is accepted already, in {}", relation.check.file),
            RelationState::Found => format!("{name} does not hold; what is violated is not accepted"),
        });
    }
    let hint = match dodona_target::nearest(name, all().filter(|r| r.is_acceptable()).map(RunRelation::name))
    {
        Some(near) => format!("; did you mean {near}?"),
        None => "; `dodona status` shows those that there are".to_owned(),
    };
    Failure::usage(format!("the last run found no relation {name}{hint}"))
}

/// Adds relations to the file of a subject.
fn accept(subject: &SubjectRun, relations: &[&RunRelation]) -> Result<(), Failure> {
    let manifest = open::manifest(Path::new(&subject.manifest))?;
    let mut file = RelationFile::of(&manifest)?;
    let mut told = String::new();
    for relation in relations {
        match file.add(relation) {
            Some(name) => told += &format!("accepted {name}\n"),
            None => told += &format!("{} stands there already\n", relation.name()),
        }
    }
    let written = file.write()?;
    write(&format!(
        "{told}wrote {}\n",
        written.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and ")
    ))
}
