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
        // Another process may take this name at any moment; `write` takes the next one then.
        Destination::new(&first.as_ref().unwrap_or(&wanted).relations, args.overwrite).check_place()?;
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

#[cfg(test)]
mod at_once {
    use dodona_emit::Language;

    use super::*;
    use crate::args::Emit;
    use crate::destination::OverwriteArgs;

    /// Each name is looked up before it is taken, so another process may be faster in between.
    #[test]
    fn whoever_writes_at_the_same_time_gets_another_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = "module = \"f.wasm\"\n[[function]]\nsignature = \"f(x: i32) -> i32\"\n";
        let manifest = Manifest::parse(&folder.path().join("dodona.toml"), manifest).expect("a manifest");
        let emit = vec![Emit { language: Language::C, module: None }];
        let args = WrittenArgs { output: None, overwrite: OverwriteArgs::default(), emit };
        let write = |seed: u64| {
            let files = WrittenRelations::new(&args, &manifest, "found.mr", seed)?;
            files.write("relation odd: f(-x) == -f(x)\n", &mut Vec::new())
        };
        let (threads, times) = (8, 20);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                scope.spawn(move || {
                    for time in 0..times {
                        let written = write(thread * times + time);
                        assert_eq!(written.err().map(|failure| failure.words()), None);
                    }
                });
            }
        });
        let files = std::fs::read_dir(folder.path()).expect("a folder").count() as u64;
        assert_eq!(files, 2 * threads * times);
    }
}
