//! Runs faulty versions on the tests of a mutation analysis.

use std::cell::RefCell;
use std::sync::Arc;

use dodona_target::Until;
use dodona_workbench::pool::{self, Ended};
use dodona_workbench::{LabError, Worker};

use super::FaultyVersion;
use crate::analysis::{Analysis, Run};
use crate::run::{Tests, Version};

impl Analysis<'_> {
    /// Runs faulty versions, which have all functions that the tests call; `None` for versions that were not run before an interruption.
    ///
    /// # Errors
    /// When the host fails.
    pub fn run_versions<T: Send + 'static>(
        &self,
        versions: &[Arc<FaultyVersion>],
        run: &Arc<Run<T>>,
    ) -> Result<Vec<Option<T>>, LabError> {
        let is_ready = self.baselines.len() == self.suite.batches.len();
        if versions.is_empty() || !is_ready {
            return Ok(versions.iter().map(|_| None).collect());
        }
        let (workbench, suite) = (Arc::clone(&self.workbench), Arc::clone(&self.suite));
        let (baselines, run, versions) = (Arc::clone(&self.baselines), Arc::clone(run), versions.to_vec());
        let (mode, pruning) = (self.mode(), self.options.pruning);
        let (executable, count) = (workbench.target.executable.clone(), versions.len());
        let ended = pool::run(
            (Worker::Folders, self.options.jobs.get(), count),
            move |until| (RefCell::new(executable.runner().until(until)), Until::clone(until)),
            move |(original, until), place| {
                let tests = Tests {
                    workbench: &workbench,
                    suite: &suite,
                    baselines: &baselines,
                    // The observing version is one of the subject's module: it says nothing of another build.
                    observed: &[],
                    mode,
                    pruning,
                    strong: &[],
                };
                let mut runner = versions[place].runner().until(until);
                run(&tests, &Version::Build { original }, &mut runner)
            },
            &self.until,
            &mut |_| {},
        )?;
        Ok(match ended {
            Ended::Done(results) => results.into_iter().map(Some).collect(),
            Ended::Interrupted(results) => results,
        })
    }
}
