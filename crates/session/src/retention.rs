//! Which runs a session forgets, and what only they used.

use crate::{Session, SessionError};

/// How many of the last runs every session keeps. Of a subject with 100 relations that is about 1 MB of verdicts; whoever works with several subjects by turns finds the results
/// of all of them kept for weeks.
pub const KEPT_RUNS: usize = 100;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleaned {
    /// Runs.
    pub runs: usize,
    /// Pieces of work that no run that is left consists of.
    pub pieces: usize,
}

impl Session {
    /// Forgets what is older than the last runs that every session keeps. The room that it took is used for what comes next.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn retain(&mut self) -> Result<Cleaned, SessionError> {
        self.forget_runs(KEPT_RUNS)
    }

    /// Forgets all runs but the last `keep` and those that have a name, with all that only they used, and gives the room back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub fn clean(&mut self, keep: usize) -> Result<Cleaned, SessionError> {
        let cleaned = self.forget_runs(keep)?;
        self.connection.execute_batch("VACUUM").map_err(|error| self.failed(error))?;
        Ok(cleaned)
    }

    fn forget_runs(&mut self, keep: usize) -> Result<Cleaned, SessionError> {
        let keep = i64::try_from(keep).unwrap_or(i64::MAX);
        let runs = self.run_sql(
            "DELETE FROM run WHERE name IS NULL AND id NOT IN (SELECT id FROM run ORDER BY id DESC LIMIT ?1)",
            [keep],
        )?;
        // Without a run to forget there is nothing that only it used.
        if runs == 0 {
            return Ok(Cleaned::default());
        }
        let pieces = self.run_sql("DELETE FROM piece WHERE id NOT IN (SELECT piece FROM run_piece)", [])?;
        self.run_sql("DELETE FROM relation WHERE id NOT IN (SELECT relation FROM verdict)", [])?;
        self.run_sql(
            "DELETE FROM mutant WHERE subject NOT IN (SELECT subject FROM piece WHERE kind = 'mutate')",
            [],
        )?;
        Ok(Cleaned { runs, pieces })
    }
}
