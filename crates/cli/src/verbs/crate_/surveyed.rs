//! The survey of a crate, and its answer: files, then the screen. It is given at the end, or in the middle of a step that takes longer than there is time.

use std::sync::Arc;

use dodona_discovery::{SoFar, SurveyOptions, SurveyProgress, SurveyStage, survey};
use dodona_records::SurveyRecord;
use dodona_target::Interruption;
use dodona_wasm::Workbench;

use super::Job;
use super::files::{self, Home};
use super::screen::{Reader, screen};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, complain, is_captured};
use crate::progress::Progress;
use crate::{ending, interrupt, open};

/// What is written and printed of a survey.
#[derive(Clone)]
pub(super) struct Answer {
    pub(super) home: Home,
    pub(super) reader: Reader,
    pub(super) files: Files,
}

/// The files that are written.
#[derive(Clone)]
pub(super) enum Files {
    /// All of them, for the first time: the text of the manifest.
    New { manifest: String, heading: String },
    /// What is new is added: blocks of functions.
    More { blocks: String },
}

impl Answer {
    /// Writes the files and prints the screen.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn tell(&self, record: &SurveyRecord) -> Result<Exit, Failure> {
        ending::answer();
        let relations = files::relations(record);
        let written = match &self.files {
            Files::New { manifest, heading } => self.home.write(manifest, heading, &relations),
            Files::More { blocks } => {
                self.home.add_functions(blocks).and_then(|()| self.home.add_relations(&relations))
            }
        };
        // What was found is printed in any case.
        output::screen(&screen(record, &self.reader, written.is_ok()))?;
        written?;
        Ok(match (record.is_interrupted, record.relations.is_empty() && record.accepted.is_empty()) {
            (true, _) => Exit::Interrupted,
            (false, true) if !record.undone.is_empty() => Exit::Budget,
            (false, _) => Exit::Success,
        })
    }
}

/// Surveys a crate and answers. `declined` are relations that are not proposed.
///
/// # Errors
/// When the crate cannot be run, or a file cannot be written.
pub(super) fn surveyed(
    job: &Job<'_>,
    workbench: Workbench,
    declined: Vec<String>,
    answer: &Answer,
) -> Result<Exit, Failure> {
    let options = SurveyOptions {
        seed: job.args.seed.seed(),
        time: Some(job.args.time),
        declined,
        jobs: job.threads(),
        so_far: SoFar::default(),
        ..SurveyOptions::default()
    };
    let interrupted = interrupt::listen_for(job.args.time);
    knows(answer, &options);
    let record = run(&Arc::new(workbench), &options, interrupted, &job.package.name)?;
    answer.tell(&record)
}

fn run(
    workbench: &Arc<Workbench>,
    options: &SurveyOptions,
    interrupted: &Interruption,
    name: &str,
) -> Result<SurveyRecord, Failure> {
    let mut bar = Progress::of_stages();
    let record = survey(workbench, options, interrupted, &mut |progress| {
        bar.update(&format!("{name}: {}", words(progress)), progress.done, progress.planned);
    });
    bar.finish();
    record.map_err(open::lab_failure)
}

/// Should the survey be ended in the middle of a step, what it noted by then is written and told.
fn knows(answer: &Answer, options: &SurveyOptions) {
    // Where the command is a part of another program, nobody ends it.
    if is_captured() {
        return;
    }
    let (answer, so_far) = (answer.clone(), options.so_far.clone());
    ending::knows(move |exit| {
        let mut record = so_far.take()?;
        record.is_interrupted = exit == Exit::Interrupted;
        record
            .undone
            .push("a step could not be ended in time, and what it would have shown is not known".to_owned());
        Some(answer.tell(&record).unwrap_or_else(|failure| {
            complain(&failure.render());
            exit
        }))
    });
}

fn words(progress: SurveyProgress) -> String {
    let stage = match progress.stage {
        SurveyStage::KnownForms => "known forms",
        SurveyStage::Laws => "laws",
        SurveyStage::Mutants => "seeded faults",
        SurveyStage::Searches => "searches",
        SurveyStage::Trials => "last trials",
    };
    let held = progress.relations;
    format!("{stage}, {held} relation{} so far", if held == 1 { "" } else { "s" })
}
