//! Relations that a verb found, written to a file, and as tests beside it.

mod files;
mod targets;
mod tests;

use dodona_subject::Manifest;

use dodona_report::Format;

use crate::args::WrittenArgs;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::output::{complain, write};
use files::Files;
use targets::Targets;
pub(crate) use tests::standalone;

/// The files that a verb writes relations to, checked before its work begins.
pub(crate) struct WrittenRelations<'a> {
    args: &'a WrittenArgs,
    manifest: &'a Manifest,
    /// Where everything random started; tests draw their inputs with it.
    seed: u64,
    wanted: Targets,
}

impl<'a> WrittenRelations<'a> {
    /// The files that are asked for; `name` is that of the relations where nobody gives one: `discovered.mr`, beside the manifest.
    ///
    /// # Errors
    /// When two of them would have one name, or the first cannot be written.
    pub(crate) fn new(
        args: &'a WrittenArgs,
        manifest: &'a Manifest,
        name: &str,
        seed: u64,
    ) -> Result<WrittenRelations<'a>, Failure> {
        let wanted = Targets::wanted(args, &manifest.path, name);
        if let Some(path) = wanted.clash() {
            let path = path.display();
            return Err(Failure::usage(format!(
                "two files would be called {path}: give --output another name, and --emit each language once"
            )));
        }
        let first = if args.overwrite.is_given { Some(wanted.clone()) } else { wanted.free().next() };
        Destination::new(&first.as_ref().unwrap_or(&wanted).relations, args.overwrite).check()?;
        Ok(WrittenRelations { args, manifest, seed, wanted })
    }

    /// Writes a file of relations and the tests, and tells which, one line each.
    ///
    /// # Errors
    /// When a file cannot be written, or a language cannot say a relation: the other files are written all the same.
    pub(crate) fn write(&self, text: &str, told: &mut Vec<String>) -> Result<(), Failure> {
        let files = Files { args: self.args, manifest: self.manifest, text, seed: self.seed };
        files.write(&self.wanted, told)
    }
}

/// Prints what is said of files: where the report is, but not into JSON.
///
/// # Errors
/// When it cannot be printed.
pub(crate) fn tell(told: &[String], format: Format) -> Result<(), Failure> {
    for words in told {
        match format {
            Format::Terminal => write(&format!("{words}\n"))?,
            _ => complain(&format!("{words}\n")),
        }
    }
    Ok(())
}
