//! `dodona emit SUBJECT`

use std::path::{Path, PathBuf};

use clap::Args;
use dodona_emit::{CrateContext, DEV_DEPENDENCY, Language, comment_above, crate_tests, is_unedited};
use dodona_relations::Relation;
use dodona_subject::{CrateHome, CrateSource, Manifest, ModuleSource};
use dodona_target::{folder_of, user_file};
use dodona_workbench::{LoadedRelation, Relations, check_preconditions};

use crate::args::{Emit, RelationArgs, SeedArgs, SubjectArgs, language};
use crate::destination::{Destination, OverwriteArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open;
use crate::output::{complain, document, write};
use crate::written::standalone;

/// Write a subject's relations as tests that its own code runs
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dodona emit . --output tests/metamorphic.rs   a test for each relation, on the crate `dodona`\n  \
                        dodona emit . --relation symmetric            one test, on standard output\n  \
                        dodona emit . --standalone                    a test that needs the crate `proptest` and no Dodona\n  \
                        dodona emit . --language c --where gcd.h      a program in C that includes gcd.h"
)]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) relations: RelationArgs,
    /// The language of the tests: rust, c, python or java
    #[arg(long, value_name = "LANGUAGE", default_value = "rust", value_parser = language)]
    pub(crate) language: Language,
    /// Write tests that need no Dodona: with proptest for rust, with hypothesis for python, with JUnit 5 for java. Only tests in rust
    /// of a Rust crate are not so always
    #[arg(long)]
    pub(crate) standalone: bool,
    /// Where stand-alone tests find the functions: a module path, a file to include, a .wasm file, a class
    #[arg(long = "where", value_name = "WHERE")]
    pub(crate) module: Option<String>,
    /// The file that is written; without it the tests are printed. A file that exists is kept, unless it was written by this command
    /// and nobody edited it
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten)]
    pub(crate) seed: SeedArgs,
}

/// Writes the tests, and says what they need.
pub(crate) fn run(args: &EmitArgs) -> Result<Exit, Failure> {
    let mut manifest = open::manifest(&args.subject.path)?;
    let files = &args.relations.files.relation_files;
    if !files.is_empty() {
        manifest.relations.clone_from(files);
    }
    check_preconditions(&manifest.signatures(), &manifest.path).map_err(open::lab_failure)?;
    let all = Relations::read(&manifest.relations, &manifest.signatures()).map_err(open::lab_failure)?;
    let chosen = all.select(&args.relations.names, &manifest.path).map_err(open::lab_failure)?;
    let chosen: Vec<&LoadedRelation> = chosen.into_iter().map(|index| &all[index]).collect();
    let comments = comments(&chosen)?;
    let (text, notes) = match on_the_crate(args, &manifest)? {
        Some(source) => {
            let relations: Vec<&Relation> = chosen.iter().map(|loaded| &loaded.relation).collect();
            let context = CrateContext { manifest: &manifest, comments: &comments, seed: args.seed.number };
            (crate_tests(&relations, &context).map_err(Failure::usage)?, needs(source))
        }
        None => {
            let relations: Vec<Relation> = chosen.iter().map(|loaded| loaded.relation.clone()).collect();
            let wanted = Emit { language: args.language, module: args.module.clone() };
            let path = args.output.as_deref().unwrap_or(Path::new(""));
            let seed = args.seed.number;
            let text = standalone(&wanted, &manifest, (&relations, &comments), seed, path)?;
            (text, why_standalone(args, &manifest))
        }
    };
    match &args.output {
        None => document(&text)?,
        Some(path) => {
            write_file(path, &text, args.overwrite)?;
            write(&format!("wrote {}, tests of {}\n", path.display(), counted(chosen.len())))?;
        }
    }
    complain(&notes);
    Ok(Exit::Success)
}

fn counted(relations: usize) -> String {
    match relations {
        1 => "1 relation".to_owned(),
        n => format!("{n} relations"),
    }
}

/// What stands above each relation in its file.
fn comments(relations: &[&LoadedRelation]) -> Result<Vec<Vec<String>>, Failure> {
    let one = |loaded: &&LoadedRelation| {
        let text = user_file::text(&loaded.file)
            .map_err(|error| Failure::usage(format!("cannot read {}: {error}", loaded.file.display())))?;
        Ok(comment_above(&text, loaded.relation.tree().span.start))
    };
    relations.iter().map(one).collect()
}

/// The crate whose tests are written on the crate `dodona`; `None` where they are to stand alone.
fn on_the_crate<'m>(args: &EmitArgs, manifest: &'m Manifest) -> Result<Option<&'m CrateSource>, Failure> {
    match &manifest.source {
        ModuleSource::Crate(source) if args.language == Language::Rust && !args.standalone => {
            match &args.module {
                None => Ok(Some(source)),
                Some(_) => Err(Failure::usage(
                    "the manifest says where the functions of a crate are; --where is for stand-alone tests (--standalone)",
                )),
            }
        }
        _ => Ok(None),
    }
}

/// What tests on the crate `dodona` need, and where they have to stand.
fn needs(source: &CrateSource) -> String {
    let dependency = DEV_DEPENDENCY;
    match &source.home {
        CrateHome::Folder(folder) => {
            let folder = shown(folder);
            let (cargo, tests) = (folder.join("Cargo.toml"), folder.join("tests"));
            format!(
                "the tests stand in {}; below [dev-dependencies] of {} they need\n{dependency}\n",
                tests.display(),
                cargo.display()
            )
        }
        CrateHome::Workspace(folder) => format!(
            "the tests stand in the folder `tests` of the package `{}` of the workspace {}; below [dev-dependencies] of its Cargo.toml they \
             need\n{dependency}\n",
            source.package,
            shown(&folder.join("Cargo.toml")).display()
        ),
        CrateHome::Registry(version) => format!(
            "the tests stand in the folder `tests` of any package; below [dev-dependencies] of its Cargo.toml they need\n{dependency}\n\
             {} = \"{version}\"\n",
            source.package
        ),
    }
}

/// A path as seen from the folder of the command, if it lies in it.
fn shown(path: &Path) -> PathBuf {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    full.strip_prefix(&here).map_or(full.clone(), Path::to_owned)
}

/// Why tests in Rust stand alone that could be expected not to.
fn why_standalone(args: &EmitArgs, manifest: &Manifest) -> String {
    match &manifest.source {
        ModuleSource::Crate(_) => String::new(),
        _ if args.language != Language::Rust || args.standalone => String::new(),
        _ => format!(
            "{} declares no Rust crate that is called as it is ([build] crate = …), so these tests stand alone: they need the crate \
             `proptest`, and call the functions in the module that --where names\n",
            manifest.path.display()
        ),
    }
}

/// Writes a file, in a folder that is made if it alone is missing: `tests` of a package that had none.
fn write_file(path: &Path, text: &str, overwrite: OverwriteArgs) -> Result<(), Failure> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        std::fs::create_dir(folder)
            .map_err(|error| Failure::usage(format!("cannot create {}: {error}", folder.display())))?;
    }
    Destination::new(path, overwrite).known_by(is_unedited).write(text.as_bytes())
}
