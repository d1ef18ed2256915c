//! Searches, where mutants are left that no relation catches.

use std::time::Duration;

use dodona_inference::discovery::{SearchKind, Settings};
use dodona_records::FoundBy;
use dodona_workbench::LabError;

use super::candidate::Origin;
use super::judge::Judge;
use super::survey_tuning::{LONGEST_SEARCH, SEARCHES_SHARE, SHORTEST_SEARCH};
use super::{Survey, SurveyStage};
use crate::{DiscoverOptions, Forms, SoFar, discover};

impl Survey<'_, '_> {
    /// Searches for relations of the functions that have most mutants left, each for an equal time. Whether anything was found.
    pub(super) fn searches(&mut self, judge: &Judge<'_>) -> Result<bool, LabError> {
        let until = self.until(SEARCHES_SHARE);
        let wanted = self.wanted(judge);
        let longest = Duration::from_secs(LONGEST_SEARCH);
        let left = until.left().unwrap_or(longest * u32::try_from(wanted.len()).unwrap_or(u32::MAX));
        let possible = usize::try_from(left.as_secs() / SHORTEST_SEARCH).unwrap_or(usize::MAX);
        let searched = wanted.len().min(possible);
        if searched < wanted.len() {
            let (not, all) = (wanted.len() - searched, self.workbench.functions().len());
            self.undone.push(format!("no search in {not} of {all} functions that have faults left"));
        }
        let before = self.pool.held.len();
        for (place, &function) in wanted.iter().take(searched).enumerate() {
            self.tell(SurveyStage::Searches, place, searched);
            let share = until.share(searched - place);
            let seconds = length(share.left().unwrap_or(longest));
            if !share.goes_on() || seconds < SHORTEST_SEARCH {
                continue;
            }
            self.search(function, Duration::from_secs(seconds), &share)?;
        }
        Ok(self.pool.held.len() > before)
    }

    /// The functions in which mutants are left that inputs reveal, those with most first.
    fn wanted(&self, judge: &Judge<'_>) -> Vec<usize> {
        let Some(judged) = &self.judged else { return Vec::new() };
        let caught = self.caught();
        let mut left: Vec<(usize, usize)> = (0..self.workbench.functions().len())
            .filter(|&function| judge.has_mutants(function))
            .map(|function| (judged.left(function, &caught), function))
            .filter(|(left, _)| *left > 0)
            .collect();
        left.sort_by_key(|&(left, function)| (usize::MAX - left, function));
        left.into_iter().map(|(_, function)| function).collect()
    }

    fn search(
        &mut self,
        function: usize,
        time: Duration,
        until: &dodona_target::Until,
    ) -> Result<(), LabError> {
        let options = DiscoverOptions {
            seed: self.options.seed,
            time: Some(time),
            relations: self.options.relations,
            mutants: self.options.mutants,
            forms: Forms { laws: false, patterns: true },
            // What was bred of random terms nobody commits.
            settings: Settings { comparing: true, search: SearchKind::Enumerate, ..Settings::default() },
            fresh: self.options.fresh,
            jobs: self.options.jobs,
            so_far: SoFar::default(),
            ..DiscoverOptions::default()
        };
        let record = match discover(self.bare, function, &options, self.interrupted, &mut |_| {}) {
            Ok(record) => record,
            // A function that never returns has none.
            Err(error) if error.is_stopped() => return Ok(()),
            Err(LabError::NeverReturns { .. } | LabError::NoParameter(_) | LabError::NoOutput(_)) => {
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for relation in &record.relations {
            let origin = match relation.found_by {
                FoundBy::Form => Origin::Other,
                FoundBy::Enumeration | FoundBy::Evolution { .. } => Origin::Search,
            };
            self.add(&relation.text, (origin, 0), &until.without_end())?;
        }
        Ok(())
    }
}

/// How long a search in so much time is: half of it is the next shorter one, so that a little more or less time finds the same.
fn length(left: Duration) -> u64 {
    let mut seconds = SHORTEST_SEARCH;
    while seconds * 2 <= LONGEST_SEARCH && Duration::from_secs(seconds * 2) <= left {
        seconds *= 2;
    }
    if Duration::from_secs(seconds) <= left { seconds } else { 0 }
}
