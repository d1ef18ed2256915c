//! The options of a survey, and its progress.

use std::num::NonZeroUsize;
use std::time::Duration;

use dodona_records::SurveyRecord;
use dodona_sources::Seed;

use crate::so_far::SoFar;

/// How a subject is surveyed.
#[derive(Clone, Debug)]
pub struct SurveyOptions {
    /// The seed of everything random.
    pub seed: Seed,
    /// A bound on the whole time, which is shared between the functions. Without one, everything is looked at.
    pub time: Option<Duration>,
    /// Relations that are not proposed, as text of relation files: somebody decided against them. What cannot be read is passed over.
    pub declined: Vec<String>,
    /// Random source inputs that each relation has to hold on before it is listed, besides those that it was found with.
    pub fresh: u64,
    /// The most mutants of a function.
    pub mutants: usize,
    /// The most relations that are proposed of a function, besides those that names promise.
    pub relations: usize,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Where the survey notes what it knows by now.
    pub so_far: SoFar<SurveyRecord>,
}

impl Default for SurveyOptions {
    /// Two minutes, on one thread: 10,000 fresh inputs, 100 mutants and four relations a function.
    fn default() -> Self {
        SurveyOptions {
            seed: Seed(0),
            time: Some(Duration::from_secs(120)),
            declined: Vec::new(),
            fresh: 10_000,
            mutants: 100,
            relations: 4,
            jobs: NonZeroUsize::MIN,
            so_far: SoFar::default(),
        }
    }
}

/// What a survey is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurveyStage {
    /// Known forms are tried.
    KnownForms,
    /// Laws are looked for.
    Laws,
    /// Relations are run on mutants.
    Mutants,
    /// Further relations are looked for where mutants are left.
    Searches,
    /// What would be listed is run on many more inputs.
    Trials,
}

/// How far a survey is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyProgress {
    /// What it is at.
    pub stage: SurveyStage,
    /// Steps of this stage that are done.
    pub done: u64,
    /// Steps of this stage in all.
    pub planned: u64,
    /// Relations that hold so far.
    pub relations: u64,
}
