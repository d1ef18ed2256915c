//! The answer of a discovery: files of what was found, and the report. It is given at the end, or in the middle of a step that takes longer
//! than there is time.

use std::sync::Arc;
use std::time::Duration;

use dodona_discovery::SoFar;
use dodona_report::{Explained, Format};
use dodona_subject::Manifest;

use super::DiscoverArgs;
use crate::args::WrittenArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{complain, explanation, is_captured, report};
use crate::written::{WrittenRelations, tell};
use crate::{ending, mistake, shell};

/// The warning of a report that is given in the middle of a step.
pub(super) const ENDED_IN_A_STEP: &str =
    "a step could not be ended in time: this is what was known before it, and nothing more was tested";

/// What a discovery found.
pub(super) trait Found: Explained {
    /// Whether no relation was found that passed all tests.
    fn is_empty(&self) -> bool;
    /// Where Dodona contradicts itself.
    fn contradictions(&self) -> Vec<String>;
    /// The file of relations, which this command found.
    fn file(&self, command: &str) -> String;
}

/// What ends a discovery in the middle of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum EndedBy {
    Interruption,
    /// Its time, in seconds.
    Time(f64),
}

/// Where the answer is written.
#[derive(Clone)]
pub(super) struct FoundAnswer {
    manifest: Arc<Manifest>,
    written: WrittenArgs,
    /// The name of the file of relations where nobody gives one.
    name: &'static str,
    seed: u64,
    format: Format,
    is_explained: bool,
    /// The command that searched.
    command: String,
}

impl FoundAnswer {
    /// # Errors
    /// When the files cannot be written.
    pub(super) fn new(
        args: &DiscoverArgs,
        manifest: &Arc<Manifest>,
        name: &'static str,
    ) -> Result<FoundAnswer, Failure> {
        let answer = FoundAnswer {
            manifest: Arc::clone(manifest),
            written: args.written.clone(),
            name,
            seed: args.seed.number,
            format: args.format.chosen,
            is_explained: args.explain,
            command: args.of.as_ref().map_or_else(mistake::command, |words| {
                let words: Vec<String> = words.iter().map(|word| shell::word(word.as_bytes())).collect();
                format!("dodona {}", words.join(" "))
            }),
        };
        answer.files()?;
        Ok(answer)
    }

    fn files(&self) -> Result<WrittenRelations<'_>, Failure> {
        WrittenRelations::new(&self.written, &self.manifest, self.name, self.seed)
    }

    /// Writes the files and prints the report.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(super) fn tell(&self, found: &impl Found, is_interrupted: bool) -> Result<Exit, Failure> {
        ending::answer();
        let mut told = Vec::new();
        let written = match found.is_empty() {
            true => Ok(()),
            false => self.files().and_then(|files| files.write(&found.file(&self.command), &mut told)),
        };
        // Printed after what was found is safe on the disk.
        match self.is_explained && self.format == Format::Terminal {
            true => explanation(found)?,
            false => report(found, self.format)?,
        }
        tell(&told, self.format)?;
        written?;
        let exit = match (is_interrupted, found.is_empty()) {
            (true, _) => Exit::Interrupted,
            (false, true) => Exit::Budget,
            (false, false) => Exit::Success,
        };
        Ok(mistake::or(&found.contradictions(), exit))
    }

    /// Should the discovery be ended in the middle of a step, what it noted by then is told. `end` notes in the record how it ended.
    pub(super) fn knows<R: Found + Send + 'static>(
        &self,
        so_far: &SoFar<R>,
        time: Duration,
        end: impl FnOnce(&mut R, EndedBy) + Send + 'static,
    ) {
        // Where the command is a part of another program, nobody ends it.
        if is_captured() {
            return;
        }
        let (answer, so_far) = (self.clone(), so_far.clone());
        ending::knows(move |exit| {
            let mut record = so_far.take()?;
            let is_interrupted = exit == Exit::Interrupted;
            let by = if is_interrupted { EndedBy::Interruption } else { EndedBy::Time(time.as_secs_f64()) };
            end(&mut record, by);
            Some(answer.tell(&record, is_interrupted).unwrap_or_else(|failure| {
                complain(&failure.render());
                exit
            }))
        });
    }
}
